package dev.pawl.internal.schedule;

import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.Tick;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.store.JobStore;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the due ticks of a schedule in one transaction, which locks its row: enqueues the jobs, records the ticks, and sets the next
 * tick. A job has a unique key, so the database itself shows whether the last job has finished.
 */
final class Firing {
    /** A tick that is handled later than this counts as missed. */
    static final Duration LATE = Duration.ofMinutes(1);
    /** Minimum and maximum interval between checks whether the last job has finished. */
    private static final Duration MIN_CHECK_INTERVAL = Duration.ofSeconds(1);

    private static final Duration MAX_CHECK_INTERVAL = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.schedule");

    /** One in this many checks, at random, deletes old ticks. */
    private static final int FORGET_EVERY = 100;

    private final JobStore store;
    private final ScheduleRows rows;
    private final EnqueueInterceptor interceptor;

    Firing(JobStore store, ScheduleRows rows, EnqueueInterceptor interceptor) {
        this.store = store;
        this.rows = rows;
        this.interceptor = interceptor;
    }

    /**
     * @param connection in a transaction that has locked the row
     * @param schedule the row
     * @param excluded days without ticks
     * @param since when the continuous handling of a backlog began: a tick that was not late then does not count as
     *     late now
     * @return whether a job was enqueued
     * @throws SQLException from the driver
     */
    boolean fire(Connection connection, ScheduleRow schedule, @Nullable Predicate<LocalDate> excluded, Instant since)
            throws SQLException {
        Instant now = rows.now(connection);
        if (schedule.nextCheckAt() == null || schedule.nextCheckAt().isAfter(now)) {
            return false; // another worker was faster
        }
        if (ThreadLocalRandom.current().nextInt(FORGET_EVERY) == 0) {
            rows.forgetTicks(connection, schedule.name());
        }
        return schedule.recurrence() instanceof Recurrence.Pause pause
                ? firePaused(connection, schedule, pause, excluded, now)
                : fireDue(connection, schedule, excluded, now, since);
    }

    private boolean fireDue(
            Connection connection,
            ScheduleRow schedule,
            @Nullable Predicate<LocalDate> excluded,
            Instant now,
            Instant since)
            throws SQLException {
        Instant first = Objects.requireNonNull(schedule.nextAt(), "a paused schedule has no next check");
        DueTicks ticks = new DueTicks(schedule.recurrence(), first, excluded);
        if (ticks.isExcluded(first)) {
            // the program that resumed or changed the schedule did not know its excluded days
            move(connection, schedule, ticks.next(first), null, null);
            return false;
        }
        int most = Math.max(1, schedule.missed().most());
        List<Instant> due = ticks.latest(first, now, most);
        Instant latest = due.get(due.size() - 1);
        boolean late = Duration.between(latest, since).compareTo(LATE) > 0 && !schedule.isOverlapping();
        Instant next = ticks.next(latest);
        if (next == null) {
            LOG.warn("schedule {}: {} is its last tick, since all later days are excluded", schedule.name(), latest);
        }
        if (late && schedule.missed().most() == 0) {
            if (!rows.hasTick(connection, schedule.name(), first)) {
                rows.insertTick(connection, schedule.name(), first, Tick.Outcome.MISSED, null);
            }
            move(connection, schedule, next, null, null);
            return false;
        }
        boolean enqueued = false;
        Long lastJob = schedule.lastJobId();
        Instant lastTick = schedule.lastTick();
        for (Instant tick : due) {
            if (rows.hasTick(connection, schedule.name(), tick)) {
                continue; // the database's clock was set back
            }
            EnqueueResult result = enqueue(connection, schedule, tick);
            if (result instanceof EnqueueResult.Duplicate && schedule.overlap() == Overlap.QUEUE) {
                rows.move(
                        connection,
                        schedule,
                        new ScheduleRows.Position(
                                first,
                                now.plus(checkDelay(Duration.between(first, now).dividedBy(10))),
                                true,
                                schedule.lastTick(),
                                schedule.lastJobId()));
                return false;
            }
            boolean isNew = result instanceof EnqueueResult.Inserted;
            rows.insertTick(
                    connection,
                    schedule.name(),
                    tick,
                    isNew ? Tick.Outcome.ENQUEUED : Tick.Outcome.OVERLAPPED,
                    result.jobId());
            if (isNew) {
                enqueued = true;
                lastJob = result.jobId();
                lastTick = tick;
            }
        }
        move(connection, schedule, next, lastTick, lastJob);
        return enqueued;
    }

