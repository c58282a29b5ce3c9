package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.servers.Product;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The plans of counts up to a limit, which are shown to users. PostgreSQL takes no hints. Without an ORDER BY, its planner assumes that
 * matching rows are everywhere in the table, and scans it from the oldest rows on, past finished jobs and jobs of other queues.
 */
class PostgresCountPlansTest {
    @Test
    void limitedCountsReadAnIndex() throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(4)) {
            ExplainingDataSource source = new ExplainingDataSource(pool, Product.POSTGRESQL.explain());
            JobQueue.open(pool).close(); // creates the tables
            fill(pool);
            try (JobQueue explained =
                    JobQueue.builder(source.dataSource()).migrate(false).open()) {
                source.clear();
                assertThat(explained.admin().queues().list(10_000)).hasSize(3);
                assertThat(explained.admin().queues().unattended())
                        .extracting(UnattendedJobs::jobs)
                        .containsExactlyInAnyOrder(10_000L, 10_000L, 10_000L, 10_000L);
            }
            List<ExplainingDataSource.Plan> plans = source.takePlans();
            for (String regex : List.of("kind = ", "pawl_lane_job\\b", "pawl_job\\b.*kind = ")) {
                assertThat(ExplainingDataSource.matching(plans, regex))
                        .allSatisfy(plan -> assertThat(plan.toString())
                                .doesNotContain("Seq Scan on pawl_lane_job", "Seq Scan on pawl_job"));
            }
        }
    }

    /** Two lanes, interleaved, with many finished jobs and some waiting ones behind them; and rows of two kinds. */
    private static void fill(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO pawl_lane (queue, priority) VALUES ('even', 0), ('odd', 0)");
            statement.execute(
                    "INSERT INTO pawl_lane_range (lane, starts_after, last_id, jobs, leased_by, ahead, claimed_at,"
                            + " finished_at, completed) SELECT id, 0, 200000, 1000, 1, FALSE, now(), now(), 1000 FROM pawl_lane"
                            + " WHERE queue IN ('even', 'odd')");
            statement.execute("INSERT INTO pawl_lane_job (lane, id, created_at, max_attempts, kind, payload)"
                    + " SELECT (SELECT id FROM pawl_lane WHERE queue = CASE WHEN n / 1000 % 2 = 0 THEN 'even' ELSE 'odd' END),"
                    + " n, now(), 5, 'mail', repeat('x', 100) FROM generate_series(1, 240000) AS s(n)");
            statement.execute("INSERT INTO pawl_job (id, created_at, available_at, max_attempts, queue, kind, payload)"
                    + " SELECT n, now(), now(), 5, 'rows', CASE WHEN n < 320000 THEN 'first' ELSE 'last' END, repeat('x', 100)"
                    + " FROM generate_series(240001, 360000) AS s(n)");
            statement.execute("VACUUM ANALYZE");
        }
    }
}
