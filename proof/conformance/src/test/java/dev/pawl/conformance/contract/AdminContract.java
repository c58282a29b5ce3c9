package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.Finding;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.RetryResult;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.admin.LongRuns;
import dev.pawl.internal.cluster.WorkerRegistry;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Verdict;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import dev.pawl.servers.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@WhiteBox
interface AdminContract extends Contract {
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void cancelAndRetryDoNotWaitForAJobInAnOpenTransaction(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        long id = fixture.enqueueRow();
        Lease lease = fixture.claimOne().lease();
        fixture.database.transaction(connection -> {
            fixture.store.lock(connection, lease);
            assertThat(fixture.admin.jobs().cancel(id)).isEqualTo(CancelResult.IN_TRANSACTION);
            assertThat(fixture.admin.jobs().retry(id)).isEqualTo(RetryResult.RUNNING);
            return true;
        });
        assertThat(fixture.admin.jobs().cancel(id)).isEqualTo(CancelResult.REQUESTED);
    }

    @Test
    default void queuesAreCountedByTheStateOfTheirJobs(Fixture fixture) throws Exception {
        EnqueueOptions options = EnqueueOptions.DEFAULTS;
        fixture.enqueue(options.queue("default"));
        fixture.finish(fixture.claimOne().lease(), new Verdict.Retry(Duration.ofHours(1), "boom"));
        fixture.enqueue(options);
        fixture.claimOne();
        fixture.enqueue(options.delay(Duration.ofHours(1)));
        fixture.enqueue(options);
        fixture.enqueue(options.queue("other"));
        fixture.admin.queues().pause("other");
        fixture.admin.queues().pause("empty");
        List<QueueStats> queues = fixture.admin.queues().list(Admin.UNLIMITED);
        assertThat(queues).extracting(QueueStats::name).containsExactly("default", "empty", "other");
        QueueStats stats = queues.get(0);
        assertThat(stats.oldestAge()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
        assertThat(stats)
                .isEqualTo(new QueueStats("default", false, null, 1, 1, 1, 1, stats.oldestAge(), 0, 0, 0, Set.of()));
        assertThat(queues).filteredOn(QueueStats::paused).hasSize(2);
    }

    @Test
    default void jobsAreFoundByTagTextAndTime(Fixture fixture) throws Exception {
        EnqueueOptions options = EnqueueOptions.DEFAULTS;
        long first = fixture.queue
                .enqueue(Fixture.GREET, "100 % Ada", options.tags("a", "b \"a\""))
                .jobId();
        long second = fixture.queue
                .enqueue(Fixture.GREET, "ada_x", options.tags("\"a", "A", ",\"b\""))
                .jobId();
        long third = fixture.queue.enqueue(Fixture.GREET, "nobody").jobId();
        fixture.admin.jobs().cancel(first); // finished jobs are found, too
        assertThat(found(fixture, JobFilter.ALL.tag("a"))).containsExactly(first);
        assertThat(found(fixture, JobFilter.ALL.tag("A"))).containsExactly(second);
        assertThat(found(fixture, JobFilter.ALL.tag("b"))).isEmpty();
        assertThat(found(fixture, JobFilter.ALL.tag("b \"a\""))).containsExactly(first);
        assertThat(found(fixture, JobFilter.ALL.text("Ada"))).containsExactly(first);
        assertThat(found(fixture, JobFilter.ALL.text("ada_"))).containsExactly(second);
        assertThat(found(fixture, JobFilter.ALL.text("%"))).containsExactly(first);
        Instant when = fixture.job(second).createdAt();
        assertThat(found(fixture, JobFilter.ALL.createdFrom(when))).contains(third, second);
        assertThat(found(fixture, JobFilter.ALL.createdBefore(when))).doesNotContain(third, second);
        assertThat(found(fixture, JobFilter.ALL.createdBefore(when.plusSeconds(60))))
                .containsExactly(third, second, first);
        assertThat(found(fixture, JobFilter.ALL.createdFrom(when.plusSeconds(60))))
                .isEmpty();
        assertThatThrownBy(() -> JobFilter.ALL.text("")).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Long> found(Fixture fixture, JobFilter filter) {
        return fixture.admin.jobs().list(filter).stream().map(Job::id).toList();
    }

    @Test
    default void finishedJobsAreCounted(Fixture fixture) throws Exception {
        assertThat(fixture.admin.queues().finished(Admin.UNLIMITED)).isEmpty();
        fixture.enqueue();
        fixture.finish(fixture.claimOne().lease(), new Verdict.Completed());
        fixture.enqueue();
        fixture.finish(fixture.claimOne().lease(), new Verdict.Discarded("why", "what"));
        fixture.admin.jobs().cancel(fixture.enqueue(EnqueueOptions.DEFAULTS.queue("other")));
        assertThat(fixture.admin.queues().finished(Admin.UNLIMITED))
                .containsExactly(new FinishedJobs("default", 1, 0, 1), new FinishedJobs("other", 0, 1, 0));
    }

    @Test
    default void jobsThatNoLiveWorkerHandlesAreNamed(Fixture fixture) throws Exception {
        WorkerRegistry registry = new WorkerRegistry(fixture.database);
        registry.stopped(fixture.worker, null);
        registry.register("mail", List.of("mail", "other"), List.of("send", "check"), 1, 1, Map.of());
        long stopped = registry.register("gone", List.of("default"), List.of("greet"), 1, 1, Map.of());
        registry.stopped(stopped, null);
        for (String kind : List.of("send", "print", "send", "zip")) {
            for (String queue : List.of("default", "mail")) {
                fixture.queue.enqueue(new JobRequest(kind, "1", EnqueueOptions.DEFAULTS.queue(queue)));
            }
        }
        assertThat(fixture.admin.queues().unattended())
                .containsExactly(
                        new UnattendedJobs("default", "print", 1),
                        new UnattendedJobs("default", "send", 2),
                        new UnattendedJobs("default", "zip", 1),
                        new UnattendedJobs("mail", "print", 1),
                        new UnattendedJobs("mail", "zip", 1));
        assertThat(fixture.admin.maintenance().diagnose())
                .filteredOn(finding -> finding.level() == Finding.Level.WARNING
                        && finding.topic().equals("queue default"))
                .extracting(Finding::message)
                .anyMatch(message -> message.contains("2 job(s) of kind send"));
        registry.register("all", List.of("default", "mail"), List.of("print", "send", "zip"), 1, 1, Map.of());
        assertThat(fixture.admin.queues().unattended()).isEmpty();
    }

    @Test
    default void manyHandledKindsHideNoUnhandledOne(Fixture fixture) throws Exception {
        EnqueueOptions later = EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)); // in rows
        List<String> handled =
                IntStream.range(0, 1_001).mapToObj(i -> "handled" + i).toList();
        fixture.queue.enqueueAll(Stream.concat(handled.stream(), Stream.of("unhandled"))
                .map(kind -> new JobRequest(kind, "1", later))
                .toList());
        new WorkerRegistry(fixture.database).register("all", List.of("default"), handled, 1, 1, Map.of());
        assertThat(fixture.admin.queues().unattended()).containsExactly(new UnattendedJobs("default", "unhandled", 1));
    }

