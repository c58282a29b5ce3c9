package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.Finding;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Moving any number of late jobs out of their lanes blocks no work in those lanes, and a stalled move does no harm. */
@WhiteBox
interface LateJobsContract extends Contract {
    JobRequest LATE = new JobRequest("greet", "\"late\"", EnqueueOptions.DEFAULTS);
    /** Finds in a plan how many rows of the table r MariaDB or MySQL expects to read by an index. */
    Pattern RANGES_READ = Pattern.compile("(?:table=r type=range|Index range scan on r) .*?rows=(\\d+)");

    private ClaimStrategy lanes() throws SQLException {
        assumeTrue(fixture().database.dialect().mayCommitLate());
        fixture().admin.queues().setStrategy("default", Strategy.LANES);
        return fixture().store.strategy(Strategy.LANES);
    }

    private List<Long> enqueue(int jobs) {
        return IntStream.range(0, jobs).mapToObj(i -> fixture().enqueue()).toList();
    }

    private static List<Settlement> completed(List<Grant> claimed) {
        return claimed.stream()
                .map(one -> new Settlement(one.lease(), new Verdict.Completed()))
                .toList();
    }

    private void makeDue() throws SQLException {
        fixture()
                .execute("UPDATE pawl_lane_range SET recount_at = "
                        + fixture().database.dialect().now() + " WHERE recount_at IS NOT NULL");
    }

    /** Runs work on another thread with a time limit, so that the test fails if the work waits for a lock. */
    private static void beside(Settling work) throws SQLException {
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            try {
                work.run();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            done.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("it had to wait, or failed", e);
        }
    }

    /** An operation of a worker. */
    interface Settling {
        void run() throws SQLException;
    }

