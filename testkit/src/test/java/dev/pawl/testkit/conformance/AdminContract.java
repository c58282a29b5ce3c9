package dev.pawl.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.pawl.CancelResult;
import dev.pawl.EnqueueOptions;
import dev.pawl.Finding;
import dev.pawl.InvalidJobException;
import dev.pawl.Job;
import dev.pawl.JobFilter;
import dev.pawl.JobQueue;
import dev.pawl.JobState;
import dev.pawl.QueueStats;
import dev.pawl.Retention;
import dev.pawl.RetryResult;
import dev.pawl.SchemaException;
import dev.pawl.internal.store.Held;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

interface AdminContract extends Contract {
    @Test
    default void aJobInTheTransactionOfItsHandlerCannotBeCancelledNorRetriedAndNobodyWaits() throws Exception {
        assumeThat(fixture().database.dialect().product()).isNotEqualTo("sqlite"); // one writer: everybody waits
        long id = fixture().enqueue();
        Lease lease = fixture().claimOne().lease();
        fixture().database.transaction(connection -> {
            fixture().store.lock(connection, lease);
            assertThat(fixture().admin.cancel(id)).isEqualTo(CancelResult.IN_TRANSACTION);
            assertThat(fixture().admin.retry(id)).isEqualTo(RetryResult.RUNNING);
            return true;
        });
        assertThat(fixture().admin.cancel(id)).isEqualTo(CancelResult.REQUESTED);
    }