    private void move(
            Connection connection,
            ScheduleRow schedule,
            @Nullable Instant next,
            @Nullable Instant lastTick,
            @Nullable Long lastJob)
            throws SQLException {
        rows.move(
                connection,
                schedule,
                new ScheduleRows.Position(
                        next,
                        next,
                        false,
                        lastTick == null ? schedule.lastTick() : lastTick,
                        lastJob == null ? schedule.lastJobId() : lastJob));
    }

    /** Handles a schedule whose next tick is counted from the end of the last job. */
    private boolean firePaused(
            Connection connection,
            ScheduleRow schedule,
            Recurrence.Pause pause,
            @Nullable Predicate<LocalDate> excluded,
            Instant now)
            throws SQLException {
        Duration delay = checkDelay(pause.pause());
        Instant end = due(connection, schedule, pause, now);
        if (end == null) {
            rest(connection, schedule, null, now.plus(delay));
            return false;
        }
        Instant due = new DueTicks(pause, end, excluded).notBefore(end);
        if (due == null) {
            LOG.warn("schedule {}: all days from now on are excluded, so it rests", schedule.name());
            rest(connection, schedule, null, null);
            return false;
        }
        if (due.isAfter(now)) {
            rest(connection, schedule, due, due);
            return false;
        }
        EnqueueResult result = enqueue(connection, schedule, due);
        if (!(result instanceof EnqueueResult.Inserted)) {
            rest(connection, schedule, null, now.plus(delay));
            return false;
        }
        rows.insertTick(connection, schedule.name(), due, Tick.Outcome.ENQUEUED, result.jobId());
        rows.move(connection, schedule, new ScheduleRows.Position(null, now.plus(delay), false, due, result.jobId()));
        return true;
    }

    private @Nullable Instant due(Connection connection, ScheduleRow schedule, Recurrence.Pause pause, Instant now)
            throws SQLException {
        if (schedule.nextAt() != null) {
            return schedule.nextAt();
        }
        if (schedule.lastJobId() == null) {
            return now;
        }
        ScheduleRows.Last last = rows.last(connection, schedule.lastJobId());
        if (last.isLive()) {
            return null;
        }
        // if the finished job was not kept, its end is unknown, but it ended after the last check, which was a moment
        // ago
        return last.finishedAt() == null
                ? now.plus(pause.pause())
                : last.finishedAt().plus(pause.pause());
    }

    /** Limits the interval between checks. The interval need not be exact, because any later check finds the exact end of the job. */
    private static Duration checkDelay(Duration wanted) {
        return wanted.compareTo(MAX_CHECK_INTERVAL) > 0
                ? MAX_CHECK_INTERVAL
                : wanted.compareTo(MIN_CHECK_INTERVAL) < 0 ? MIN_CHECK_INTERVAL : wanted;
    }

    private void rest(Connection connection, ScheduleRow schedule, @Nullable Instant next, @Nullable Instant nextCheck)
            throws SQLException {
        rows.move(
                connection,
                schedule,
                new ScheduleRows.Position(next, nextCheck, false, schedule.lastTick(), schedule.lastJobId()));
    }

    /** {@return the outcome of a tick's enqueue; a duplicate if the last job has not finished and jobs must not overlap} */
    EnqueueResult enqueue(Connection connection, ScheduleRow schedule, Instant tick) throws SQLException {
        if (schedule.overlap() != Overlap.ALLOW && schedule.lastJobId() != null) {
            // the last job may have had another kind, and a unique key applies only to jobs of one kind
            if (rows.last(connection, schedule.lastJobId()).isLive()) {
                return new EnqueueResult.Duplicate(schedule.lastJobId());
            }
        }
        JobRequest job = ofTick(schedule.job(), schedule, tick);
        JobRequest seen = interceptor.intercept(job);
        return store.enqueue(connection, List.of(seen.equals(job) ? job : ofTick(seen, schedule, tick)))
                .get(0);
    }

    /**
     * Adds a unique key and headers to the job of a tick. The key prevents overlap. The job stays in the schedule's queue, even if an
     * interceptor names another one, because notifications name the schedule's queue.
     */
    private static JobRequest ofTick(JobRequest job, ScheduleRow schedule, Instant tick) {
        EnqueueOptions options = job.options()
                .queue(schedule.job().options().queue())
                .uniqueKey("schedule " + schedule.name() + (schedule.overlap() == Overlap.ALLOW ? " " + tick : ""))
                .onDuplicate(OnDuplicate.KEEP);
        return job.options(OwnOptions.header(
                OwnOptions.header(options, Tick.SCHEDULE_HEADER, schedule.name()), Tick.HEADER, tick.toString()));
    }
}
