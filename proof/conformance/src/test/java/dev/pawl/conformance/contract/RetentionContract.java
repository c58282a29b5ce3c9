package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.RetentionRule;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.lane.LanePlace;
import dev.pawl.internal.place.PlacePruner;
import dev.pawl.internal.place.RetentionTerms;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.limit.Subject;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A queue or a kind with a longer or shorter retention than others. */
@Specified
@WhiteBox
interface RetentionContract extends Contract {
    Duration LONG = Duration.ofDays(365);
    Duration SHORT = Duration.ofMinutes(1);
    List<String> KINDS = List.of("greet", "otp", "invoice");

    private long enqueue(String queue, String kind) {
        return fixture()
                .queue
                .enqueue(new JobRequest(kind, "\"secret of " + kind + "\"", EnqueueOptions.DEFAULTS.queue(queue)))
                .jobId();
    }

    /** Claims all jobs of a queue together and ends them. */
    private void end(String queue, Verdict verdict) throws Exception {
        List<Grant> claimed;
        do {
            claimed = fixture()
                    .rows()
                    .claim(new ClaimRequest(queue, KINDS, 1000, fixture().worker, Fixture.LEASE, false));
            if (!claimed.isEmpty()) {
                fixture()
                        .finish(claimed.stream()
                                .map(grant -> new Settlement(grant.lease(), verdict))
                                .toList());
            }
        } while (!claimed.isEmpty());
        fixture().sweepMarked();
    }

    private void complete(String queue) throws Exception {
        end(queue, new Verdict.Completed());
    }

