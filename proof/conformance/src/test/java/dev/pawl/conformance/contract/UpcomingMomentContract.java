package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Batch;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.api.OnFailure;
import dev.pawl.internal.batch.BatchMoments;
import dev.pawl.internal.cluster.UpcomingMoment;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.NextMoment.Moments;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.internal.store.WorkSource;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The queries of a worker before it suspends: {@link SuspensionContract} tests the effects. */
@WhiteBox
interface UpcomingMomentContract extends Contract {
    private Optional<Duration> next() throws SQLException {
        return next(List.of("default"));
    }

    private Optional<Duration> next(List<String> keyed) throws SQLException {
        return new UpcomingMoment(fixture().database, Features.installed())
                .until(List.of("default", "other"), List.of("greet", "wave"), keyed, List.of())
                .first();
    }

    private void assertAbout(Duration expected) throws SQLException {
        assertThat(next().orElseThrow()).isBetween(expected.minusSeconds(30), expected);
    }

    @Test
    default void withoutWaitingJobsNoTimeIsReturned() throws Exception {
        assertThat(next()).isEmpty();
        fixture().enqueue(EnqueueOptions.DEFAULTS.queue("elsewhere"));
        assertThat(next()).as("of a queue that is not its own").isEmpty();
    }

    @Test
    default void theEarliestJobCounts() throws Exception {
        fixture().enqueue(EnqueueOptions.DEFAULTS.delay(Duration.ofHours(3)));
        assertAbout(Duration.ofHours(3));
        fixture().enqueue(EnqueueOptions.DEFAULTS.queue("other").delay(Duration.ofHours(2)));
        assertAbout(Duration.ofHours(2));
        fixture().admin.queues().pause("other");
        assertAbout(Duration.ofHours(3));
        fixture().enqueue(EnqueueOptions.DEFAULTS);
        assertThat(next().orElseThrow()).isLessThanOrEqualTo(Duration.ZERO);
    }

    @Test
    default void leasesOfOthersCount() throws Exception {
        fixture().enqueue(EnqueueOptions.DEFAULTS);
        assertThat(fixture().claim(1, Duration.ofMinutes(10))).hasSize(1);
        assertThat(next().orElseThrow()).isLessThanOrEqualTo(Duration.ofMinutes(10));
    }

    @Test
    default void holdsAndTicksCount() throws Exception {
        fixture().enqueue(EnqueueOptions.DEFAULTS);
        fixture().queue.limits().pause(Subject.queue("default"), Duration.ofHours(1), "by hand");
        assertAbout(Duration.ofHours(1));
        assertThat(fixture().queue.schedules().add(Schedule.of("tick", GREET, "x", Recurrence.parse("every PT20M"))))
                .isTrue();
        assertThat(next().orElseThrow()).isLessThanOrEqualTo(Duration.ofMinutes(20));
    }

    @Test
    default void blockedJobsThatAreNotDueCount() throws Exception {
        fixture().enqueue(EnqueueOptions.DEFAULTS.key("k").delay(Duration.ofHours(4)));
        assertAbout(Duration.ofHours(4));
        for (List<String> notIts : List.of(List.of("other"), List.<String>of())) {
            assertThat(next(notIts))
                    .as("its key releases it, and its row has no moment")
                    .isEmpty();
        }
    }

    private static EnqueueOptions elsewhere() {
        return EnqueueOptions.DEFAULTS.queue("elsewhere");
    }

    private Moments moments() throws SQLException {
        return new UpcomingMoment(fixture().database, Features.installed())
                .until(List.of("default"), List.of("greet"), List.of(), List.of());
    }

    /** The jobs are in a queue that the worker does not serve. Every worker releases and cancels the jobs of workflows in all queues. */
    @Test
    default void theRemainingJobsOfALargeNodeAreWorkForAWorker() throws Exception {
        JobType<String> other = new JobType<>("elsewhere", GREET.payloadType(), elsewhere(), 1);
        fixture()
                .queue
                .workflow("wide")
                .job("first", GREET, "x")
                .jobs("many", other, Collections.nCopies(1_500, "x"))
                .after("first")
                .start();
        completeOne();
        assertThat(moments().due()).as("500 of 1,500").contains(BatchMoments.PENDING_ACTIONS);
        tidy();
        assertThat(moments().due())
                .as("a range may be counted again meanwhile, a second after its claim")
                .doesNotContain(BatchMoments.PENDING_ACTIONS, WorkSource.JOBS);
        assertThat(new UpcomingMoment(fixture().database, Features.installed())
                        .until(List.of("elsewhere"), List.of("elsewhere"), List.of(), List.of())
                        .due())
                .contains(WorkSource.JOBS);
    }

