package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Finding;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.Retention;
import dev.pawl.conformance.label.LabelFeature;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A feature that the library does not know, {@link LabelFeature}, takes part in every operation. */
@WhiteBox
interface LabelContract extends Contract {
    private JobQueue labelled(int quota) throws SQLException {
        fixture()
                .execute(
                        "CREATE TABLE pawl_label AS SELECT id AS job_id, queue AS label, queue, created_at AS written_at"
                                + " FROM pawl_job");
        fixture().execute("CREATE INDEX pawl_label_job ON pawl_label (job_id)");
        fixture().execute("CREATE TABLE pawl_label_quota (label VARCHAR(100) PRIMARY KEY, quota INT, live INT)");
        fixture().execute("INSERT INTO pawl_label_quota (label, quota) VALUES ('red', " + quota + ")");
        return LabelFeature.with(() ->
                JobQueue.builder(fixture().pool).tablePrefix(fixture().prefix).open());
    }

    private static JobRequest red(EnqueueOptions options) {
        return new JobRequest("greet", "\"hello\"", options.headers(Map.of(LabelFeature.HEADER, "red")));
    }

    private static long enqueue(JobQueue queue) {
        return queue.enqueue(red(EnqueueOptions.DEFAULTS)).jobId();
    }

    private boolean isLabelled(long job) throws SQLException {
        return fixture().count("pawl_label WHERE job_id = " + job) > 0;
    }

    private Lease finish(Verdict verdict) throws SQLException {
        Lease lease = fixture().claimOne().lease();
        fixture().finish(lease, verdict);
        fixture().sweepMarked();
        return lease;
    }

    @Test
    default void aLabelHasItsQuotaOfLiveJobs() throws Exception {
        try (JobQueue queue = labelled(2)) {
            enqueue(queue);
            List<JobRequest> two = List.of(red(EnqueueOptions.DEFAULTS), red(EnqueueOptions.DEFAULTS));
            assertThatThrownBy(() -> queue.enqueueAll(two))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("label 'red' has 1 live jobs of 2");
            assertThat(fixture().liveJobs()).isEqualTo(1);
            enqueue(queue);
            assertThatThrownBy(() -> enqueue(queue)).isInstanceOf(InvalidJobException.class);
            finish(new Verdict.Completed());
            long next = enqueue(queue);
            assertThat(isLabelled(next)).isTrue();
            assertThat(fixture().count("pawl_job WHERE id = " + next)).isEqualTo(1);
        }
    }

    @Test
    default void concurrentEnqueuesShareTheQuota() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (JobQueue queue = labelled(3)) {
            Callable<Boolean> one = () -> {
                try {
                    enqueue(queue);
                    return true;
                } catch (InvalidJobException full) {
                    return false;
                }
            };
            int enqueued = 0;
            for (Future<Boolean> each : threads.invokeAll(List.of(one, one, one, one, one, one, one, one))) {
                enqueued += each.get() ? 1 : 0;
            }
            assertThat(enqueued).isEqualTo(3);
            assertThat(fixture().liveJobs()).isEqualTo(3);
        } finally {
            threads.shutdown();
        }
    }

    @Test
    default void aReplacedJobGetsTheLabelOfTheNewOne() throws Exception {
        try (JobQueue queue = labelled(5)) {
            EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("one").onDuplicate(OnDuplicate.REPLACE);
            long job = queue.enqueue(red(unique)).jobId();
            assertThat(isLabelled(job)).isTrue();
            assertThat(queue.enqueue(new JobRequest("greet", "\"hello\"", unique)))
                    .isEqualTo(new EnqueueResult.Replaced(job));
            assertThat(isLabelled(job)).isFalse();
            assertThat(queue.enqueue(red(unique))).isEqualTo(new EnqueueResult.Replaced(job));
            assertThat(isLabelled(job)).isTrue();
        }
    }

    @Test
    default void labelsFollowTheirJobs() throws Exception {
        try (JobQueue queue = labelled(9)) {
            enqueue(queue);
            enqueue(queue);
            long pruned = finish(new Verdict.Completed()).jobId();
            long deleted = finish(new Verdict.Discarded("no", "boom")).jobId();
            long moved = enqueue(queue);
            queue.admin().jobs().changeAll(JobFilter.ALL.id(moved), new JobChange.Move("other"), count -> {});
            assertThat(fixture().count("pawl_label WHERE job_id = " + moved + " AND queue = 'other'"))
                    .isEqualTo(1);
            assertThat(List.of(isLabelled(pruned), isLabelled(deleted))).containsOnly(true);

            fixture().letLeasesExpire(Duration.ofMillis(2));
            LinkedRows linked = LabelFeature.with(
                    () -> LinkedRows.installed(fixture().database.dialect()));
            new Pruner(
                            fixture().database,
                            Databases.of(fixture().pool, fixture().prefix).history(),
                            linked)
                    .prune(Retention.DEFAULTS.completed(Duration.ofMillis(1)));
            assertThat(isLabelled(pruned)).isFalse();
            assertThat(isLabelled(deleted)).isTrue();

            queue.admin().jobs().changeAll(JobFilter.ALL, new JobChange.Delete(), count -> {});
            assertThat(isLabelled(deleted)).isFalse();
            assertThat(isLabelled(moved)).isTrue();
            queue.admin().jobs().changeAll(JobFilter.ALL, new JobChange.Erase(), count -> {});
            assertThat(isLabelled(moved)).isFalse();
        }
    }

    /** A duty of the feature counts the jobs of each label. */
    @Test
    default void workersCountJobsWithLabels() throws Exception {
        try (JobQueue queue = labelled(9)) {
            enqueue(queue);
            enqueue(queue);
            Worker worker = Worker.on(queue)
                    .queues("other")
                    .handle(GREET, (text, run) -> {})
                    .start();
            try (worker) {
                await().atMost(Fixture.SOON)
                        .until(() -> fixture().count("pawl_label_quota WHERE label = 'red' AND live = 2") == 1);
            }
        }
    }

    @Test
    default void theDoctorFindsLabelsWhoseQuotaIsUsedUp() throws Exception {
        try (JobQueue queue = labelled(2)) {
            assertThat(queue.admin().maintenance().diagnose())
                    .extracting(Finding::topic)
                    .doesNotContain("label red");
            fixture().execute("UPDATE pawl_label_quota SET live = 2");
            assertThat(queue.admin().maintenance().diagnose())
                    .filteredOn(finding -> finding.topic().equals("label red"))
                    .singleElement()
                    .extracting(Finding::message)
                    .asString()
                    .contains("its quota of 2 live jobs is used up");
        }
    }

    @Test
    default void otherJobsHaveNoLabel() throws Exception {
        try (JobQueue queue = labelled(0)) {
            long job = queue.enqueue(new JobRequest("greet", "\"hello\"", EnqueueOptions.DEFAULTS))
                    .jobId();
            assertThat(isLabelled(job)).isFalse();
            assertThatThrownBy(() -> enqueue(queue)).isInstanceOf(InvalidJobException.class);
        }
    }
}
