package dev.pawl.specification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Opt;
import dev.pawl.specification.Program;
import dev.pawl.specification.Real;
import dev.pawl.specification.SqliteStage;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Half-done steps are detected, and complete ones are accepted. */
class HalfDoneTest {
    private static final int CALLS = 30;

    private final FaultyStage stage = new FaultyStage(new SqliteStage());

    HalfDoneTest() throws SQLException {}

    @AfterEach
    void end() throws SQLException {
        stage.close();
    }

    /** A step that should enqueue two jobs or none, but uses two transactions. */
    private record ByHalves(Op first, Op second) implements Op {
        @Override
        public void on(Real real, Model model) throws SQLException {
            first.on(real, model);
            second.on(real, model);
        }
    }

    /** A cancel that is hidden from the model. */
    private record LostReply() implements Op {
        @Override
        public void on(Real real, Model model) throws SQLException {
            new Op.One(Op.Person.CANCEL, 0).on(real, model.copy());
        }
    }

    private List<Program.Failure> failures(Op step, Fault fault) {
        return IntStream.rangeClosed(1, CALLS)
                .mapToObj(call ->
                        new Program(Strategy.ROWS, List.of(Op.enqueue(Opt.TAG), new Failing(step, call, fault, false))))
                .map(program -> program.run(stage))
                .flatMap(Optional::stream)
                .toList();
    }

    @Test
    void oneOfTwoTransactionsIsHalf() {
        Op halves = new ByHalves(Op.enqueue(), Op.enqueue(Opt.KEY_X));
        assertThat(failures(halves, Fault.BEFORE))
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure.cause()).hasMessageStartingWith("half of"));
    }

    @Test
    void anUnreportedEffectIsDetected() {
        assertThat(failures(new LostReply(), Fault.AFTER)).isNotEmpty();
    }

    @Test
    void aStepOfOneTransactionIsNeverHalfDone() {
        for (Fault fault : Fault.values()) {
            assertThat(failures(new Op.EnqueueMany(3), fault)).as("%s", fault).isEmpty();
        }
    }
}