    @Test
    default void aNodeToBeCancelledIsWorkForAWorker() throws Exception {
        fixture()
                .queue
                .workflow("short")
                .job("first", GREET, "x")
                .job("second", GREET, "x", elsewhere())
                .after(OnFailure.CANCEL, "first")
                .start();
        Grant first = fixture().claim(1).get(0);
        finish(first, new Verdict.Discarded("on purpose", "boom"));
        assertThat(moments().due()).contains(BatchMoments.PENDING_ACTIONS);
        tidy();
        tidy();
        assertThat(moments().due()).isEmpty();
    }

    @Test
    default void aStoppedBatchIsWorkForAWorker() throws Exception {
        Batch batch = fixture().queue.batch("careful").stopWhen(1, 1).open();
        batch.enqueue(GREET, "x");
        batch.enqueue(new JobType<>("elsewhere", GREET.payloadType(), elsewhere()), "y");
        batch.seal();
        finish(fixture().claim(1).get(0), new Verdict.Discarded("on purpose", "boom"));
        assertThat(moments().due()).contains(BatchMoments.PENDING_ACTIONS);
        tidy();
        tidy();
        assertThat(moments().due()).isEmpty();
    }

    /** After the resume, a worker that did not know of it yet may have paused more jobs, and then died. */
    @Test
    default void theEndOfThePauseOfABatchCountsUntilAllKnow() throws Exception {
        Batch batch = fixture().queue.batch("b").open();
        batch.enqueue(new JobType<>("elsewhere", GREET.payloadType(), elsewhere()), "y");
        batch.pause();
        assertThat(moments().until()).isEmpty();
        batch.resume();
        assertThat(moments().until().get(BatchMoments.ENDED_PAUSES))
                .isBetween(Duration.ofSeconds(60), Duration.ofMinutes(2));
    }

    private void completeOne() throws SQLException {
        finish(fixture().claim(1).get(0), new Verdict.Completed());
    }

    private void finish(Grant grant, Verdict verdict) throws SQLException {
        assertThat(fixture()
                        .finish(List.of(new Settlement(
                                grant.lease(), verdict, grant.job().batch().orElse(0)))))
                .hasSize(1);
    }

    /** Runs the duties of a worker, which finish what another process has left. */
    private void tidy() throws SQLException {
        fixture().runDuties();
    }

    private static WorkSource source(String name) {
        WorkSource.By by = name.equals("TICKS") ? WorkSource.By.DUTY : WorkSource.By.MAIN_PATH;
        return new WorkSource(name, by);
    }