    /** Shifts the end of all finished jobs into the past. */
    private void age(Duration by) throws Exception {
        String later = fixture().database.dialect().nowPlusMicros();
        for (String ended : List.of("pawl_job_history", "pawl_lane_range")) {
            String open = ended.equals("pawl_lane_range") ? " WHERE lease_expires_at IS NULL" : "";
            String sql = fixture().database.dialect().sql("UPDATE " + ended + " SET finished_at = " + later + open);
            fixture().database.transaction(connection -> {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.setLong(1, -by.toNanos() / 1000);
                    return statement.executeUpdate();
                }
            });
        }
    }

    private boolean isThere(long id) {
        return fixture().admin.jobs().find(id).isPresent();
    }

    private Pruner pruner() throws Exception {
        return new Pruner(
                fixture().database,
                Databases.of(fixture().pool, fixture().prefix).history(),
                LinkedRows.installed(fixture().database.dialect()));
    }

    @Test
    default void aQueueIsKeptForLongerAndAnotherForShorterThanAllOthers() throws Exception {
        fixture().admin.maintenance().setRetention(RetentionRule.queue("audit").completed(LONG));
        fixture().admin.maintenance().setRetention(RetentionRule.queue("otp").completed(SHORT));
        long audit = enqueue("audit", "greet");
        long otp = enqueue("otp", "greet");
        long other = enqueue("default", "greet");
        for (String queue : List.of("audit", "otp", "default")) {
            complete(queue);
        }
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isZero();
        age(Duration.ofHours(2));
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isEqualTo(1);
        assertThat(isThere(otp)).isFalse();
        assertThat(isThere(other)).isTrue();
        age(Duration.ofDays(2));
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isEqualTo(1);
        assertThat(isThere(other)).isFalse();
        assertThat(fixture().job(audit).payload()).isEqualTo("\"secret of greet\"");
        age(Duration.ofDays(366));
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isEqualTo(1);
        assertThat(isThere(audit)).isFalse();
    }

    /** In a lane, jobs of these kinds share one range with others. */
    @Test
    default void aKindIsKeptForLongerOrShorterThanItsQueueInASharedRange() throws Exception {
        fixture().admin.maintenance().setRetention(RetentionRule.kind("invoice").completed(LONG));
        fixture().admin.maintenance().setRetention(RetentionRule.kind("otp").completed(Duration.ZERO));
        List<Long> greets = new ArrayList<>();
        List<Long> otps = new ArrayList<>();
        List<Long> invoices = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            greets.add(enqueue("default", "greet"));
            otps.add(enqueue("default", "otp"));
            invoices.add(enqueue("default", "invoice"));
        }
        complete("default");
        age(Duration.ofMinutes(2));
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isEqualTo(5);
        assertThat(otps).noneMatch(this::isThere);
        assertThat(greets).allMatch(this::isThere);
        assertThat(invoices).allMatch(this::isThere);
        for (String table : List.of("pawl_job", "pawl_job_history", "pawl_lane_job")) {
            assertThat(fixture().count(table + " WHERE payload LIKE '%otp%'")).isZero();
        }
        assertThat(fixture().admin.queues().finished(Admin.UNLIMITED).get(0).completed())
                .isEqualTo(10);
        age(Duration.ofDays(2));
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isEqualTo(5);
        assertThat(greets).noneMatch(this::isThere);
        for (long invoice : invoices) {
            assertThat(fixture().job(invoice).state()).isEqualTo(JobState.COMPLETED);
            assertThat(fixture().job(invoice).payload()).isEqualTo("\"secret of invoice\"");
            assertThat(fixture().job(invoice).attempt()).isEqualTo(1);
        }
        assertThat(fixture().count("pawl_lane_job WHERE lane > 0")).isZero();
        age(Duration.ofDays(366));
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isEqualTo(5);
        assertThat(fixture().count("pawl_job_history")).isZero();
    }

    /** One job is deleted and another one is committed late, so the number of jobs stays the same. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aLateJobIsFoundInAPartlyPrunedRange() throws Exception {
        assumeTrue(fixture().strategy instanceof Strategy.Auto
                && fixture().database.dialect().mayCommitLate());
        fixture().admin.maintenance().setRetention(RetentionRule.kind("otp").completed(Duration.ZERO));
        enqueue("default", "greet");
        try (Connection open = fixture().dataSource().getConnection()) {
            open.setAutoCommit(false);
            long late = fixture()
                    .queue
                    .within(open)
                    .enqueue(new JobRequest("greet", "1", EnqueueOptions.DEFAULTS))
                    .jobId();
            long otp = enqueue("default", "otp");
            assertThat(otp).isGreaterThan(late);
            complete("default");
            fixture().letLeasesExpire(Duration.ofMillis(1));
            assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isEqualTo(1);
            assertThat(isThere(otp)).isFalse();
            open.commit();
            await().atMost(Fixture.SOON).until(() -> {
                fixture().store.sweep();
                return fixture().count("pawl_job WHERE id = " + late) == 1;
            });
        }
    }

    /** When a job that has moved to a row is deleted, its copy in the lane is deleted, too. */
    @Test
    default void aJobMovedToARowLeavesNoPayloadInItsLane() throws Exception {
        fixture()
                .admin
                .maintenance()
                .setRetention(RetentionRule.kind("otp")
                        .completed(Duration.ZERO)
                        .cancelled(Duration.ZERO)
                        .discarded(Duration.ofMillis(1)));
        long greet = enqueue("default", "greet");
        enqueue("default", "otp");
        end("default", new Verdict.Discarded("no", "boom"));
        long cancelled = enqueue("default", "otp");
        fixture().admin.jobs().cancel(cancelled);
        enqueue("default", "otp");
        complete("default");
        fixture().letLeasesExpire(Duration.ofMillis(2));
        fixture().admin.maintenance().prune(Retention.DEFAULTS);
        for (String table : List.of("pawl_job", "pawl_job_history", "pawl_lane_job")) {
            assertThat(fixture().count(table + " WHERE payload LIKE '%otp%'"))
                    .as(table)
                    .isZero();
        }
        assertThat(fixture().job(greet).state()).isEqualTo(JobState.DISCARDED);
    }

    @Test
    default void theRuleOfAKindOverridesThatOfAQueueForEachStateSeparately() throws Exception {
        fixture()
                .admin
                .maintenance()
                .setRetention(RetentionRule.queue("audit").completed(LONG).discarded(SHORT));
        fixture()
                .admin
                .maintenance()
                .setRetention(RetentionRule.kind("otp").completed(SHORT).cancelled(LONG));
        long completedOtp = enqueue("audit", "otp");
        long completed = enqueue("audit", "greet");
        complete("audit");
        long discardedOtp = enqueue("audit", "otp");
        end("audit", new Verdict.Discarded("no", "boom"));
        long cancelledOtp = enqueue("audit", "otp");
        long cancelled = enqueue("audit", "greet");
        fixture().admin.jobs().cancel(cancelledOtp);
        fixture().admin.jobs().cancel(cancelled);
        age(Duration.ofDays(8)); // longer than cancelled jobs are kept elsewhere
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isEqualTo(3);
        assertThat(List.of(completedOtp, discardedOtp, cancelled)).noneMatch(this::isThere);
        assertThat(List.of(completed, cancelledOtp)).allMatch(this::isThere);
        assertThat(fixture().count("pawl_attempt")).isZero();
    }

    /** Jobs that were scanned once are reconsidered after a change. */
    @Test
    default void aChangeAtRunTimeAppliesToFinishedJobs() throws Exception {
        Pruner pruner = pruner();
        fixture()
                .admin
                .maintenance()
                .setRetention(RetentionRule.queue("default").completed(LONG));
        long greet = enqueue("default", "greet");
        long otp = enqueue("default", "otp");
        long invoice = enqueue("default", "invoice");
        complete("default");
        age(Duration.ofDays(30));
        pruner.prune(Retention.DEFAULTS);
        assertThat(List.of(greet, otp, invoice)).allMatch(this::isThere);
        fixture().admin.maintenance().setRetention(RetentionRule.kind("otp").completed(SHORT));
        pruner.prune(Retention.DEFAULTS);
        assertThat(isThere(otp)).isFalse();
        assertThat(List.of(greet, invoice)).allMatch(this::isThere);
        fixture().admin.maintenance().setRetention(RetentionRule.kind("invoice").completed(LONG));
        assertThat(fixture().admin.maintenance().clearRetention(Subject.queue("default")))
                .isTrue();
        pruner.prune(Retention.DEFAULTS);
        assertThat(isThere(greet)).isFalse();
        assertThat(isThere(invoice)).isTrue();
        fixture().admin.maintenance().clearRetention(Subject.kind("invoice"));
        pruner.prune(Retention.DEFAULTS);
        assertThat(isThere(invoice)).isFalse();
    }

    /** If a program keeps no finished jobs, those without a rule are deleted once a minute. */
    @Test
    default void aQueueIsKeptEvenIfTheProgramKeepsNothing() throws Exception {
        Retention none = Retention.DEFAULTS.completed(Duration.ZERO).cancelled(Duration.ZERO);
        try (Fixture own = fixture().another(Schemas.CONNECTIONS, none)) {
            own.admin
                    .maintenance()
                    .setRetention(RetentionRule.kind("greet").completed(LONG).cancelled(LONG));
            long completed = own.enqueue();
            own.finish(own.claimOne().lease(), new Verdict.Completed());
            own.sweepMarked();
            long cancelled = own.enqueue();
            own.admin.jobs().cancel(cancelled);
            own.letLeasesExpire(Duration.ofMillis(2));
            own.admin.maintenance().prune(none);
            assertThat(own.job(completed).state()).isEqualTo(JobState.COMPLETED);
            assertThat(own.job(cancelled).state()).isEqualTo(JobState.CANCELLED);
            own.admin.maintenance().clearRetention(Subject.kind("greet"));
            assertThat(own.admin.maintenance().prune(none)).isEqualTo(2);
        }
    }

    @Test
    default void jobsWithARetentionRuleDoNotCountForTheMaximumOfCompletedJobs() throws Exception {
        fixture().admin.maintenance().setRetention(RetentionRule.queue("audit").completed(LONG));
        fixture().admin.maintenance().setRetention(RetentionRule.kind("invoice").completed(LONG));
        List<Long> kept = new ArrayList<>();
        List<Long> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            others.add(enqueue("default", "greet"));
            complete("default");
            fixture().letLeasesExpire(Duration.ofMillis(1));
            kept.add(enqueue("default", "invoice"));
            complete("default");
            kept.add(enqueue("audit", "greet"));
            complete("audit");
            fixture().letLeasesExpire(Duration.ofMillis(1));
        }
        fixture().admin.maintenance().prune(Retention.DEFAULTS.mostCompleted(20));
        assertThat(others).allMatch(this::isThere);
        fixture().admin.maintenance().prune(Retention.DEFAULTS.mostCompleted(2)); // invoices are counted in a lane, too
        assertThat(kept).allMatch(this::isThere);
        assertThat(isThere(others.get(0))).isFalse();
        assertThat(isThere(others.get(3))).isTrue();
    }

    private Database watched(Queue<String> statements) throws Exception {
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        return new Database(TamperedDataSource.of(fixture().pool, statements::add), product.dialect());
    }

    /** Completed jobs in the rows' history, two days old. */
    private void fillHistory(int jobs) throws Exception {
        String now = fixture().database.dialect().now();
        String columns =
                "id, lease_token, created_at, available_at, finished_at, state, priority, attempt, max_attempts,"
                        + " queue, kind, payload";
        String sql = fixture()
                .database
                .dialect()
                .sql("INSERT INTO pawl_job_history (" + columns + ") VALUES (?, 1, " + now + ", " + now + ", "
                        + fixture().database.dialect().nowPlusMicros() + ", 2, 0, 1, 1, 'audit', 'greet', '1')");
        fixture().database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 1; i <= jobs; i++) {
                    statement.setLong(1, i);
                    statement.setLong(2, -Duration.ofDays(2).toNanos() / 1000 + i / 700 * 1000L);
                    statement.addBatch();
                }
                return statement.executeBatch().length;
            }
        });
    }

    @Test
    default void jobsKeptForLongerAreNotReadByEachScan() throws Exception {
        fillHistory(7_000);
        fixture().admin.maintenance().setRetention(RetentionRule.queue("audit").completed(LONG));
        Queue<String> statements = new ConcurrentLinkedQueue<>();
        Pruner pruner = new Pruner(
                watched(statements),
                Databases.of(fixture().pool, fixture().prefix).history(),
                LinkedRows.installed(fixture().database.dialect()));
        pruner.prune(Retention.DEFAULTS);
        assertThat(reads(statements)).as("the first time").isGreaterThan(7);
        statements.clear();
        pruner.prune(Retention.DEFAULTS);
        assertThat(reads(statements)).as("once for each length").isEqualTo(2);
        assertThat(fixture().count("pawl_job_history")).isEqualTo(7_000);
        fixture().execute("UPDATE pawl_job_history SET queue = 'default' WHERE id > 100");
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS)).isEqualTo(6_900);
    }

    private long reads(Queue<String> statements) {
        return statements.stream()
                .filter(sql -> sql.startsWith("SELECT id, queue, kind, finished_at FROM"))
                .count();
    }

    @Test
    default void pruningByRetentionReadsTheHistoryByItsIndex() throws Exception {
        fillHistory(20_000);
        fixture().admin.maintenance().setRetention(RetentionRule.queue("audit").completed(LONG));
        fixture().execute(fixture().product.analyze("pawl_job_history"));
        ExplainingDataSource source =
                new ExplainingDataSource(fixture().pool, fixture().product.explain());
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        new Pruner(
                        new Database(source.dataSource(), product.dialect()),
                        product.history(),
                        LinkedRows.installed(product.dialect()))
                .prune(Retention.DEFAULTS.mostCompleted(100));
        List<ExplainingDataSource.Plan> plans = source.takePlans("queue, kind, finished_at");
        assertThat(plans).hasSizeGreaterThan(20);
        assertThat(plans.get(0).lines()).as("much is left to read").noneMatch(line -> line.contains("Sort  ("));
        for (ExplainingDataSource.Plan plan : plans) {
            for (String line : plan.lines()) {
                assertThat(line)
                        .as(plan.sql() + "\n" + String.join("\n", plan.lines()))
                        .doesNotContainPattern("Seq Scan on \\w*pawl_job_history")
                        .doesNotContainPattern("SCAN \\w*pawl_job_history")
                        .doesNotContainPattern("table=\\w*pawl_job_history .*type=ALL")
                        .doesNotContain("filesort", "TEMP B-TREE");
            }
        }
    }

    @Test
    default void pruningWithoutRetentionRulesNeedsNoFurtherStatement() throws Exception {
        enqueue("default", "greet");
        complete("default");
        Queue<String> statements = new ConcurrentLinkedQueue<>();
        new Pruner(
                        watched(statements),
                        Databases.of(fixture().pool, fixture().prefix).history(),
                        LinkedRows.installed(fixture().database.dialect()))
                .prune(Retention.DEFAULTS);
        String table = fixture().database.dialect().name("pawl_retention");
        assertThat(statements.stream().filter(sql -> sql.contains(table)).toList())
                .as("read with the time")
                .hasSize(1)
                .allMatch(sql -> sql.contains("moment"));
        assertThat(reads(statements)).isZero();
    }

    /** Otherwise the stop of the worker would wait, too. */
    @Test
    default void aWorkerDoesNotWaitForThePruningOfAnother() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        Pruner shared = pruner(statement -> {
            begun.countDown();
            hold(mayGoOn);
        });
        CompletableFuture<Void> first = prune(() -> shared.prune(Retention.DEFAULTS));
        try {
            hold(begun);
            prune(() -> shared.prune(Retention.DEFAULTS)).get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(first).isNotDone();
        } finally {
            mayGoOn.countDown();
        }
        first.get(Fixture.SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private static void hold(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static CompletableFuture<Void> prune(Duty.Work pruning) {
        return CompletableFuture.runAsync(() -> {
            try {
                pruning.run();
            } catch (SQLException e) {
                throw new CompletionException(e);
            }
        });
    }

    /**
     * A unique key is stored with the time at which it expires. Jobs and batches are kept, because without the rules their retention is not
     * known.
     */
    @Test
    default void expiredUniqueKeysArePrunedThoughTheRulesCannotBeRead() throws Exception {
        long kept = fixture()
                .queue
                .enqueue(new JobRequest("greet", "1", EnqueueOptions.DEFAULTS.uniqueKey("a", Duration.ofHours(1))))
                .jobId();
        complete("default");
        age(LONG);
        fixture()
                .execute("UPDATE pawl_unique SET recheck_at = "
                        + fixture().database.dialect().now());
        Pruner blind = pruner(fixture().statements.at("pawl_retention", statement -> {
            throw new SQLException("permission denied for table pawl_retention", "42501");
        }));
        assertThatThrownBy(() -> blind.prune(Retention.DEFAULTS)).hasMessageContaining("permission denied");
        assertThat(fixture().count("pawl_unique")).isZero();
        assertThat(isThere(kept)).isTrue();
    }

    private Pruner pruner(TamperedDataSource.Tampering tampering) throws Exception {
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        return new Pruner(
                new Database(TamperedDataSource.of(fixture().pool, tampering), product.dialect()),
                product.history(),
                LinkedRows.installed(product.dialect()));
    }

    /** Otherwise programs and commands without a retention would delete what another program keeps. */
    @Test
    default void theRetentionOfAProgramIsStoredForThoseThatSetNone() throws Exception {
        JobQueueBuilder sets =
                builder().retention(Retention.DEFAULTS.completed(LONG).mostCompleted(1));
        long other = enqueue("default", "greet");
        long audit = enqueue("audit", "greet");
        complete("default");
        complete("audit");
        age(Duration.ofDays(30));
        assertThat(fixture().admin.maintenance().storedRetention()).isEmpty();
        startWorkerOf(sets);
        assertThat(fixture().admin.maintenance().storedRetention())
                .as("without the maximum number: those that do not know it keep more")
                .contains(Retention.DEFAULTS.completed(LONG));
        startWorkerOf(builder());
        pruner().pruneAsStored();
        assertThat(isThere(other)).isTrue();
        fixture().admin.maintenance().setRetention(RetentionRule.queue("audit").completed(SHORT));
        pruner().pruneAsStored();
        assertThat(isThere(audit)).as("a rule overrides it").isFalse();
        startWorkerOf(builder().retention(Retention.DEFAULTS.completed(Duration.ofDays(3))));
        pruner().pruneAsStored();
        assertThat(isThere(other)).as("the longest counts, not the last").isTrue();
        assertThat(fixture().admin.maintenance().retentions()).hasSize(1);
        assertThat(fixture().admin.maintenance().clearStoredRetention()).isTrue();
        assertThat(fixture().admin.maintenance().clearStoredRetention()).isFalse();
        assertThat(fixture().admin.maintenance().retentions()).hasSize(1);
        pruner().pruneAsStored();
        assertThat(isThere(other)).as("by the default").isFalse();
    }

    private Retention stored() {
        return fixture().admin.maintenance().storedRetention().orElseThrow();
    }

    /** Programs that set different times do not shorten each other's times. */
    @Test
    default void theLongestRetentionOfEachStateIsStored() {
        Duration day = Duration.ofDays(1);
        startWorkerOf(builder().retention(new Retention(day.multipliedBy(9), day, day.multipliedBy(3), 7)));
        startWorkerOf(builder().retention(new Retention(day, day.multipliedBy(5), day.multipliedBy(2), 7)));
        assertThat(stored())
                .isEqualTo(
                        new Retention(day.multipliedBy(9), day.multipliedBy(5), day.multipliedBy(3), Long.MAX_VALUE));
        Duration always = Duration.ofSeconds(Long.MAX_VALUE);
        startWorkerOf(builder().retention(Retention.DEFAULTS.completed(always)));
        assertThat(stored().completed()).hasDays(36_525);
        assertThat(stored().discarded()).isEqualTo(Retention.DEFAULTS.discarded());
        startWorkerOf(builder().retention(Retention.DEFAULTS.completed(Duration.ZERO)));
        assertThat(stored().completed()).hasDays(36_525);
    }

    /** Zero is not valid for discarded jobs, so a shorter time than a microsecond must not become zero. */
    @Test
    default void aTinyRetentionIsRoundedUp() {
        startWorkerOf(builder().retention(new Retention(Duration.ZERO, Duration.ZERO, Duration.ofNanos(1), 7)));
        assertThat(stored())
                .isEqualTo(new Retention(Duration.ZERO, Duration.ZERO, Duration.ofNanos(1_000), Long.MAX_VALUE));
        fixture().admin.maintenance().setRetention(RetentionRule.queue("q").discarded(Duration.ofNanos(1_001)));
        assertThat(fixture().admin.maintenance().retentions())
                .containsExactly(RetentionRule.queue("q").discarded(Duration.ofNanos(2_000)));
    }

    @Test
    default void anInvalidStoredRetentionIsIgnored() throws Exception {
        startWorkerOf(builder().retention(Retention.DEFAULTS));
        String sql = fixture().database.dialect().sql("UPDATE pawl_retention SET discarded = 0 WHERE subject = ?");
        fixture().database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, "program");
                return statement.executeUpdate();
            }
        });
        assertThat(fixture().admin.maintenance().storedRetention()).isEmpty();
        pruner().pruneAsStored();
        startWorkerOf(builder().retention(Retention.DEFAULTS));
        assertThat(stored()).isEqualTo(Retention.DEFAULTS);
    }

    /** A role may be allowed to read the retention, but not to write it. */
    @Test
    default void aWorkerStartsAlthoughTheRetentionCannotBeStored() {
        DataSource refusing = fixture().at("^(?!SELECT).*pawl_retention", statement -> {
            throw new SQLException("permission denied for table pawl_retention", "42501");
        });
        startWorkerOf(JobQueue.builder(refusing)
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .notifications(false)
                .retention(Retention.DEFAULTS.completed(LONG)));
        assertThat(fixture().admin.maintenance().storedRetention()).isEmpty();
    }

    /** A worker that a test starts does not change what is kept. */
    @Test
    default void workersOfTestsStoreNoRetention() {
        try (JobQueue queue =
                builder().retention(Retention.DEFAULTS.completed(LONG)).open()) {
            queue.unwrap(QueueRuntime.class).ports().workers().onlyForTests();
            startWorkerOf(queue);
        }
        assertThat(fixture().admin.maintenance().storedRetention()).isEmpty();
    }

    private JobQueueBuilder builder() {
        return JobQueue.builder(fixture().pool).tablePrefix(fixture().prefix).migrate(false);
    }

    private static void startWorkerOf(JobQueueBuilder program) {
        try (JobQueue queue = program.open()) {
            startWorkerOf(queue);
        }
    }

    private static void startWorkerOf(JobQueue queue) {
        try (Worker worker = Worker.on(queue)
                .queues("another")
                .handle(JobType.of("none", String.class), (text, run) -> {})
                .start()) {
            assertThat(worker.id()).isPositive(); // waits until the worker is registered
        }
    }

    /**
     * The retention that a program stores holds for all queues. But jobs that another program does not keep at all are still deleted at
     * once.
     */
    @Test
    default void aStoredRetentionDoesNotKeepWhatAProgramDoesNotKeep() throws Exception {
        startWorkerOf(builder().retention(Retention.DEFAULTS.completed(LONG)));
        try (JobQueue none =
                builder().retention(Retention.DEFAULTS.cancelled(Duration.ZERO)).open()) {
            long id = enqueue("default", "greet");
            assertThat(none.admin().jobs().cancel(id)).isEqualTo(CancelResult.CANCELLED);
            assertThat(isThere(id)).isFalse();
        }
    }

    @Test
    default void retentionsAreListedChangedAndCleared() {
        assertThat(fixture().admin.maintenance().retentions()).isEmpty();
        fixture().admin.maintenance().setRetention(RetentionRule.kind("otp").completed(Duration.ZERO));
        RetentionRule audit = RetentionRule.queue("audit").completed(LONG).discarded(LONG);
        fixture().admin.maintenance().setRetention(audit.cancelled(SHORT));
        fixture().admin.maintenance().setRetention(audit);
        assertThat(fixture().admin.maintenance().retentions())
                .containsExactly(audit, RetentionRule.kind("otp").completed(Duration.ZERO));
        assertThat(fixture().admin.maintenance().clearRetention(Subject.kind("otp")))
                .isTrue();
        assertThat(fixture().admin.maintenance().clearRetention(Subject.kind("otp")))
                .isFalse();
        assertThat(fixture().admin.maintenance().retentions()).containsExactly(audit);
        assertThatThrownBy(() -> fixture().admin.maintenance().setRetention(RetentionRule.kind("otp")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("says nothing");
    }

    /** Workers hold all retention rules in memory. */
    @Test
    default void thereAreNoMoreThanAThousandRetentions() {
        IntStream.range(0, 1000)
                .forEach(i -> fixture()
                        .admin
                        .maintenance()
                        .setRetention(RetentionRule.kind("k" + i).completed(LONG)));
        assertThatThrownBy(() -> fixture()
                        .admin
                        .maintenance()
                        .setRetention(RetentionRule.kind("more").completed(LONG)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1000 is the most");
        fixture().admin.maintenance().setRetention(RetentionRule.kind("k0").completed(SHORT));
        assertThat(fixture().admin.maintenance().retentions()).hasSize(1000);
        assertThat(fixture().admin.maintenance().prune(Retention.DEFAULTS.mostCompleted(5)))
                .isZero();
    }

    private static PlacePruner.OfQueue shorter(String kind) {
        Instant later = Instant.parse("2100-01-01T00:00:00Z");
        RetentionTerms terms = new RetentionTerms(
                Instant.EPOCH, Set.of(), List.of(new RetentionTerms.Shorter(Duration.ZERO, later, Set.of(kind))));
        return queue -> terms;
    }

    /** Otherwise one lane would delay all others; the next scan continues where this one stopped. */
    @Test
    default void aScanReadsABoundedNumberOfRangesOfALane() throws Exception {
        assumeTrue(fixture().strategy instanceof Strategy.Auto);
        for (int i = 0; i < 150; i++) {
            enqueue("default", "otp");
            complete("default");
        }
        PlacePruner pruner = new LanePlace().pruner(fixture().database);
        for (long some : new long[] {100, 50, 0}) {
            assertThat(pruner.prune(shorter("otp"), (connection, ids) -> {}, 1)).isEqualTo(some);
        }
    }

    @Test
    default void aFaultInOneLaneDoesNotKeepAnotherFromBeingPruned() throws Exception {
        assumeTrue(fixture().strategy instanceof Strategy.Auto);
        for (String queue : List.of("default", "audit")) {
            fixture().admin.queues().setStrategy(queue, Strategy.LANES);
        }
        for (String faulty : List.of("default", "audit")) { // whichever is pruned first
            String other = faulty.equals("audit") ? "default" : "audit";
            long stays = enqueue(faulty, "otp");
            long goes = enqueue(other, "otp");
            complete("default");
            complete("audit");
            PlacePruner.LinkedDeletion linked = (connection, ids) -> {
                if (ids.contains(stays)) {
                    throw new SQLException("a faulty page");
                }
            };
            assertThatThrownBy(() -> new LanePlace().pruner(fixture().database).prune(shorter("otp"), linked, 10))
                    .hasMessage("a faulty page");
            assertThat(isThere(stays)).isTrue();
            assertThat(isThere(goes)).isFalse();
        }
    }
}
