package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Pools of any isolation level: conflicts between the library's own statements cost no job an attempt. */
interface IsolationContract extends Contract {
    private static List<Integer> levels(Fixture fixture) throws SQLException {
        List<Integer> levels = new ArrayList<>();
        try (Connection connection = fixture.pool.getConnection()) {
            for (int level : new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE}) {
                if (connection.getMetaData().supportsTransactionIsolationLevel(level)) {
                    levels.add(level);
                }
            }
        }
        return levels;
    }

    @Test
    default void transactionsOfRunsThatConflictOnlyByTheLibrarysStatementsCostNoAttempt(Fixture fixture)
            throws Exception {
        for (int level : levels(fixture)) {
            try (HikariDataSource pool = fixture.testDatabase.newDataSource(14)) {
                DataSource at = TamperedDataSource.isolated(pool, level);
                try (JobQueue queue =
                                JobQueue.builder(at).tablePrefix(fixture.prefix).open();
                        Worker worker = Worker.on(queue)
                                .concurrency(10)
                                .handle(GREET, (name, run) -> run.transaction(connection -> {}))
                                .start()) {
                    queue.enqueueAll(
                            GREET.withDefaults(EnqueueOptions.DEFAULTS.maxAttempts(1)),
                            IntStream.range(0, 100).mapToObj(i -> "n" + i).toList());
                    await().atMost(Fixture.SOON)
                            .until(() ->
                                    worker.stats().completed() + worker.stats().discarded() == 100);
                    assertThat(worker.stats().discarded())
                            .as("isolation level %s", level)
                            .isZero();
                }
            }
        }
    }
}