    /** For each column that holds a time or pending work: the source that reads it, or the reason why no worker has to wake up for it. */
    private static Map<String, Object> columns() {
        Map<String, Object> columns = new TreeMap<>();
        columns.put("pawl_assignment.assigned_at", "records what has happened");
        columns.put("pawl_attempt.failed_at", "records what has happened");
        columns.put("pawl_attempt.started_at", "records what has happened");
        columns.put("pawl_batch.created_at", "records what has happened");
        columns.put("pawl_batch.sealed_at", "records what has happened");
        columns.put("pawl_batch_count.pending_action", BatchMoments.PENDING_ACTIONS);
        columns.put("pawl_batch_count.done_at", "records what has happened");
        columns.put("pawl_batch_count.fired", "records what has happened");
        columns.put("pawl_batch_count.stopped_at", "records what has happened");
        columns.put("pawl_batch_pause.released_at", BatchMoments.ENDED_PAUSES);
        columns.put("pawl_batch_pause.paused_at", "a change notifies suspended workers");
        columns.put("pawl_leader.held_until", "for processes other than workers");
        columns.put("pawl_job.available_at", WorkSource.JOBS);
        columns.put("pawl_job.cancel_requested", "for running jobs, whose worker is awake");
        columns.put("pawl_job.created_at", "records what has happened");
        columns.put("pawl_job.expires_at", "tested when the job is claimed, for which available_at counts");
        columns.put("pawl_job.lease_expires_at", WorkSource.LEASES);
        columns.put("pawl_job.started_at", "records what has happened");
        columns.put("pawl_job_history.available_at", "records what has happened");
        columns.put("pawl_job_history.created_at", "records what has happened");
        columns.put("pawl_job_history.expires_at", "only for finished jobs");
        columns.put("pawl_job_history.finished_at", "read by pruning, which runs after the suspension");
        columns.put("pawl_job_history.started_at", "records what has happened");
        columns.put("pawl_job_log.logged_at", "records what has happened");
        columns.put("pawl_keyed.available_at", source("KEYS"));
        columns.put("pawl_lane_job.created_at", "records what has happened");
        columns.put("pawl_lane_job.expires_at", "tested when the job is claimed, which it can be at once");
        columns.put("pawl_lane_range.claimed_at", "records what has happened");
        columns.put("pawl_lane_range.finished_at", "read by pruning, which runs after the suspension");
        columns.put("pawl_lane_range.lease_expires_at", WorkSource.LEASES);
        columns.put("pawl_lane_range.recount_at", WorkSource.LATE_JOBS);
        columns.put("pawl_limit.paused_until", source("HOLDS"));
        columns.put("pawl_limit.next_start_at", "a worker that needs a start has an available job, so it stays awake");
        columns.put("pawl_node.pending_action", BatchMoments.PENDING_ACTIONS);
        columns.put("pawl_queue.paused_at", "a change notifies suspended workers");
        columns.put("pawl_remote_worker.checked_at", "records what has happened");
        columns.put("pawl_result.written_at", "records what has happened");
        columns.put("pawl_sample.taken_at", "records what has happened");
        columns.put("pawl_schedule.created_at", "records what has happened");
        columns.put("pawl_schedule.last_tick", "records what has happened");
        columns.put("pawl_schedule.next_check_at", source("TICKS"));
        columns.put("pawl_schedule.next_at", "next_check_at is what counts");
        columns.put("pawl_schedule.paused_at", "a change notifies suspended workers");
        columns.put("pawl_schema.applied_at", "records what has happened");
        columns.put("pawl_permit.expires_at", "for running jobs, whose worker is awake");
        columns.put("pawl_slot.expires_at", "read by the next reservation");
        columns.put("pawl_slot.reserved_at", "records what has happened");
        columns.put("pawl_slot.used_at", "records what has happened");
        columns.put("pawl_stack.requested_at", "records what has happened");
        columns.put("pawl_stack.reported_at", "records what has happened");
        columns.put("pawl_step.until_at", "its job becomes available then");
        columns.put("pawl_step.written_at", "records what has happened");
        columns.put("pawl_tick.checked_at", "records what has happened");
        columns.put("pawl_tick.tick", "records what has happened");
        columns.put("pawl_key.paused_until", source("KEY_HOLDS"));
        columns.put("pawl_key.kept_until", "read by pruning, which runs after the suspension");
        columns.put("pawl_key.next_release_at", "next_start_at is what counts: it is never before the next release");
        columns.put("pawl_key.next_start_at", source("KEY_RATES"));
        columns.put("pawl_unique.expires_at", "read by pruning, which runs after the suspension");
        columns.put("pawl_unique.recheck_at", "read by pruning, which runs after the suspension");
        columns.put("pawl_worker.heartbeat_at", "records what has happened");
        columns.put("pawl_worker.started_at", "records what has happened");
        columns.put("pawl_worker.stopped_at", "records what has happened");
        columns.put("pawl_worker.wanted_concurrency", "a change notifies suspended workers");
        columns.put("pawl_worker.command", "a change notifies suspended workers");
        return columns;
    }

    /**
     * Only the sources named here wake a suspended worker. A new column needs a {@link WorkSource}, or a reason why no worker waits for it.
     */
    @Test
    default void everyColumnWithATimeOrPendingWorkIsASourceOrHasAReason() throws Exception {
        Set<String> columns = new TreeSet<>();
        try (Connection connection = fixture().pool.getConnection();
                ResultSet rows = connection
                        .getMetaData()
                        .getColumns(connection.getCatalog(), connection.getSchema(), fixture().prefix + "%", null)) {
            while (rows.next()) {
                String column = rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT);
                if (column.matches(
                        "(.*_)?(at|until|due|pending_action|command|wanted_concurrency|next_start_at|tick|fired|cancel_requested|revoked)")) {
                    columns.add("pawl_"
                            + rows.getString("TABLE_NAME")
                                    .substring(fixture().prefix.length())
                            + "." + column);
                }
            }
        }
        assertThat(columns).isEqualTo(columns().keySet());
        Set<WorkSource> sources = new HashSet<>(new UpcomingMoment(fixture().database, Features.installed()).sources());
        sources.remove(WorkSource.LANES);
        assertThat(columns().values().stream()
                        .filter(WorkSource.class::isInstance)
                        .collect(Collectors.toSet()))
                .as("those that have a column; jobs of lanes have rows")
                .isEqualTo(sources);
    }
}
