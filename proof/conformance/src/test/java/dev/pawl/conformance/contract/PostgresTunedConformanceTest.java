package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Finding;
import dev.pawl.admin.RetentionRule;
import dev.pawl.admin.Tuning;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All contracts again, with the live table in unlogged partitions and the history partitioned by day. */
@OneOfPostgres
@WhiteBox
class PostgresTunedConformanceTest extends Conformance {
    private static final Pattern DAY = Pattern.compile("(completed|cancelled|discarded)_(\\d{8}|rest)\\b");
    private static final Pattern PART = Pattern.compile("part\\d_4");

    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    @BeforeEach
    void tune(Fixture fixture) {
        fixture.admin
                .maintenance()
                .tune(Tuning.NOTHING.unlogged(true).historyByDay(true).livePartitions(4));
    }

    @Override
    public boolean liveTableHasParts() {
        return true;
    }

    @Test
    void theDoctorWarnsLoudly(Fixture fixture) {
        assertThat(fixture.admin.maintenance().diagnose())
                .filteredOn(finding -> finding.level() == Finding.Level.WARNING)
                .extracting(Finding::message)
                .anySatisfy(message -> assertThat(message).contains("LOSES EVERY UNFINISHED JOB"));
    }

    @Test
    void tuningKeepsEveryJobAndCanBeUndone(Fixture fixture) throws Exception {
        long finished = fixture.enqueue();
        fixture.finish(fixture.claimOne().lease(), new Verdict.Completed());
        long live = fixture.enqueue();
        fixture.admin
                .maintenance()
                .tune(Tuning.NOTHING.unlogged(false).historyByDay(false).livePartitions(1));
        assertThat(fixture.job(finished).state()).isEqualTo(JobState.COMPLETED);
        assertThat(fixture.job(live).state()).isEqualTo(JobState.AVAILABLE);
        assertThat(fixture.enqueue()).isGreaterThan(live);
        assertThat(countFor(fixture, "SELECT COUNT(*) FROM pg_inherits WHERE inhparent = ?::regclass", "pawl_job"))
                .isZero();
        assertThat(countFor(
                        fixture, "SELECT COUNT(*) FROM pg_inherits WHERE inhparent = ?::regclass", "pawl_job_history"))
                .isZero();
        assertThat(fixture.admin.maintenance().diagnose())
                .noneSatisfy(finding -> assertThat(finding.message()).contains("LOSES"));
    }

    @Test
    void tuningAgainOrToOtherPartitionsWorks(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        fixture.admin
                .maintenance()
                .tune(Tuning.NOTHING.livePartitions(4).historyByDay(true).unlogged(true));
        fixture.admin.maintenance().tune(Tuning.NOTHING.livePartitions(2));
        assertThat(countFor(fixture, "SELECT COUNT(*) FROM pg_inherits WHERE inhparent = ?::regclass", "pawl_job"))
                .isEqualTo(2);
        assertThat(fixture.claimOne().job().id()).isEqualTo(id);
    }

    /** See {@code --live-partitions} in docs/inside/strategies.md. */
    @Test
    void aClaimOfOneKindLooksForItsJobsOnlyInThePartOfItsKind(Fixture fixture) throws Exception {
        ExplainingDataSource source = new ExplainingDataSource(fixture.pool, fixture.product.explain());
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        SqlJobStore store =
                new SqlJobStore(product, new Database(source.dataSource(), product.dialect()), Retention.DEFAULTS);
        fixture.enqueue();
        assertThat(store.strategy(Strategy.ROWS).claim(fixture.request(10))).hasSize(1);
        assertThat(source.takePlans().stream()
                        .flatMap(plan -> plan.lines().stream())
                        .filter(line -> line.contains("Index") && !line.contains("_pkey"))
                        .flatMap(line -> PART.matcher(line).results())
                        .map(MatchResult::group))
                .isNotEmpty()
                .containsOnly("part" + part(fixture) + "_4");
    }

