package dev.pawl.specification.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.BulkResult;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.JobType;
import dev.pawl.api.Strategy;
import dev.pawl.specification.Real;
import dev.pawl.specification.SqliteStage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Injected failures happen, and leave the intended state behind. */
class JdbcFaultsTest {
    private static final JobType<Integer> KA = JobType.of("ka", Integer.class);

    private final FaultyStage stage = new FaultyStage(new SqliteStage());
    private final Real real = new Real(stage, Strategy.ROWS);

    JdbcFaultsTest() throws SQLException {}

    @AfterEach
    void end() throws SQLException {
        real.close();
        stage.close();
    }

    private void enqueue() {
        BulkResult unused = real.queue.enqueueAll(KA, List.of(1, 2));
    }

    /** {@return the index of the call that commits an enqueue, among those that can fail with this fault} */
    private int commit(Fault fault) {
        for (int call = 1; ; call++) {
            stage.faults().arm(call, fault);
            try {
                enqueue();
                throw new AssertionError("no call commits");
            } catch (DatabaseException failed) {
                if ("commit".equals(stage.faults().failed())) {
                    return call;
                }
            } finally {
                stage.faults().disarm();
            }
        }
    }

    @Test
    void beforeTheCallNothingHasHappened() {
        stage.faults().arm(commit(Fault.BEFORE), Fault.BEFORE);
        assertThatThrownBy(this::enqueue).isInstanceOf(DatabaseException.class);
        assertThat(real.listed()).isEmpty();
    }

    @Test
    void afterTheCallItHasHappened() {
        stage.faults().arm(commit(Fault.BEFORE), Fault.AFTER);
        assertThatThrownBy(this::enqueue).isInstanceOf(DatabaseException.class);
        assertThat(real.listed()).hasSize(2);
    }

    @Test
    void aConflictIsTriedAgain() {
        stage.faults().arm(commit(Fault.FULL), Fault.CONFLICT);
        enqueue();
        assertThat(stage.faults().failed()).isEqualTo("commit");
        assertThat(real.listed()).hasSize(2);
    }

    /** The caller gets no result, and nothing is repeated. */
    @Test
    void aCommitWhoseResultIsUnknownHasHappenedOrNot() {
        for (EngineError error : List.of(EngineError.COCKROACH_AMBIGUOUS, EngineError.TIDB_UNDETERMINED)) {
            for (boolean tookEffect : List.of(true, false)) {
                int before = real.listed().size();
                stage.faults().arm(1, new EngineAnswer(error, tookEffect, 1));
                assertThatThrownBy(this::enqueue).isInstanceOf(DatabaseException.class);
                stage.faults().disarm();
                assertThat(stage.faults().failed()).isEqualTo("commit");
                assertThat(real.listed()).hasSize(before + (tookEffect ? 2 : 0));
            }
        }
    }

    @Test
    void nothingIsDoneAfterDeath() throws SQLException {
        stage.faults().arm(commit(Fault.BEFORE), Fault.DEATH_BEFORE);
        assertThatThrownBy(this::enqueue).isInstanceOf(Died.class);
        assertThatThrownBy(this::enqueue).isInstanceOf(Died.class);
        stage.faults().disarm();
        real.restart();
        assertThat(real.listed()).isEmpty();
    }

    @Test
    void afterAFailoverOpenConnectionsTakeNoWrites() throws SQLException {
        enqueue();
        stage.failOver();
        try (Connection connection = stage.pool().getConnection();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeUpdate("DELETE FROM pawl_job"))
                    .isInstanceOf(SQLException.class);
        }
        assertThatThrownBy(this::enqueue)
                .isInstanceOfSatisfying(
                        DatabaseException.class,
                        failed -> assertThat(failed.isTransient()).isTrue());
        enqueue();
        assertThat(real.listed()).hasSize(4);
    }
}
