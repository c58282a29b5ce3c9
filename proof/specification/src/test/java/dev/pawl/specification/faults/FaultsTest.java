package dev.pawl.specification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
import dev.pawl.servers.Tier;
import dev.pawl.specification.Op;
import dev.pawl.specification.Program;
import dev.pawl.specification.Programs;
import dev.pawl.specification.Search;
import dev.pawl.specification.Stage;
import dev.pawl.specification.faults.EngineError.Driver;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import net.jqwik.api.Arbitrary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Random programs whose calls fail, and regression programs, on one database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FaultsTest {
    private static final long FIRST_SEED = Tier.ofThisBuild().size("PAWL_PROGRAM_SEED", 1, 1);

    private FaultyStage stage;

    abstract Stage open() throws SQLException;

    /** {@return the number of random programs in the quick tier, which take a second or two} */
    abstract long programs();

    /** {@return the drivers of the engines whose errors are injected into calls of the database} */
    abstract Set<Driver> drivers();

    @BeforeAll
    void start() throws SQLException {
        stage = new FaultyStage(open());
    }

    @AfterAll
    void end() throws SQLException {
        stage.close();
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.DAYS)
    void stepsOfRandomProgramsAreAtomic() {
        run("calls that fail", FaultyPrograms::step);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.DAYS)
    void stepsAreAtomicUnderTheErrorsOfOtherEngines() {
        run("errors of engines", FaultyPrograms.answeredBy(drivers()));
    }

    private void run(String what, Function<Programs.Theme, Arbitrary<Op>> steps) {
        long begun = System.nanoTime();
        long programs = Tier.ofThisBuild().size("PAWL_PROGRAMS", programs(), 500);
        long before = stage.faults().times();
        Search search = new Search(stage, steps);
        Optional<Search.Found> found = search.run(FIRST_SEED, programs, begun + TimeUnit.DAYS.toNanos(2));
        System.out.println(getClass().getSimpleName() + ", " + what + ": " + search.programs() + " programs, "
                + search.steps() + " steps, " + (stage.faults().times() - before) + " failed calls, "
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");
        found.ifPresent(each -> {
            throw new AssertionError(
                    "a program does other than the model says: " + each,
                    each.smallest().cause());
        });
        assertThat(stage.faults().times()).isGreaterThan(before);
    }

    /** Runs a regression program. */
    void run(Strategy strategy, Op... steps) {
        new Program(strategy, List.of(steps)).run(stage).ifPresent(found -> {
            throw new AssertionError(found.toString(), found.cause());
        });
    }

    /** Programs that once failed. */
    @Test
    void regressionProgramsAgreeWithTheModel() {
        List<String> failures = FaultySeeds.ALL.stream()
                .flatMap(program -> program.run(stage).stream())
                .map(Program.Failure::toString)
                .toList();
        assertThat(failures).as("programs that fail again").isEmpty();
    }
}