    @Test
    default void atMostAThousandUnhandledKindsAreFound(Fixture fixture) {
        EnqueueOptions later = EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)); // in rows
        fixture.queue.enqueueAll(IntStream.range(0, 1_001)
                .mapToObj(i -> new JobRequest("kind" + (10_000 + i), "1", later))
                .toList());
        assertThat(fixture.admin.queues().unattended())
                .hasSize(1_000)
                .extracting(UnattendedJobs::kind)
                .isSorted()
                .startsWith("kind10000")
                .endsWith("kind10999");
    }

    @Test
    default void cancelStopsAJobThatHasNotStarted(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        assertThat(fixture.admin.jobs().cancel(id)).isEqualTo(CancelResult.CANCELLED);
        assertThat(fixture.job(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(fixture.claim(1)).isEmpty();
        assertThat(fixture.admin.jobs().cancel(id)).isEqualTo(CancelResult.ALREADY_FINISHED);
        assertThat(fixture.admin.jobs().cancel(424242)).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    default void aRunningJobThatIsCancelledIsNotTriedAgain(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        Lease lease = fixture.claimOne().lease();
        assertThat(fixture.admin.jobs().cancel(id)).isEqualTo(CancelResult.REQUESTED);
        assertThat(fixture.rows()
                        .renew(List.of(new LeaseRenewal(lease, null)), Fixture.LEASE)
                        .cancelRequested())
                .containsExactly(lease);
        fixture.finish(lease, new Verdict.Retry(Duration.ZERO, "interrupted"));
        assertThat(fixture.job(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void retryRevivesAFinishedJobWithOneMoreAttempt(Fixture fixture) throws Exception {
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1).tags("kept"));
        fixture.finish(fixture.claimOne().lease(), new Verdict.Discarded("all attempts failed", "boom"));
        assertThat(fixture.admin.jobs().retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW);
        Job job = fixture.claimOne().job();
        assertThat(job.id()).isEqualTo(id);
        assertThat(job.attempt()).isEqualTo(2);
        assertThat(job.maxAttempts()).isEqualTo(2);
        assertThat(job.tags()).containsExactly("kept");
        assertThat(fixture.count("pawl_job_history")).isZero();
        assertThat(fixture.admin.runs().failedAttempts(id, Admin.UNLIMITED)).hasSize(1);
        assertThat(fixture.admin.jobs().retry(id)).isEqualTo(RetryResult.RUNNING);
        assertThat(fixture.admin.jobs().retry(424242)).isEqualTo(RetryResult.NOT_FOUND);
    }

    @Test
    default void retryMakesADelayedJobAvailableNow(Fixture fixture) throws Exception {
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        assertThat(fixture.admin.jobs().retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW);
        assertThat(fixture.claimOne().job().id()).isEqualTo(id);
    }

    @Test
    default void retryIsRefusedWhileAnotherLiveJobHasTheKey(Fixture fixture) throws Exception {
        EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("k");
        long first = fixture.enqueue(unique);
        fixture.admin.jobs().cancel(first);
        fixture.enqueue(unique);
        assertThat(fixture.admin.jobs().retry(first)).isEqualTo(RetryResult.KEY_TAKEN);
        assertThat(fixture.job(first).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void jobsAreListedNewestFirstPageByPage(Fixture fixture) throws Exception {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ids.add(fixture.enqueue());
        }
        fixture.admin.jobs().cancel(ids.get(4));
        List<Long> listed = new ArrayList<>();
        JobFilter page = JobFilter.ALL.limit(3);
        for (List<Job> jobs = fixture.admin.jobs().list(page);
                !jobs.isEmpty();
                jobs = fixture.admin.jobs().list(page)) {
            jobs.forEach(job -> listed.add(job.id()));
            page = page.before(listed.get(listed.size() - 1));
        }
        java.util.Collections.reverse(listed);
        assertThat(listed).containsExactlyElementsOf(ids);
        assertThat(fixture.admin.jobs().list(JobFilter.ALL.state(JobState.CANCELLED)))
                .extracting(Job::id)
                .containsExactly(ids.get(4));
        assertThat(fixture.admin.jobs().list(JobFilter.ALL.queue("nowhere"))).isEmpty();
        assertThat(fixture.admin.jobs().list(JobFilter.ALL.kind("greet").state(JobState.AVAILABLE)))
                .hasSize(9);
    }

    @Test
    default void badNamesAreRefused(Fixture fixture) {
        assertThatThrownBy(() -> fixture.admin.queues().pause("a b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JobQueue.builder(fixture.dataSource()).tablePrefix("x; --"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void workersAreListedWithWhatTheyHold(Fixture fixture) throws Exception {
        fixture.enqueue();
        fixture.claimOne();
        assertThat(fixture.admin.workers().list()).singleElement().satisfies(worker -> {
            assertThat(worker.name()).isEqualTo("test");
            assertThat(worker.alive()).isTrue();
            assertThat(worker.running()).isEqualTo(1);
            assertThat(worker.queues()).containsExactly("default");
        });
    }

    @Test
    default void programsThatStartTogetherMigrateOnce(Fixture fixture) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            String prefix = fixture.prefix.replace("pawl_", "m_");
            List<Callable<Boolean>> starts = java.util.Collections.nCopies(6, () -> {
                JobQueue.builder(fixture.dataSource())
                        .tablePrefix(prefix)
                        .open()
                        .close();
                return true;
            });
            for (Future<Boolean> start : threads.invokeAll(starts)) {
                assertThat(start.get()).isTrue();
            }
            assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_schema", prefix))
                    .isEqualTo(dev.pawl.internal.schema.Migrations.newest());
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    default void aSchemaOfANewerProgramIsRefused(Fixture fixture) throws Exception {
        fixture.execute("UPDATE pawl_schema SET version = 99, works_from = 98 WHERE version = 1");
        assertThatThrownBy(() -> JobQueue.builder(fixture.dataSource())
                        .tablePrefix(fixture.prefix)
                        .open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("version 99")
                .hasMessageContaining("version 98 or later")
                .hasMessageContaining("Upgrade Pawl");
    }

    @Test
    default void missingTablesAreNamedWhenMigrationIsOff(Fixture fixture) {
        assertThatThrownBy(() -> JobQueue.builder(fixture.dataSource())
                        .tablePrefix("nothing_here_")
                        .migrate(false)
                        .open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("pawl migrate");
    }

    @Test
    default void theDoctorFindsAHarmfulAMissingAndAWrongIndex(Fixture fixture) throws Exception {
        assertThat(fixture.admin.maintenance().diagnose())
                .filteredOn(finding -> finding.topic().startsWith("index"))
                .hasSizeGreaterThanOrEqualTo(2)
                .allMatch(finding -> finding.level() == Finding.Level.OK);
        fixture.execute("CREATE INDEX pawl_bad ON pawl_job (queue, started_at)");
        fixture.execute(fixture.product.dropIndex("pawl_job_unique_key", "pawl_job"));
        fixture.execute(fixture.product.dropIndex("pawl_job_ready", "pawl_job"));
        fixture.execute("CREATE INDEX pawl_job_ready ON pawl_job (queue, priority)"
                + (fixture.database.dialect().product().equals("mysql") ? "" : " WHERE state = 0"));
        assertThat(fixture.admin.maintenance().diagnose())
                .filteredOn(finding -> finding.level() == Finding.Level.WARNING)
                .extracting(Finding::message)
                .anyMatch(message -> message.contains("holds started_at"))
                .anyMatch(message -> message.contains("missing: create it on (kind, unique_key)"))
                .anyMatch(message -> message.contains("on (queue, priority): create it again on (")
                        && message.contains("queue, kind, priority, available_at"));
    }

    /** Runs all calls concurrently and returns their results. */
    private static <T> List<T> together(List<Callable<T>> calls) throws Exception {
        CyclicBarrier start = new CyclicBarrier(calls.size());
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(calls.stream()
                    .<Callable<T>>map(call -> () -> {
                        start.await();
                        return call.call();
                    })
                    .toList())) {
                results.add(result.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    /** This also holds with a driver that counts only rows whose values an update has changed. */
    @Test
    default void aNewQueueIsPausedAndGivenAStrategyByManyAtOnce() throws Exception {
        String url = testDatabase().jdbcUrl();
        boolean mySql = fixture().database.dialect().product().equals("mysql");
        String counting = url + (url.contains("?") ? "&" : "?") + "useAffectedRows=true";
        try (HikariDataSource pool = new TestDatabase(mySql ? counting : url, () -> {}).newDataSource(6);
                JobQueue queue =
                        JobQueue.builder(pool).tablePrefix(fixture().prefix).open()) {
            for (int i = 0; i < 5; i++) {
                String name = "new" + i;
                Callable<Boolean> pause = () -> {
                    queue.admin().queues().pause(name);
                    queue.admin().queues().pause(name);
                    return true;
                };
                Callable<Boolean> choose = () -> {
                    queue.admin().queues().setStrategy(name, Strategy.TRANSACTIONAL);
                    queue.admin().queues().setStrategy(name, Strategy.TRANSACTIONAL);
                    return true;
                };
                together(List.of(pause, choose, pause, choose, pause, choose));
            }
            assertThat(queue.admin().queues().list(Admin.UNLIMITED))
                    .hasSize(5)
                    .allMatch(stats -> stats.paused() && "transactional".equals(stats.strategy()));
        }
    }

    @Test
    default void manyRetriesOfOneJobReviveItOnce() throws Exception {
        for (int i = 0; i < 10; i++) {
            long id = fixture().enqueue(EnqueueOptions.DEFAULTS.uniqueKey("k" + i));
            fixture().admin.jobs().cancel(id);
            assertThat(together(java.util.Collections.nCopies(
                            6, () -> fixture().admin.jobs().retry(id))))
                    .containsOnly(RetryResult.AVAILABLE_NOW);
        }
        assertThat(fixture().count("pawl_job")).isEqualTo(10);
        assertThat(fixture().count("pawl_job_history")).isZero();
    }

    @Test
    default void aRetryAtTheMaximumNumberOfAttemptsRepeatsTheLastOne() throws Exception {
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.maxAttempts(32_767));
        fixture().admin.jobs().cancel(id);
        fixture().execute("UPDATE pawl_job_history SET attempt = 32767");
        for (int i = 0; i < 2; i++) {
            assertThat(fixture().admin.jobs().retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW);
            Grant last = fixture().claimOne();
            assertThat(last.job().attempt()).isEqualTo(32_767);
            assertThat(last.job().maxAttempts()).isEqualTo(32_767);
            assertThat(fixture().finish(last.lease(), new Verdict.Discarded("no", "boom")))
                    .isTrue();
        }
    }

    /** The isolation level of the library's transactions must not leak into the application's. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void theNextTransactionOfTheApplicationHasItsOwnIsolation() throws Exception {
        assumeTrue(
                fixture().database.dialect().product().equals("mysql"), "isolation is set for each transaction there");
        for (boolean autoCommit : new boolean[] {false, true}) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(testDatabase().jdbcUrl());
            config.setMaximumPoolSize(1);
            config.setAutoCommit(autoCommit);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                JobQueue queue =
                        JobQueue.builder(pool).tablePrefix(fixture().prefix).open();
                queue.admin().maintenance().prune(Retention.DEFAULTS);
                assertRepeatableRead(pool);
                Database database = new Database(pool, fixture().database.dialect());
                assertThatThrownBy(() -> database.transaction(connection -> {
                            throw new IllegalStateException("before the first statement");
                        }))
                        .isInstanceOf(IllegalStateException.class);
                assertRepeatableRead(pool);
            }
        }
    }

    private void assertRepeatableRead(HikariDataSource pool) throws Exception {
        try (java.sql.Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            long before = count(connection);
            fixture().enqueue();
            assertThat(count(connection)).as("read again in one transaction").isEqualTo(before);
            connection.rollback();
        }
    }

    private long count(java.sql.Connection connection) throws Exception {
        try (java.sql.Statement statement = connection.createStatement();
                java.sql.ResultSet row =
                        statement.executeQuery(fixture().database.dialect().sql("SELECT COUNT(*) FROM pawl_job"))) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    default void anUnusuallyLongRunIsReported(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        fixture.enqueue(EnqueueOptions.DEFAULTS.uniqueKey("a"));
        assertThat(fixture.finish(fixture.claimOne().lease(), new Verdict.Completed()))
                .isTrue();
        fixture.sweepMarked();
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.uniqueKey("b"));
        assertThat(fixture.claim(1)).hasSize(1);
        assertThat(fixture.admin.runs().stalled().jobs()).isEmpty();
        var dialect = fixture.database.dialect();
        int moved = fixture.database.transaction(connection -> {
            try (var statement = connection.prepareStatement(
                    dialect.sql("UPDATE pawl_job SET started_at = " + dialect.moment() + " WHERE id = ?"))) {
                dialect.bind(statement, 1, Instant.parse("2026-01-01T00:00:00Z"));
                statement.setLong(2, id);
                return statement.executeUpdate();
            }
        });
        assertThat(moved).isEqualTo(1);
        assertThat(fixture.admin.runs().stalled().jobs()).singleElement().satisfies(job -> {
            assertThat(job.jobId()).isEqualTo(id);
            assertThat(job.running()).isGreaterThan(Duration.ofDays(1));
        });
        assertThat(fixture.admin.runs().stalled().isAtLeast()).isFalse();
        LongRuns runs = new LongRuns(dialect);
        assertThat(fixture.database
                        .autocommit(connection -> runs.stalled(connection, 1))
                        .isAtLeast())
                .as("only one run was searched")
                .isTrue();
        assertThat(fixture.admin.maintenance().diagnose())
                .anySatisfy(finding -> assertThat(finding.message()).contains("has been running for"));
    }

    @Test
    default void failuresAreGroupedByTheirCauses(Fixture fixture) throws Exception {
        for (int i = 0; i < 3; i++) {
            fixture.enqueue();
        }
        String trace = "java.lang.IllegalStateException: order %d\n\tat com.example.Shop.pay(Shop.java:12)\n";
        List<Grant> first = fixture.claim(3);
        for (int i = 0; i < 3; i++) {
            fixture.finish(first.get(i).lease(), new Verdict.Retry(Duration.ZERO, trace.formatted(i)));
        }
        List<Grant> second = fixture.claim(3);
        fixture.finish(second.get(0).lease(), new Verdict.Discarded("enough", trace.formatted(7)));
        fixture.finish(second.get(1).lease(), new Verdict.Retry(Duration.ofHours(1), "exit 3: it is broken"));
        fixture.finish(second.get(2).lease(), new Verdict.Completed());
        fixture.sweepMarked();
        List<FailureGroup> groups = fixture.admin.runs().failures(null, null, Admin.UNLIMITED);
        assertThat(groups).hasSize(2);
        FailureGroup shop = groups.stream()
                .filter(group -> group.cause().contains("Shop"))
                .findFirst()
                .orElseThrow();
        assertThat(shop.cause()).isEqualTo("java.lang.IllegalStateException at com.example.Shop.pay");
        assertThat(shop.kind()).isEqualTo("greet");
        assertThat(shop.queue()).isEqualTo("default");
        assertThat(shop.attempts()).isEqualTo(4);
        assertThat(shop.hours()).hasSize(24);
        assertThat(shop.hours().stream().mapToInt(Integer::intValue).sum()).isEqualTo(4);
        assertThat(shop.jobs()).isEqualTo(3);
        assertThat(shop.firstAt()).isBeforeOrEqualTo(shop.lastAt());
        assertThat(shop.discarded()).containsExactly(second.get(0).job().id());
        assertThat(shop.waiting()).containsExactly(second.get(1).job().id());
        FailureGroup broken =
                groups.stream().filter(group -> !group.equals(shop)).findFirst().orElseThrow();
        assertThat(broken.cause()).isEqualTo("exit #: it is broken");
        assertThat(broken.attempts()).isEqualTo(1);
        assertThat(groups).noneMatch(FailureGroup::isPartial);
        assertThat(fixture.admin.runs().failures(null, "other", Admin.UNLIMITED))
                .isEmpty();
        assertThat(fixture.admin.runs().failures("default", "greet", Admin.UNLIMITED))
                .hasSize(2);
        assertThat(fixture.admin.runs().changeFailures(shop.id(), new JobChange.Cancel(), count -> {}))
                .as("what waits, and nothing that has ended")
                .isEqualTo(new ChangeResult(1, 0));
    }

    /** The doctor's remedy would set the counter back. */
    @Test
    default void aJobThatIsEnqueuedDuringADiagnosisIsNotAheadOfTheCounterOfIds(Fixture fixture) throws Exception {
        fixture.enqueue();
        DataSource tampered = fixture.at("^SELECT MAX\\(id\\) FROM", TamperedDataSource.once(sql -> fixture.enqueue()));
        try (JobQueue queue = JobQueue.builder(tampered)
                .tablePrefix(fixture.prefix)
                .migrate(false)
                .open()) {
            assertThat(queue.admin().maintenance().diagnose())
                    .filteredOn(finding -> finding.topic().equals("ids"))
                    .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.OK));
        }
    }

    @Test
    default void anAttemptThatEndsDuringTheQueryCountsOnce(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        long unused = fixture.enqueue();
        fixture.finish(fixture.claimOne().lease(), new Verdict.Retry(Duration.ZERO, "exit 3: it is broken"));
        Grant running = fixture.claimOne();
        DataSource tampered = fixture.at(
                "pawl_job_history",
                TamperedDataSource.once(sql ->
                        fixture.finish(running.lease(), new Verdict.Discarded("enough", "exit 3: it is broken"))));
        try (JobQueue queue = JobQueue.builder(tampered)
                .tablePrefix(fixture.prefix)
                .migrate(false)
                .open()) {
            assertThat(queue.admin().runs().failures(null, null, Admin.UNLIMITED))
                    .singleElement()
                    .satisfies(group -> {
                        assertThat(group.attempts()).isEqualTo(2);
                        assertThat(group.jobs()).isEqualTo(1);
                    });
        }
    }

    /** More jobs than one page lists and one batch reads: none is skipped. */
    @Test
    default void allJobsWithTheSameCauseAreRetried(Fixture fixture) throws Exception {
        int jobs = 1_100;
        JobRequest each = new JobRequest("greet", "\"hello\"", EnqueueOptions.DEFAULTS);
        assertThat(fixture.queue.enqueueAll(Collections.nCopies(jobs, each)).inserted())
                .isEqualTo(jobs);
        int failed = 0;
        while (failed < jobs) {
            for (Grant grant : fixture.claim(200)) {
                fixture.finish(
                        grant.lease(),
                        failed++ % 100 == 0
                                ? new Verdict.Discarded("enough", "exit 3: it is broken")
                                : new Verdict.Retry(Duration.ofHours(1), "exit 3: it is broken"));
            }
        }
        FailureGroup group =
                fixture.admin.runs().failures(null, null, Admin.UNLIMITED).get(0);
        assertThat(group.attempts()).isEqualTo(jobs);
        assertThat(group.jobs()).isEqualTo(jobs);
        assertThat(group.discardedJobs()).isEqualTo(11);
        assertThat(group.waitingJobs()).isEqualTo(jobs - 11);
        assertThat(group.waiting()).hasSize(1_000).isSorted();
        assertThat(group.isPartial()).isFalse();
        assertThat(fixture.admin.runs().changeFailures(group.id(), new JobChange.Retry(), count -> {}))
                .isEqualTo(new ChangeResult(jobs, 0));
        assertThat(fixture.claim(jobs)).hasSize(jobs);
        assertThatThrownBy(() -> fixture.admin.runs().changeFailures(group.id(), new JobChange.Delete(), count -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The oldest job is retried first. A job that would be due earlier anyway keeps its time. */
    @Test
    default void jobsWithTheSameCauseAreRetriedOneAfterTheOther(Fixture fixture) throws Exception {
        for (int i = 0; i < 4; i++) {
            fixture.enqueue();
        }
        List<Grant> grants = fixture.claim(4).stream()
                .sorted(Comparator.comparing(Grant::lease))
                .toList();
        for (Grant grant : grants.subList(0, 3)) {
            fixture.finish(grant.lease(), new Verdict.Discarded("enough", "exit 3: it is broken"));
        }
        fixture.finish(grants.get(3).lease(), new Verdict.Retry(Duration.ofMinutes(10), "exit 3: it is broken"));
        List<Long> ids = grants.stream().map(grant -> grant.lease().jobId()).toList();
        Instant due = availableAt(fixture, ids.get(3));
        FailureGroup group =
                fixture.admin.runs().failures(null, null, Admin.UNLIMITED).get(0);
        assertThat(fixture.admin
                        .runs()
                        .changeFailures(group.id(), JobChange.Retry.every(Duration.ofHours(1)), count -> {}))
                .isEqualTo(new ChangeResult(4, 0));
        Instant first = availableAt(fixture, ids.get(0));
        assertThat(availableAt(fixture, ids.get(1))).isEqualTo(first.plus(Duration.ofHours(1)));
        assertThat(availableAt(fixture, ids.get(2))).isEqualTo(first.plus(Duration.ofHours(2)));
        assertThat(availableAt(fixture, ids.get(3))).isEqualTo(due);
        assertThat(fixture.claim(4))
                .singleElement()
                .satisfies(grant -> assertThat(grant.lease().jobId()).isEqualTo(ids.get(0)));
    }

    private static Instant availableAt(Fixture fixture, long job) {
        return fixture.admin.jobs().find(job).orElseThrow().availableAt();
    }

    /** Finds the job by its id, in a lane, a row or the history. */
    @Test
    default void oneJobIsMovedRescheduledDeletedAndErased(Fixture fixture) {
        long other = fixture.enqueue();
        long first = fixture.enqueue();
        long last = fixture.enqueue();
        JobFilter one = JobFilter.ALL.id(first);
        assertThat(fixture.admin.jobs().changeAll(one, new JobChange.Move("elsewhere"), count -> {}))
                .isEqualTo(new ChangeResult(1, 0));
        assertThat(fixture.admin.jobs().list(JobFilter.ALL.queue("elsewhere")))
                .extracting(Job::id)
                .containsExactly(first);
        assertThat(fixture.admin.jobs().changeAll(one, new JobChange.Delete(), count -> {}))
                .as("it has not ended")
                .isEqualTo(new ChangeResult(0, 0));
        assertThat(fixture.admin.jobs().cancel(first)).isEqualTo(CancelResult.CANCELLED);
        assertThat(fixture.admin.jobs().changeAll(one, new JobChange.Delete(), count -> {}))
                .isEqualTo(new ChangeResult(1, 0));
        assertThat(fixture.admin.jobs().changeAll(JobFilter.ALL.id(last), new JobChange.Erase(), count -> {}))
                .isEqualTo(new ChangeResult(1, 0));
        assertThat(fixture.admin.jobs().list(JobFilter.ALL)).extracting(Job::id).containsExactly(other);
    }
}
