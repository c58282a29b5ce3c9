package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.api.Strategy;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.Lane;
import dev.pawl.internal.lane.LaneDatabase;
import dev.pawl.internal.lane.LaneHeadRead;
import dev.pawl.internal.lane.OneStatementClaim;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Counts the pages that a claim reads, because row counts do not show all reads. Before version 18, if the upper bound is a row comparison,
 * PostgreSQL goes through all index entries after the wanted ones, up to the end of the index, without counting them.
 */
@WhiteBox
class PostgresLaneReadsTest {
    private static final JobType<String> GREET = JobType.of("greet", String.class);
    /** About 190 pages of the index. */
    private static final int JOBS = 50_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClaimReadsFewPagesOfALongLane(boolean inTurn) throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(1)) {
            try (JobQueue queue = JobQueue.open(pool)) {
                queue.admin().queues().setStrategy("default", Strategy.LANES);
                queue.enqueueAll(
                        GREET, IntStream.range(0, JOBS).mapToObj(n -> "n" + n).toList());
            }
            Dialect dialect = Databases.of(pool, "pawl_").dialect();
            OneStatementClaim claim =
                    Objects.requireNonNull(LaneDatabase.of(dialect).claim(dialect));
            ClaimRequest ten = new ClaimRequest("default", List.of("greet"), 10, 1, Duration.ofMinutes(1), false);
            try (Connection connection = pool.getConnection()) {
                Lane lane = new Lane((int) longOf(connection, "SELECT id FROM pawl_lane"), "default", 0, true, 0);
                long before = pages(connection);
                LaneHeadRead taken = claim.claim(connection, lane, ten, inTurn);
                assertThat(taken.entries()).hasSize(10);
                assertThat(pages(connection) - before).isLessThan(30);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEmptyLaneIsNotReadBeyondItsEnd(boolean append) throws Exception {
        try (TestDatabase database = TestServers.postgres().createDatabase();
                HikariDataSource pool = database.newDataSource(1)) {
            try (JobQueue queue = JobQueue.open(pool)) {
                for (String name : List.of("one", "two")) {
                    queue.admin().queues().setStrategy(name, Strategy.LANES);
                    queue.enqueueAll(GREET, List.of("a", "b"), text -> EnqueueOptions.DEFAULTS.queue(name));
                }
            }
            Dialect dialect = Databases.of(pool, "pawl_").dialect();
            OneStatementClaim claim =
                    Objects.requireNonNull(LaneDatabase.of(dialect).claim(dialect));
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                Lane low = lane(connection, "MIN");
                Lane high = lane(connection, "MAX");
                ClaimRequest all =
                        new ClaimRequest(low.queue(), List.of("greet"), 200, 1, Duration.ofMinutes(1), false);
                fill(statement, low, 200);
                assertThat(claim.claim(connection, low, all, false).entries()).hasSize(200);
                JobRequest job = new JobRequest("greet", "\"x\"", EnqueueOptions.DEFAULTS.queue(low.queue()));
                for (int i = 0; i < 10; i++) { // the server keeps the plan for tables of this size
                    assertThat(claim.append(connection, low, job, all).isWon()).isTrue();
                }
                fill(statement, high, JOBS);
                long before = pages(connection);
                if (append) {
                    assertThat(claim.append(connection, low, job, all).isWon()).isTrue();
                } else {
                    assertThat(claim.claim(connection, low, all, false).entries())
                            .isEmpty();
                }
                assertThat(pages(connection) - before).isLessThan(30);
            }
        }
    }

    private static void fill(Statement statement, Lane lane, int jobs) throws SQLException {
        statement.execute("INSERT INTO pawl_lane_job (lane, created_at, max_attempts, kind, payload)" + " SELECT "
                + lane.id() + ", now(), 3, 'greet', 'x' FROM generate_series(1, " + jobs + ")");
    }

    private static Lane lane(Connection connection, String which) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT id, queue FROM pawl_lane WHERE id =" + " (SELECT "
                        + which + "(id) FROM pawl_lane WHERE queue IN ('one', 'two'))")) {
            row.next();
            return new Lane(row.getInt(1), row.getString(2), 0, true, 0);
        }
    }

    private static long pages(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_stat_force_next_flush()");
        }
        return longOf(
                connection,
                "SELECT heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read FROM pg_statio_user_tables"
                        + " WHERE relname = 'pawl_lane_job'");
    }

    private static long longOf(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
