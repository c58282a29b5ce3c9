package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobCount;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.QueueStats.Count;
import dev.pawl.admin.TableSize;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.admin.BriefCounts;
import dev.pawl.internal.admin.RowCounts;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Counts for users, up to a limit. */
@WhiteBox
interface CountContract extends Contract {
    private void enqueue(int jobs, EnqueueOptions options) {
        fixture()
                .queue
                .enqueueAll(
                        GREET, IntStream.range(0, jobs).mapToObj(i -> "n" + i).toList(), name -> options);
    }

    private Map<String, RowCounts> brief(int most) throws SQLException {
        return fixture()
                .database
                .autocommit(connection -> new BriefCounts(fixture().database.dialect(), most, 0)
                        .count(connection, Instant.now().plusSeconds(60)))
                .orElseThrow();
    }

    /** The jobs have several queues, kinds and priorities. Some are due, and others are delayed. */
    @Test
    default void countingAlongTheIndexFindsWhatReadingAllRowsFinds() throws Exception {
        EnqueueOptions late = EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1));
        for (String kind : List.of("a", "b", "c")) {
            for (int priority : new int[] {-3, 0, 7}) {
                for (String queue : List.of("default", "other", "third")) {
                    fixture()
                            .queue
                            .enqueue(new JobRequest(kind, "1", late.queue(queue).priority(priority)));
                }
                fixture()
                        .queue
                        .enqueue(new JobRequest(
                                kind,
                                "2",
                                EnqueueOptions.DEFAULTS
                                        .uniqueKey(kind + priority)
                                        .priority(priority)));
            }
        }
        fixture().enqueueRow();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Retry(Duration.ofHours(1), "boom"));
        fixture().enqueueRow();
        fixture().claimOne();
        fixture().enqueueRow();
        Map<String, RowCounts> brief = brief(1_000);
        for (QueueStats all : fixture().admin.queues().list(Admin.UNLIMITED)) {
            RowCounts rows = Objects.requireNonNull(brief.get(all.name()));
            assertThat(rows.available()).isEqualTo(all.available());
            assertThat(rows.scheduled()).isEqualTo(all.scheduled());
            assertThat(rows.retrying()).isEqualTo(all.retrying());
            assertThat(List.of(
                            rows.others().blocked(),
                            rows.others().pending(),
                            rows.others().paused()))
                    .isEqualTo(List.of(all.blocked(), all.pending(), all.pausedJobs()));
            assertThat(rows.running()).isEqualTo(all.running());
            assertThat(rows.oldest() == null).isEqualTo(all.oldestAge() == null);
        }
        assertThat(brief).hasSize(3);
        assertThat(brief.values()).allMatch(rows -> rows.lowerBounds().isEmpty());
        RowCounts few = Objects.requireNonNull(brief(2).get("default"));
        assertThat(few.lowerBounds()).containsExactlyInAnyOrder(Count.AVAILABLE, Count.SCHEDULED, Count.RETRYING);
        assertThat(few.available()).isEqualTo(2);
        assertThat(few.scheduled() + few.retrying()).isEqualTo(2);
        assertThat(fixture().admin.queues().list(1_000))
                .extracting(QueueStats::name)
                .containsExactly("default", "other", "third");
        assertThatThrownBy(() -> fixture().admin.queues().list(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 or more");
    }

    /** Each waiting state has a count of its own: scheduled, blocked by a key, pending in a workflow, paused with a batch. */
    @Test
    default void waitingJobsAreCountedByState() throws Exception {
        enqueue(4, EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        enqueue(3, EnqueueOptions.DEFAULTS.key("k"));
        var unused = fixture()
                .queue
                .workflow("w")
                .job("first", GREET, "a")
                .then("second", GREET, "b")
                .start();
        var batch = fixture().queue.batch("b").canary(1).open();
        fixture()
                .queue
                .enqueueAll(GREET, List.of("first", "held", "held"), text -> batch.with(EnqueueOptions.DEFAULTS));
        QueueStats stats = fixture().admin.queues().list(Admin.UNLIMITED).get(0);
        assertThat(List.of(stats.scheduled(), stats.blocked(), stats.pending(), stats.pausedJobs()))
                .containsExactly(4L, 3L, 1L, 2L);
        assertThat(stats.delayed()).isEqualTo(10);
        RowCounts brief = Objects.requireNonNull(brief(1_000).get("default"));
        assertThat(List.of(
                        brief.others().blocked(),
                        brief.others().pending(),
                        brief.others().paused()))
                .containsExactly(3L, 1L, 2L);
        assertThat(brief.lowerBounds()).isEmpty();
        assertThat(Objects.requireNonNull(brief(3).get("default")).lowerBounds())
                .as("4 scheduled, 3 blocked, 1 pending, 2 paused, 2 available jobs")
                .containsExactlyInAnyOrder(Count.SCHEDULED, Count.RETRYING, Count.BLOCKED);
    }

    /** A list of queues reads all rows if there are few, but counts in lanes only up to the limit. */
    @Test
    default void countsThatStoppedAtALimitAreLowerBounds() {
        for (int i = 0; i < 5; i++) {
            fixture().enqueue(EnqueueOptions.DEFAULTS);
        }
        boolean lanes = !fixture().admin.queues().list(1).get(0).lowerBounds().isEmpty();
        QueueStats some = fixture().admin.queues().list(3).get(0);
        assertThat(some.available()).isEqualTo(lanes ? 3 : 5);
        assertThat(some.lowerBounds()).isEqualTo(lanes ? Set.of(Count.AVAILABLE) : Set.of());
        assertThat(fixture().admin.queues().list(6).get(0).lowerBounds()).isEmpty();
        assertThat(fixture().admin.queues().list(Admin.UNLIMITED).get(0).lowerBounds())
                .isEmpty();
    }

    @Test
    default void matchingJobsAreCountedUpToALimit() throws Exception {
        enqueue(30, EnqueueOptions.DEFAULTS);
        enqueue(30, EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        JobChange cancel = new JobChange.Cancel();
        assertThat(fixture().admin.jobs().countNewest(JobFilter.ALL, cancel, 100))
                .isEqualTo(new JobCount(60, false));
        assertThat(fixture().admin.jobs().countNewest(JobFilter.ALL, cancel, 60))
                .isEqualTo(new JobCount(60, false));
        assertThat(fixture().admin.jobs().countNewest(JobFilter.ALL, cancel, 59))
                .isEqualTo(new JobCount(59, true));
        assertThat(fixture().admin.jobs().countNewest(JobFilter.ALL, cancel, Admin.UNLIMITED))
                .isEqualTo(new JobCount(60, false));
        assertThat(fixture().admin.jobs().countNewest(JobFilter.ALL.kind("none"), cancel, 5))
                .isEqualTo(new JobCount(0, false));
        assertThat(fixture().admin.jobs().countNewest(JobFilter.ALL.text("n7"), cancel, 5))
                .isEqualTo(new JobCount(2, false));
    }

    /** Counts rows and lanes; if there is no time left, the result says so. */
    @Test
    default void matchingJobsAreCountedExactlyUnlessThatTakesTooLong() throws Exception {
        enqueue(30, EnqueueOptions.DEFAULTS);
        enqueue(30, EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)));
        fixture().enqueueRow();
        fixture().finish(fixture().claimOne().lease(), new Verdict.Discarded("d", "e"));
        fixture().sweepMarked();
        Duration minute = Duration.ofMinutes(1);
        for (JobChange change : List.of(
                new JobChange.Cancel(),
                new JobChange.Retry(),
                new JobChange.Delete(),
                new JobChange.Prioritize(3),
                new JobChange.Reschedule(Instant.now()))) {
            for (JobFilter filter : List.of(JobFilter.ALL, JobFilter.ALL.text("n7"), JobFilter.ALL.kind("none"))) {
                assertThat(fixture().admin.jobs().count(filter, change, minute))
                        .as("%s of %s", change, filter)
                        .isEqualTo(new JobCount(
                                fixture()
                                        .admin
                                        .jobs()
                                        .count(filter, change, Admin.NO_TIMEOUT)
                                        .jobs(),
                                false));
            }
        }
        assertThat(fixture()
                        .admin
                        .jobs()
                        .count(JobFilter.ALL, new JobChange.Cancel(), Duration.ZERO)
                        .isAtLeast())
                .isTrue();
    }

    /** Each statement counts a range of ids of limited width, so a large gap of ids must be skipped. */
    @Test
    default void aLargeGapOfIdsTakesFewStatements() throws Exception {
        fixture().enqueueRow();
        long newest = fixture().enqueueRow();
        fixture().execute("UPDATE pawl_job SET id = 4000000000000 WHERE id = " + newest);
        AtomicInteger statements = new AtomicInteger();
        try (JobQueue counted = JobQueue.builder(
                        TamperedDataSource.of(fixture().pool, sql -> statements.incrementAndGet()))
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .open()) {
            statements.set(0);
            assertThat(counted.admin().jobs().count(JobFilter.ALL, new JobChange.Cancel(), Duration.ofMinutes(1)))
                    .isEqualTo(new JobCount(2, false));
        }
        assertThat(statements).hasValueLessThan(30);
    }

    @Test
    default void finishedJobsAndFailuresAreCountedAmongTheLast() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        for (int i = 0; i < 5; i++) {
            fixture().enqueueRow();
        }
        for (Grant one : fixture().claim(5)) {
            assertThat(fixture().finish(one.lease(), new Verdict.Discarded("broken", "boom")))
                    .isTrue();
        }
        fixture().sweepMarked();
        assertThat(fixture().admin.queues().finished(3)).containsExactly(new FinishedJobs("default", 0, 0, 3, true));
        assertThat(fixture().admin.queues().finished(10))
                .isEqualTo(fixture().admin.queues().finished(Admin.UNLIMITED));
        assertThat(fixture().admin.runs().failures(null, null, 10))
                .isEqualTo(fixture().admin.runs().failures(null, null, Admin.UNLIMITED));
    }

    @Test
    default void tablesHaveSizes() {
        fixture().enqueueRow();
        List<TableSize> tables = fixture().admin.maintenance().tables();
        assertThat(tables).isNotEmpty().allMatch(table -> table.bytes() >= 0);
        assertThat(tables).extracting(TableSize::table).anyMatch(name -> name.endsWith("job_history"));
        assertThat(tables).extracting(TableSize::table).doesNotHaveDuplicates();
    }
}