    @Test
    default void queuesAreCountedByWhatTheirJobsDo() throws Exception {
        EnqueueOptions options = EnqueueOptions.DEFAULTS;
        fixture().enqueue(options.queue("default"));
        fixture().finish(fixture().claimOne().lease(), new Verdict.Retry(Duration.ofHours(1), "boom"));
        fixture().enqueue(options);
        fixture().claimOne();
        fixture().enqueue(options.delay(Duration.ofHours(1)));
        fixture().enqueue(options);
        fixture().enqueue(options.queue("other"));
        fixture().admin.pause("other");
        fixture().admin.pause("empty");
        List<QueueStats> queues = fixture().admin.queues();
        assertThat(queues).extracting(QueueStats::name).containsExactlyInAnyOrder("default", "other", "empty");
        QueueStats stats = queues.get(0);
        assertThat(stats.oldestAge()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
        assertThat(stats).isEqualTo(new QueueStats("default", false, null, 1, 1, 1, 1, stats.oldestAge()));
        assertThat(queues).filteredOn(QueueStats::paused).hasSize(2);
    }

    @Test
    default void cancelStopsAJobThatHasNotStarted() throws Exception {
        long id = fixture().enqueue();
        assertThat(fixture().admin.cancel(id)).isEqualTo(CancelResult.CANCELLED);
        assertThat(fixture().job(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(fixture().claim(1)).isEmpty();
        assertThat(fixture().admin.cancel(id)).isEqualTo(CancelResult.ALREADY_FINISHED);
        assertThat(fixture().admin.cancel(424242)).isEqualTo(CancelResult.NOT_FOUND);
    }

    @Test
    default void cancelAsksARunningJobToStopAndItIsNotTriedAgain() throws Exception {
        long id = fixture().enqueue();
        Lease lease = fixture().claimOne().lease();
        assertThat(fixture().admin.cancel(id)).isEqualTo(CancelResult.REQUESTED);
        assertThat(fixture()
                        .store
                        .renew(List.of(new Held(lease, null)), Fixture.LEASE)
                        .cancelRequested())
                .containsExactly(lease);
        fixture().finish(lease, new Verdict.Retry(Duration.ZERO, "interrupted"));
        assertThat(fixture().job(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void retryRevivesWhateverHasFinishedWithOneMoreAttempt() throws Exception {
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1).tags("kept"));
        fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("all attempts failed", "boom"));
        assertThat(fixture().admin.retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW);
        Job job = fixture().claimOne().job();
        assertThat(job.id()).isEqualTo(id);
        assertThat(job.attempt()).isEqualTo(2);
        assertThat(job.maxAttempts()).isEqualTo(2);
        assertThat(job.tags()).containsExactly("kept");
        assertThat(fixture().count("pawl_job_history")).isZero();
        assertThat(fixture().admin.failedAttempts(id)).hasSize(1);
        assertThat(fixture().admin.retry(id)).isEqualTo(RetryResult.RUNNING);
        assertThat(fixture().admin.retry(424242)).isEqualTo(RetryResult.NOT_FOUND);
    }

    @Test
    default void retryBringsForwardAJobThatWaits() throws Exception {
        long id = fixture().enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        assertThat(fixture().admin.retry(id)).isEqualTo(RetryResult.AVAILABLE_NOW);
        assertThat(fixture().claimOne().job().id()).isEqualTo(id);
    }

    @Test
    default void retryIsRefusedWhileAnotherLiveJobHasTheKey() throws Exception {
        EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("k");
        long first = fixture().enqueue(unique);
        fixture().admin.cancel(first);
        fixture().enqueue(unique);
        assertThat(fixture().admin.retry(first)).isEqualTo(RetryResult.KEY_TAKEN);
        assertThat(fixture().job(first).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void listsArePagedNewestFirstAcrossLiveAndFinished() throws Exception {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ids.add(fixture().enqueue());
        }
        fixture().admin.cancel(ids.get(4));
        List<Long> listed = new ArrayList<>();
        JobFilter page = JobFilter.ALL.limit(3);
        for (List<Job> jobs = fixture().admin.list(page);
                !jobs.isEmpty();
                jobs = fixture().admin.list(page)) {
            jobs.forEach(job -> listed.add(job.id()));
            page = page.before(listed.get(listed.size() - 1));
        }
        java.util.Collections.reverse(listed);
        assertThat(listed).containsExactlyElementsOf(ids);
        assertThat(fixture().admin.list(JobFilter.ALL.state(JobState.CANCELLED)))
                .extracting(Job::id)
                .containsExactly(ids.get(4));
        assertThat(fixture().admin.list(JobFilter.ALL.queue("nowhere"))).isEmpty();
        assertThat(fixture().admin.list(JobFilter.ALL.kind("greet").state(JobState.AVAILABLE)))
                .hasSize(9);
    }

    @Test
    default void pruneDeletesWhatHasOutlivedItsRetentionWithItsTraces() throws Exception {
        long discarded = fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("no", "boom"));
        fixture().store.log(List.of(new dev.pawl.internal.store.LogLine(discarded, 1, Duration.ZERO, "line")));
        fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Completed());
        assertThat(fixture().admin.prune(Retention.DEFAULTS)).isZero();
        assertThat(fixture().admin.prune(Retention.DEFAULTS.completed(Duration.ZERO)))
                .isEqualTo(1);
        assertThat(fixture().admin.find(discarded)).isPresent();
        fixture().letLeasesExpire(Duration.ofMillis(2));
        assertThat(fixture().admin.prune(Retention.DEFAULTS.discarded(Duration.ofMillis(1))))
                .isEqualTo(1);
        for (String table : List.of("pawl_job_history", "pawl_attempt", "pawl_job_log")) {
            assertThat(fixture().count(table)).as(table).isZero();
        }
    }

    @Test
    default void badNamesAreRefused() {
        assertThatThrownBy(() -> fixture().admin.pause("a b")).isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> JobQueue.builder(fixture().dataSource()).tablePrefix("x; --"))
                .isInstanceOf(InvalidJobException.class);
    }

    @Test
    default void workersAreListedWithWhatTheyHold() throws Exception {
        fixture().enqueue();
        fixture().claimOne();
        assertThat(fixture().admin.workers()).singleElement().satisfies(worker -> {
            assertThat(worker.name()).isEqualTo("test");
            assertThat(worker.alive()).isTrue();
            assertThat(worker.running()).isEqualTo(1);
            assertThat(worker.queues()).containsExactly("default");
        });
    }

    @Test
    default void programsThatStartTogetherMigrateOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            String prefix = fixture().prefix.replace("pawl_", "m_");
            List<Callable<Boolean>> starts = java.util.Collections.nCopies(6, () -> {
                JobQueue.builder(fixture().dataSource())
                        .tablePrefix(prefix)
                        .open()
                        .close();
                return true;
            });
            for (Future<Boolean> start : threads.invokeAll(starts)) {
                assertThat(start.get()).isTrue();
            }
            assertThat(fixture().longOf("SELECT COUNT(*) FROM " + prefix + "schema"))
                    .isEqualTo(dev.pawl.internal.migrate.Migrations.newest());
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    default void aSchemaOfANewerProgramIsRefused() throws Exception {
        fixture().execute("UPDATE pawl_schema SET version = version + 96");
        assertThatThrownBy(() -> JobQueue.builder(fixture().dataSource())
                        .tablePrefix(fixture().prefix)
                        .open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("version 99")
                .hasMessageContaining("newer");
    }

    @Test
    default void missingTablesAreNamedWhenMigrationIsOff() {
        assertThatThrownBy(() -> JobQueue.builder(fixture().dataSource())
                        .tablePrefix("nothing_here_")
                        .migrate(false)
                        .open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("pawl migrate");
    }

    @Test
    default void theDoctorFindsAHarmfulAndAMissingIndex() throws Exception {
        assertThat(fixture().admin.diagnose())
                .filteredOn(finding -> finding.topic().startsWith("index"))
                .hasSize(2)
                .allMatch(finding -> finding.level() == Finding.Level.OK);
        fixture().execute("CREATE INDEX pawl_bad ON pawl_job (queue, started_at)");
        boolean mySql = fixture().database.dialect().product().equals("mysql");
        fixture().execute("DROP INDEX pawl_job_unique_key" + (mySql ? " ON pawl_job" : ""));
        assertThat(fixture().admin.diagnose())
                .filteredOn(finding -> finding.level() == Finding.Level.WARNING)
                .extracting(Finding::message)
                .anyMatch(message -> message.contains("holds started_at"))
                .anyMatch(message -> message.contains("missing"));
    }
}