    private long part(Fixture fixture) throws SQLException {
        return fixture.longOf("SELECT substring(tableoid::regclass::text from 'part(\\d)_4')::int8 FROM pawl_job");
    }

    @Test
    void aDayThatIsOverIsDroppedWhole(Fixture fixture) throws Exception {
        makeDay(fixture, 40);
        makeDay(fixture, 5);
        assertThat(days(fixture)).isEqualTo(3 * 4 + 2);
        fixture.admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ofDays(30)));
        assertThat(days(fixture)).isEqualTo(3 * 4 + 1);
    }

    /** Regression: a worker deleted the rows of a day as their retention expired, so the partition was empty when it was dropped. */
    @Test
    void aWorkerDropsADayWithItsRows(Fixture fixture) throws Exception {
        makeDay(fixture, 6);
        makeDay(fixture, 5);
        for (int i = 0; i < 2; i++) {
            fixture.enqueueRow();
            fixture.finish(fixture.claimOne().lease(), new Verdict.Completed());
        }
        fixture.sweepMarked();
        fixture.execute("UPDATE pawl_job_history SET finished_at = date_trunc('day', now(), 'UTC')"
                + " - CASE WHEN id = (SELECT MIN(id) FROM pawl_job_history) THEN 6 ELSE 5 END * INTERVAL '1 day'");
        fixture.execute("INSERT INTO pawl_attempt (job_id, lease_token, attempt, failed_at, error)"
                + " SELECT id, 1, 1, now(), 'no' FROM pawl_job_history");
        fixture.admin.maintenance().setRetention(RetentionRule.queue("other").completed(Duration.ofDays(1)));
        ExplainingDataSource source = new ExplainingDataSource(fixture.pool, fixture.product.explain());
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        new Pruner(
                        new Database(source.dataSource(), product.dialect()),
                        product.history(),
                        LinkedRows.installed(product.dialect()))
                .prune(Retention.DEFAULTS.completed(Duration.ofDays(5)));
        assertThat(fixture.count("pawl_attempt")).isEqualTo(1);
        assertThat(fixture.count("pawl_job_history"))
                .as("jobs of the day that still has some")
                .isEqualTo(1);
        assertThat(days(fixture)).isEqualTo(3 * 4 + 1);
        assertThat(source.takePlans()).noneMatch(plan -> plan.sql().startsWith("DELETE FROM pawl_job_history"));
    }

    /** A day may have millions of jobs, and a long transaction keeps the server from removing dead rows. */
    @Test
    void theLinkedRowsOfADayAreDeletedInManyTransactions(Fixture fixture) throws Exception {
        makeDay(fixture, 6);
        fixture.enqueueRow();
        fixture.finish(fixture.claimOne().lease(), new Verdict.Completed());
        fixture.sweepMarked();
        fixture.execute(
                "UPDATE pawl_job_history SET finished_at = date_trunc('day', now(), 'UTC') - INTERVAL '6 days'");
        fixture.execute("INSERT INTO pawl_job_history"
                + " SELECT (jsonb_populate_record(h, jsonb_build_object('id', h.id + n))).*"
                + " FROM pawl_job_history h, generate_series(1, 2000) n");
        fixture.execute("INSERT INTO pawl_attempt (job_id, lease_token, attempt, failed_at, error)"
                + " SELECT id, 1, 1, now(), 'no' FROM pawl_job_history");
        List<String> statements = new ArrayList<>();
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        new Pruner(
                        new Database(TamperedDataSource.of(fixture.pool, statements::add), product.dialect()),
                        product.history(),
                        LinkedRows.installed(product.dialect()))
                .prune(Retention.DEFAULTS.completed(Duration.ofDays(5)));
        assertThat(fixture.count("pawl_attempt")).isZero();
        assertThat(fixture.count("pawl_job_history")).isZero();
        List<String> deletions = statements.stream()
                .filter(sql -> sql.equals(TamperedDataSource.COMMIT) || sql.matches("DELETE FROM \\w*attempt .*"))
                .dropWhile(sql -> sql.equals(TamperedDataSource.COMMIT))
                .limit(5)
                .toList();
        assertThat(deletions)
                .filteredOn(sql -> sql.equals(TamperedDataSource.COMMIT))
                .as("between deletions")
                .hasSize(2);
    }

    /** Creates the partition of a day, as if that had been done in advance. */
    private void makeDay(Fixture fixture, int daysAgo) throws SQLException {
        String day = "(current_date - " + daysAgo + ")";
        fixture.execute("""
                DO $$ BEGIN EXECUTE format(
                    'CREATE TABLE pawl_job_history_completed_%%s PARTITION OF pawl_job_history_completed
                     FOR VALUES FROM (%%L) TO (%%L)',
                    to_char(%1$s, 'YYYYMMDD'), %1$s || ' 00:00+00', (%1$s + 1) || ' 00:00+00'); END $$
                """.formatted(day));
    }

    private long days(Fixture fixture) throws SQLException {
        return countFor(
                fixture,
                "SELECT COUNT(*) FROM pg_partition_tree(?::regclass) WHERE isleaf AND relid::text NOT LIKE '%rest'",
                "pawl_job_history");
    }

    private long countFor(Fixture fixture, String sql, String table) throws SQLException {
        String own = fixture.database.dialect().sql(table);
        return fixture.database.autocommit(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, own);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getLong(1);
                }
            }
        });
    }

    /** The read may be a backup. */
    @Test
    void aLongReadOfTheHistoryBlocksNeitherPruningNorCompletions(Fixture fixture) throws Exception {
        makeDay(fixture, 40);
        Retention retention = Retention.DEFAULTS.completed(Duration.ofDays(30));
        try (Connection reader = fixture.dataSource().getConnection()) {
            reader.setAutoCommit(false);
            fixture.execute(reader, "SELECT COUNT(*) FROM pawl_job_history");
            CompletableFuture<Long> pruning = CompletableFuture.supplyAsync(
                    () -> fixture.admin.maintenance().prune(retention));
            assertThat(pruning).succeedsWithin(Fixture.SOON);
            assertThat(days(fixture)).isEqualTo(3 * 4 + 1);
            fixture.enqueue();
            assertThat(fixture.finish(fixture.claimOne().lease(), new Verdict.Completed()))
                    .isTrue();
            reader.rollback();
        }
        fixture.admin.maintenance().prune(retention);
        assertThat(days(fixture)).isEqualTo(3 * 4);
    }

    /** A retention rule for one queue makes the pruner delete single rows instead of partitions, even for other queues. */
    @Test
    void deletesByRetentionRulesReadOneDayOnly(Fixture fixture) throws Exception {
        makeDay(fixture, 40);
        makeDay(fixture, 5);
        fixture.admin.maintenance().setRetention(RetentionRule.queue("audit").completed(Duration.ofDays(365)));
        fixture.enqueueRow();
        fixture.finish(fixture.claimOne().lease(), new Verdict.Completed());
        fixture.sweepMarked();
        fixture.execute("UPDATE pawl_job_history SET finished_at = finished_at - INTERVAL '5 days'");
        ExplainingDataSource source = new ExplainingDataSource(fixture.pool, fixture.product.explain());
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        new Pruner(
                        new Database(source.dataSource(), product.dialect()),
                        product.history(),
                        LinkedRows.installed(product.dialect()))
                .prune(Retention.DEFAULTS);
        assertThat(fixture.count("pawl_job_history")).isZero();
        for (ExplainingDataSource.Plan plan : source.takePlans("^DELETE FROM \\w*job_history ")) {
            assertThat(plan.lines().stream()
                            .flatMap(line -> DAY.matcher(line).results())
                            .map(MatchResult::group)
                            .distinct())
                    .as(String.join("\n", plan.lines()))
                    .hasSize(1);
        }
    }
}