    /**
     * A transaction enqueues many jobs. A job with a higher id is claimed before this transaction commits, so all jobs of the transaction
     * are late.
     */
    @Test
    default void aLateBulkEnqueueBlocksNoWorkInItsRange() throws Exception {
        ClaimStrategy lanes = lanes();
        int bulk = 1_200;
        List<Grant> held;
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            fixture()
                    .queue
                    .within(open)
                    .enqueueAll(
                            Fixture.GREET,
                            IntStream.range(0, bulk).mapToObj(i -> "late " + i).toList());
            enqueue(1);
            held = lanes.claim(fixture().request(10));
            assertThat(held).hasSize(1);
            open.commit();
        }
        makeDue();
        AtomicInteger moves = new AtomicInteger();
        DataSource watched = fixture().at("INSERT INTO \\w*pawl_job \\(", statement -> {
            if (moves.incrementAndGet() == 1) {
                beside(() -> {
                    assertThat(lanes.renew(List.of(new LeaseRenewal(held.get(0).lease(), null)), Fixture.LEASE)
                                    .renewed())
                            .hasSize(1);
                    assertThat(lanes.settle(completed(held)).accepted()).hasSize(1);
                });
            }
        });
        ClaimStrategy finder = fixture().storeOver(watched).strategy(Strategy.LANES);
        finder.tidy();
        assertThat(fixture().count("pawl_job")).isEqualTo(bulk);
        assertThat(moves).as("in parts").hasValue(3);
        assertThat(fixture().longOf("SELECT MAX(recounts) FROM pawl_lane_range WHERE recount_at IS NOT NULL"))
                .as("scanned once more before its next count")
                .isZero();
        finder.tidy();
        assertThat(fixture().count("pawl_lane_range WHERE recounts = 0 AND recount_at IS NOT NULL"))
                .isZero();
        assertThat(fixture().job(held.get(0).job().id()).state()).isEqualTo(JobState.COMPLETED);
    }

    /** One job of a range cannot be moved by the database, at any attempt. */
    @Test
    default void aJobThatCannotBeMovedBlocksNoRescueOfOtherJobs() throws Exception {
        lanes();
        Duration brief = Duration.ofMillis(300);
        ClaimStrategy claims = fixture().store.strategy(Strategy.LANES);
        long row = fixture().enqueueRow();
        List<Long> ids = new ArrayList<>(enqueue(5));
        long poison = fixture()
                .queue
                .enqueue(new JobRequest("greet", "\"poison\"", EnqueueOptions.DEFAULTS))
                .jobId();
        ids.addAll(enqueue(4));
        int claimed = 0;
        for (int limit : new int[] {9, 9}) {
            claimed += claims.claim(
                            new ClaimRequest("default", List.of("greet"), limit, fixture().worker, brief, false))
                    .size();
        }
        assertThat(claimed).isEqualTo(11);
        assertThat(fixture().count("pawl_lane_range WHERE lease_expires_at IS NOT NULL"))
                .isEqualTo(2);
        ids.add(row);
        fixture().letLeasesExpire(brief);
        refusePoison();
        assertThat(fixture().store.abandoned(100, 0))
                .extracting(job -> job.lease().jobId())
                .containsExactlyInAnyOrderElementsOf(ids);
        fixture().execute("DROP TRIGGER pawl_poison" + (fixture().product == Product.POSTGRESQL ? " ON pawl_job" : ""));
        ids.add(poison);
        List<AbandonedJob> all = fixture().store.abandoned(100, 0);
        assertThat(all).extracting(job -> job.lease().jobId()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(fixture().count("pawl_lane_range WHERE lease_expires_at IS NOT NULL"))
                .isZero();
    }

    /**
     * After hours of overlapping transactions, many ranges wait for a count. Every worker looks for due ranges each second, and must not
     * read the others.
     */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void rangesThatWaitForACountAreNotReadBeforeItsTime() throws Exception {
        ClaimStrategy lanes = lanes();
        enqueue(1);
        lanes.settle(completed(lanes.claim(fixture().request(1))));
        String later = fixture().database.dialect().product().equals("mysql")
                ? "UTC_TIMESTAMP(6) + INTERVAL 3 HOUR"
                : "statement_timestamp() + interval '3 hours'";
        fixture()
                .execute(
                        "INSERT INTO pawl_lane_range (lane, starts_after, last_id, jobs, id_gaps, leased_by, ahead, claimed_at,"
                                + " finished_at, completed, recount_at, recounts) WITH RECURSIVE numbers AS (SELECT 1 AS n"
                                + " UNION ALL SELECT n + 1 FROM numbers WHERE n < 900) SELECT n + 1000000, 0, 20, 10, '2*10', 1, FALSE, "
                                + later + ", " + fixture().database.dialect().now() + ", 10, " + later
                                + ", 7 FROM numbers");
        fixture().execute((later.startsWith("UTC") ? "ANALYZE TABLE " : "ANALYZE ") + "pawl_lane_range");
        ExplainingDataSource source = new ExplainingDataSource(fixture().pool, "EXPLAIN ");
        ClaimStrategy finder = fixture().storeOver(source.dataSource()).strategy(Strategy.LANES);
        for (int i = 0; i < 3; i++) {
            finder.tidy(); // a second query follows once it is known which writers have ended
        }
        List<ExplainingDataSource.Plan> plans = source.takePlans("is_last");
        assertThat(plans).hasSizeGreaterThanOrEqualTo(3);
        for (ExplainingDataSource.Plan plan : plans) {
            String all = plan.sql() + "\n" + String.join("\n", plan.lines());
            if (fixture().product == Product.POSTGRESQL) {
                assertThat(all).containsPattern("Index Cond: \\((recount_at|claimed_at) <= ");
            } else {
                Matcher read = RANGES_READ.matcher(all);
                assertThat(read.find()).as(all).isTrue();
                assertThat(Integer.parseInt(read.group(1))).as(all).isLessThan(50);
            }
        }
    }

    /** Regression: a worker sent one query a second for each of two hundred idle lanes. */
    @Test
    default void manyLanesAreSearchedTogether() throws Exception {
        lanes();
        int many = 60;
        for (int i = 0; i < many; i++) {
            String queue = "q" + i;
            fixture().admin.queues().setStrategy(queue, Strategy.LANES);
            long unused = fixture().enqueue(EnqueueOptions.DEFAULTS.queue(queue));
            ClaimRequest any = fixture().request(1);
            assertThat(fixture()
                            .store
                            .strategy(Strategy.LANES)
                            .claim(new ClaimRequest(queue, any.kinds(), 1, any.workerId(), any.lease(), false)))
                    .hasSize(1);
        }
        AtomicInteger searches = new AtomicInteger();
        ClaimStrategy finder = fixture()
                .storeOver(fixture().at("^(?!.*recount_at).*starts_after", sql -> searches.incrementAndGet()))
                .strategy(Strategy.LANES);
        finder.tidy();
        searches.set(0); // the first search walks through each lane
        finder.tidy();
        assertThat(searches).hasValue(1);
    }

    /** MySQL and MariaDB read all ranges of a lane for a MIN that depends on an outer row, so the query sorts and takes the first row. */
    @Test
    default void theStartOfALaneIsFoundWithoutItsRanges() throws Exception {
        ClaimStrategy lanes = lanes();
        int many = 60;
        enqueue(many);
        for (int i = 0; i < many; i++) {
            assertThat(lanes.settle(completed(lanes.claim(fixture().request(1))))
                            .accepted())
                    .hasSize(1);
        }
        assertThat(fixture().count("pawl_lane_range")).isEqualTo(many);
        CountingDataSource source = new CountingDataSource(fixture());
        fixture().storeOver(source.dataSource()).strategy(Strategy.LANES).tidy();
        assertThat(source.take())
                .filteredOn(read -> read.sql().contains("SELECT l.id, (SELECT r.starts_after"))
                .isNotEmpty()
                .allSatisfy(read -> assertThat(read.rows()).as(read::sql).isLessThan(20));
    }

    private HikariDataSource repeatableReads() {
        return isolated("TRANSACTION_REPEATABLE_READ");
    }

    private HikariDataSource isolated(String level) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(fixture().testDatabase.jdbcUrl());
        config.setMaximumPoolSize(2);
        config.setTransactionIsolation(level);
        return new HikariDataSource(config);
    }

    /** At READ UNCOMMITTED, InnoDB shows rows that may never be committed. */
    @Test
    default void uncommittedJobsAreNotClaimedAtAnyIsolationLevel() throws Exception {
        lanes();
        List<Long> ids = enqueue(1);
        try (HikariDataSource pool = isolated("TRANSACTION_READ_UNCOMMITTED");
                Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            long never = fixture()
                    .queue
                    .within(open)
                    .enqueue(new JobRequest("greet", "\"never\"", EnqueueOptions.DEFAULTS))
                    .jobId();
            List<Grant> claimed = fixture()
                    .storeOver(pool)
                    .strategy(Strategy.LANES)
                    .claim(fixture().request(10));
            assertThat(claimed)
                    .extracting(grant -> grant.job().id())
                    .containsExactlyElementsOf(ids)
                    .doesNotContain(never);
            open.rollback();
        }
    }

    /** For example, a transaction enqueues in the morning and commits at night. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aRangeIsCountedWhileAWriterIsKnown() throws Exception {
        ClaimStrategy lanes = lanes();
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            long late = fixture()
                    .queue
                    .within(open)
                    .enqueue(new JobRequest("greet", "\"late\"", EnqueueOptions.DEFAULTS))
                    .jobId();
            enqueue(1);
            lanes.settle(completed(lanes.claim(fixture().request(10))));
            fixture().execute("UPDATE pawl_lane_range SET recounts = 7");
            makeDue();
            lanes.tidy();
            open.commit();
            makeDue();
            for (int i = 0; i < 3; i++) {
                lanes.tidy();
            }
            assertThat(lanes.claim(fixture().request(10)))
                    .extracting(grant -> grant.job().id())
                    .containsExactly(late);
        }
    }

    /** Until a proxy knows which server takes writes, it may lead to a standby, which has no writers of its own. */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void aStandbyDoesNotTellThatAllWritersHaveEnded() throws Exception {
        anotherServerIsAsked("pg_is_in_recovery\\(\\)", "true");
    }

    /** The former primary was halted while a standby took over, and answers once more before it is demoted. */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void aFormerPrimaryDoesNotTellThatAllWritersHaveEnded() throws Exception {
        anotherServerIsAsked("pg_postmaster_start_time\\(\\)", "timestamptz '2001-01-01'");
    }

    private void anotherServerIsAsked(String question, String answer) throws Exception {
        assumeTrue(fixture().product == Product.POSTGRESQL);
        ClaimStrategy lanes = lanes();
        AtomicBoolean elsewhere = new AtomicBoolean(true);
        ExpectedStatements expected = fixture().statements;
        ClaimStrategy finder = rewriting(
                fixture().pool,
                elsewhere,
                expected.rewriting("JOIN pg_locks l", "JOIN (SELECT * FROM pg_locks LIMIT 0) l")
                        .andThen(expected.rewriting(question, answer)));
        long late;
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            late = fixture().queue.within(open).enqueue(LATE).jobId();
            enqueue(1);
            assertThat(lanes.claim(fixture().request(10))).hasSize(1);
            finder.tidy();
            elsewhere.set(false);
            finder.tidy();
            finder.tidy();
            open.commit();
        }
        isFoundBy(finder, late);
    }

    /** A standby counts the jobs. The writer has ended on the primary, but its commit has not arrived on this standby. */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void aCountOnAStandbyIsNotTheLast() throws Exception {
        assumeTrue(fixture().product == Product.POSTGRESQL);
        ClaimStrategy lanes = lanes();
        AtomicBoolean behind = new AtomicBoolean();
        ExpectedStatements expected = fixture().statements;
        ClaimStrategy finder = rewriting(
                fixture().pool,
                behind,
                expected.rewriting("is_last", "\\(SELECT COUNT\\(\\*\\) .* LIMIT 2000\\) l\\)", "r.jobs")
                        .andThen(expected.rewriting("is_last", "pg_is_in_recovery\\(\\)", "true")));
        long late;
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            late = fixture().queue.within(open).enqueue(LATE).jobId();
            enqueue(1);
            assertThat(lanes.claim(fixture().request(10))).hasSize(1);
            finder.tidy();
            open.commit();
        }
        behind.set(true);
        finder.tidy();
        behind.set(false);
        isFoundBy(finder, late);
    }

    /** Like {@link #aCountOnAStandbyIsNotTheLast}, for a range whose jobs are compared by their ids. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void idsOfAServerThatIsBehindDoNotEndTheSearch() throws Exception {
        ClaimStrategy lanes = lanes();
        AtomicBoolean behind = new AtomicBoolean();
        ExpectedStatements expected = fixture().statements;
        ClaimStrategy finder = rewriting( // the result is recorded on the server that takes writes
                fixture().at("^SELECT starts_after FROM .* recounts = ", sql -> behind.set(false)),
                behind,
                expected.rewriting("^SELECT id FROM", " ORDER BY lane, id ", " AND payload <> '\"late\"'$0"));
        long late;
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            late = fixture().queue.within(open).enqueue(LATE).jobId();
            enqueue(1);
            lanes.settle(completed(lanes.claim(fixture().request(10))));
            finder.tidy();
            open.commit();
        }
        fixture().execute("UPDATE pawl_lane_range SET recounts = 10");
        makeDue();
        behind.set(true);
        finder.tidy();
        assertThat(behind).as("the range was to be recorded").isFalse();
        isFoundBy(finder, late);
    }

    /** {@return claims whose statements are rewritten while the flag is set} */
    private ClaimStrategy rewriting(DataSource source, AtomicBoolean when, Function<String, String> rewrite)
            throws SQLException {
        DataSource rewriting = TamperedDataSource.rewriting(source, sql -> when.get() ? rewrite.apply(sql) : sql);
        return fixture().storeOver(rewriting).strategy(Strategy.LANES);
    }

    private void isFoundBy(ClaimStrategy finder, long late) throws SQLException {
        for (int i = 0; i < 3; i++) {
            finder.tidy();
        }
        assertThat(finder.claim(fixture().request(10)))
                .extracting(grant -> grant.job().id())
                .containsExactly(late);
    }

    /** One job is deleted and another one is committed late, so the number of jobs stays the same. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aLateJobIsFoundInARangeThatLostAJob() throws Exception {
        ClaimStrategy lanes = lanes();
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            long late = fixture()
                    .queue
                    .within(open)
                    .enqueue(new JobRequest("greet", "\"late\"", EnqueueOptions.DEFAULTS))
                    .jobId();
            enqueue(1);
            lanes.settle(completed(lanes.claim(fixture().request(10))));
            assertThat(fixture().admin.jobs().changeAll(JobFilter.ALL, new JobChange.Delete(), count -> {}))
                    .as("while it is counted it stays")
                    .isEqualTo(new ChangeResult(0, 1));
            fixture().execute("UPDATE pawl_lane_range SET recounts = 8");
            assertThat(fixture().admin.jobs().changeAll(JobFilter.ALL, new JobChange.Delete(), count -> {}))
                    .isEqualTo(new ChangeResult(1, 0));
            open.commit();
            makeDue();
            lanes.tidy();
            assertThat(lanes.claim(fixture().request(10)))
                    .extracting(grant -> grant.job().id())
                    .containsExactly(late);
        }
    }

    /** PostgreSQL is configured to cache ids per session: no lock shows which session will use them. */
    @Test
    @RunsOn(Product.POSTGRESQL)
    default void theDoctorSaysWhenSessionsHaveIdsInStore() throws Exception {
        assumeTrue(fixture().product == Product.POSTGRESQL);
        ClaimStrategy lanes = lanes();
        fixture().execute("ALTER SEQUENCE pawl_job_ids CACHE 50");
        JobRequest job = new JobRequest("greet", "\"hello\"", EnqueueOptions.DEFAULTS);
        try (Connection one = fixture().dataSource().getConnection();
                Connection other = fixture().dataSource().getConnection()) {
            fixture().queue.within(one).enqueue(job);
            fixture().queue.within(other).enqueue(job);
            assertThat(lanes.claim(fixture().request(10))).hasSize(2);
            for (int i = 0; i < 3; i++) {
                lanes.tidy();
            }
            fixture().queue.within(one).enqueue(job);
        }
        for (int i = 0; i < 3; i++) {
            lanes.tidy();
        }
        assertThat(lanes.claim(fixture().request(10)))
                .as("no claim looks there")
                .isEmpty();
        Finding ahead = fixture().admin.maintenance().diagnose().stream()
                .filter(finding -> finding.topic().equals("ids") && finding.level() == Finding.Level.WARNING)
                .findFirst()
                .orElseThrow();
        assertThat(ahead.message()).contains("draws 50 at a time");
        String remedy = ahead.message().substring(ahead.message().lastIndexOf(": ") + 2);
        try (Connection connection = fixture().pool.getConnection();
                Statement statement = connection.createStatement()) {
            boolean unused = statement.execute(remedy);
        }
        assertThat(fixture().admin.maintenance().diagnose())
                .filteredOn(finding -> finding.topic().equals("ids"))
                .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.OK));
    }

    /** The database refuses one job: the others must be found all the same. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aLateJobThatCannotBeMovedKeepsNoOtherFromBeingFound() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> late = new ArrayList<>();
        for (String payload : new String[] {"\"poison\"", "\"late\""}) {
            try (Connection open = fixture().dataSource().getConnection()) {
                open.setAutoCommit(false);
                late.add(fixture()
                        .queue
                        .within(open)
                        .enqueue(new JobRequest("greet", payload, EnqueueOptions.DEFAULTS))
                        .jobId());
                enqueue(1);
                lanes.settle(completed(lanes.claim(fixture().request(10))));
                open.commit();
            }
        }
        refusePoison();
        makeDue();
        for (int i = 0; i < 2; i++) {
            try {
                lanes.tidy();
            } catch (SQLException expected) {
                assertThat(expected.getMessage()).contains("no time");
            }
        }
        assertThat(lanes.claim(fixture().request(10)))
                .extracting(grant -> grant.job().id())
                .containsExactly(late.get(1));
    }

    private void refusePoison() throws SQLException {
        if (fixture().product == Product.POSTGRESQL) {
            fixture()
                    .execute("CREATE FUNCTION pawl_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                            + " IF NEW.payload = '\"poison\"' THEN RAISE EXCEPTION 'no time' USING ERRCODE = '57014'; END IF;"
                            + " RETURN NEW; END $$");
            fixture()
                    .execute("CREATE TRIGGER pawl_poison BEFORE INSERT ON pawl_job FOR EACH ROW"
                            + " EXECUTE FUNCTION pawl_poison()");
        } else {
            fixture()
                    .execute("CREATE TRIGGER pawl_poison BEFORE INSERT ON pawl_job FOR EACH ROW BEGIN"
                            + " IF NEW.payload = '\"poison\"' THEN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 3024,"
                            + " MESSAGE_TEXT = 'no time'; END IF; END");
        }
    }

    /** In an old snapshot the lane's end does not move, and pruned rows still exist. */
    @Test
    default void aStalledDrainMovesNoFinishedJobAtAnyIsolationLevel() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> ids = enqueue(6);
        try (HikariDataSource pool = repeatableReads()) {
            DataSource tampered = TamperedDataSource.of(pool, beforeARange(() -> {
                lanes.settle(completed(lanes.claim(fixture().request(2))));
                lanes.settle(completed(lanes.claim(fixture().request(2))));
                fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO));
            }));
            ClaimStrategy rows = fixture().storeOver(tampered).strategy(Strategy.PESSIMISTIC);
            assertThat(rows.claim(fixture().request(10)))
                    .extracting(grant -> grant.job().id())
                    .containsExactly(ids.get(4), ids.get(5));
        }
    }

    private TamperedDataSource.Tampering beforeARange(Settling work) {
        return fixture().statements.at(ExpectedStatements.NEW_RANGE, TamperedDataSource.once(statement -> work.run()));
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aStalledCancelRevivesNoJobAtAnyIsolationLevel() throws Exception {
        ClaimStrategy lanes = lanes();
        List<Long> ids = enqueue(5);
        try (HikariDataSource pool = repeatableReads()) {
            DataSource tampered = TamperedDataSource.of(pool, beforeARange(() -> {
                lanes.settle(completed(lanes.claim(fixture().request(2))));
                assertThat(lanes.claim(fixture().request(2))).hasSize(2);
                fixture().admin.maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO));
            }));
            try (JobQueue queue =
                    JobQueue.builder(tampered).tablePrefix(fixture().prefix).open()) {
                assertThat(queue.admin().jobs().cancel(ids.get(2))).isEqualTo(CancelResult.REQUESTED);
            }
        }
        assertThat(fixture().admin.jobs().find(ids.get(0))).isEmpty();
        assertThat(lanes.claim(fixture().request(10)))
                .extracting(grant -> grant.job().id())
                .containsExactly(ids.get(4));
    }
}
