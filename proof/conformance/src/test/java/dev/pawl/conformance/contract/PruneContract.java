package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.Retention;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.store.Verdict;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No table grows without bound. */
@Specified
@WhiteBox
interface PruneContract extends Contract {
    @Test
    default void pruneDeletesExpiredJobsWithTheirRows() throws Exception {
        long discarded = fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("no", "boom"));
        fixture().store.log(List.of(new dev.pawl.internal.store.LogLine(discarded, 1, Duration.ZERO, "line")));
        fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Completed());
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isZero();
        fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Completed()); // the newest range of a lane stays
        LaneTransactionContract.backdateRanges(fixture());
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO)))
                .isBetween(1L, 2L);
        assertThat(fixture().admin.jobs().find(discarded)).isPresent();
        fixture().letLeasesExpire(Duration.ofMillis(2));
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS.discarded(Duration.ofMillis(1))))
                .isEqualTo(1);
        for (String table : List.of("pawl_job_history", "pawl_attempt", "pawl_job_log")) {
            assertThat(fixture().count(table)).as(table).isZero();
        }
    }

    @Test
    default void onlyTheLastCompletedJobsAreKept() throws Exception {
        List<Long> completed = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            completed.add(fixture().enqueue());
            fixture().finish(fixture().claimOne().lease(), new Verdict.Completed());
            fixture().letLeasesExpire(Duration.ofMillis(1)); // jobs that finished at the same time are kept together
        }
        long cancelled = fixture().enqueue();
        fixture().admin.jobs().cancel(cancelled);
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS.mostCompleted(5)))
                .isZero();
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS.mostCompleted(2)))
                .isEqualTo(3);
        assertThat(completed.stream()
                        .filter(id -> fixture().admin.jobs().find(id).isPresent()))
                .containsExactlyElementsOf(completed.subList(3, 5));
        assertThat(fixture().admin.jobs().find(cancelled)).isPresent();
        assertThatThrownBy(() -> Retention.DEFAULTS.mostCompleted(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use 1 or more");
    }

    /** Inserts rows that were left behind, by jobs that no longer exist or by dead workers. */
    private void leave(String sql, long rows, Duration age) throws Exception {
        String aged = fixture()
                .database
                .dialect()
                .sql(sql.formatted(fixture().database.dialect().nowPlusMicros()));
        fixture().database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(aged)) {
                for (long row = 1; row <= rows; row++) {
                    statement.setLong(1, 1_000_000 + row);
                    statement.setLong(2, -age.toNanos() / 1000);
                    statement.addBatch();
                }
                return statement.executeBatch().length;
            }
        });
    }

    private void leaveAttempts(long rows, Duration age) throws Exception {
        leave(
                "INSERT INTO pawl_attempt (job_id, lease_token, attempt, failed_at, error) VALUES (?, 1, 1, %s, 'boom')",
                rows, age);
    }

    private void leaveWorkers(long rows, Duration age) throws Exception {
        leave(
                "INSERT INTO pawl_worker (name, queues, kinds, max_concurrency, concurrency, heartbeat_at, started_at)"
                        + " VALUES ('gone', '[]', '[]', 1, ?, %s, "
                        + fixture().database.dialect().now() + ")",
                rows,
                age);
    }

    @Test
    default void anyNumberOfOrphanRowsIsPruned() throws Exception {
        leaveAttempts(2500, Duration.ofHours(2));
        leave(
                "INSERT INTO pawl_job_log (job_id, attempt, logged_at, line) VALUES (?, 1, %s, 'line')",
                2500, Duration.ofHours(2));
        leave(
                "INSERT INTO pawl_assignment (job_id, assigned_at, lease_token, attempt, worker)"
                        + " VALUES (?, %s, 1, 1, 'w')",
                2500, Duration.ofHours(2));
        leaveWorkers(2500, Duration.ofDays(8));
        long kept = fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("no", "boom"));
        fixture()
                .execute("UPDATE pawl_attempt SET failed_at = (SELECT MIN(failed_at) FROM (SELECT failed_at FROM"
                        + " pawl_attempt) a) WHERE job_id = " + kept);
        fixture().admin.maintenance().prune(Retention.DEFAULTS);
        assertThat(fixture().count("pawl_attempt")).isEqualTo(1);
        assertThat(fixture().count("pawl_job_log")).isZero();
        assertThat(fixture().count("pawl_assignment")).isZero();
        assertThat(fixture().count("pawl_worker")).isEqualTo(1);
    }

    @Test
    default void thePrunerDeletesAllOldOrphansAndKeepsYoungOnes() throws Exception {
        Pruner pruner = new Pruner(
                fixture().database,
                Databases.of(fixture().pool, fixture().prefix).history(),
                LinkedRows.installed(fixture().database.dialect()));
        leaveAttempts(1500, Duration.ofMinutes(1));
        pruner.prune(Retention.DEFAULTS);
        assertThat(fixture().count("pawl_attempt")).isEqualTo(1500);
        fixture().execute("DELETE FROM pawl_attempt");
        leaveAttempts(1500, Duration.ofHours(2));
        pruner.prune(Retention.DEFAULTS);
        assertThat(fixture().count("pawl_attempt")).isZero();
    }

    @Test
    default void aFaultyTableDoesNotStopPruningOfOthers() throws Exception {
        fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Completed());
        leaveAttempts(1, Duration.ofHours(2));
        leaveWorkers(1, Duration.ofDays(8));
        fixture().execute("ALTER TABLE pawl_assignment RENAME TO pawl_assignment_away");
        assertThatThrownBy(() -> fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO)))
                .isInstanceOf(DatabaseException.class);
        assertThat(fixture().count("pawl_attempt")).isZero();
        assertThat(fixture().count("pawl_worker")).isEqualTo(1);
    }

    @Test
    default void pruningReadsNoTableFromStartToEnd() throws Exception {
        leaveAttempts(6_000, Duration.ofMinutes(1));
        leaveWorkers(3_000, Duration.ofDays(1));
        boolean sqlite = fixture().database.dialect().product().equals("sqlite");
        if (!sqlite) {
            boolean mySql = fixture().database.dialect().product().equals("mysql");
            for (String table : List.of("pawl_attempt", "pawl_worker")) {
                fixture().execute((mySql ? "ANALYZE TABLE " : "ANALYZE ") + table);
            }
        }
        ExplainingDataSource source =
                new ExplainingDataSource(fixture().pool, sqlite ? "EXPLAIN QUERY PLAN " : "EXPLAIN ");
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        new Pruner(
                        new Database(source.dataSource(), product.dialect()),
                        product.history(),
                        LinkedRows.installed(product.dialect()))
                .prune(Retention.DEFAULTS);
        List<ExplainingDataSource.Plan> plans = source.takePlans();
        assertThat(plans).hasSizeGreaterThan(10);
        for (String table : List.of("pawl_attempt", "pawl_worker")) {
            assertThat(ExplainingDataSource.matching(plans, table + "\\b"))
                    .allSatisfy(plan -> assertThat(plan.toString())
                            .doesNotContainPattern("Seq Scan on \\w*" + table + "\\b")
                            .doesNotContainPattern("SCAN " + plan.names(table))
                            .doesNotContainPattern("table=" + plan.names(table) + " .*type=ALL"));
        }
    }
}
