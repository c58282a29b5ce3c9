package dev.pawl.internal.admin;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Failures;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads wait for jobs to finish, with one shared poll of the database: one of the threads polls for all, and when its own job has
 * finished, another takes over. So this needs neither a thread nor a connection of its own, and costs nothing while no thread waits.
 */
public final class Waiters {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Ten years. */
    private static final Duration FOREVER = Duration.ofDays(3650);

    private final Database database;
    private final JobQueries jobQueries;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Long, Wanted> wanted = new HashMap<>();
    private boolean polling;

    /** A job for which threads wait; guarded by the lock. */
    private static final class Wanted {
        int waiters;
        long pause = FIRST_NANOS;
        long dueNanos = System.nanoTime();
        boolean known;

        @Nullable
        JobState state;

        @Nullable
        SQLException failure;

        boolean hasEnded() {
            return known && failure == null && (state == null || state.isFinished());
        }
    }

    /**
     * @param database the pool and the dialect
     */
    public Waiters(Database database) {
        this.database = database;
        this.jobQueries = new JobQueries(database.dialect());
    }

    /** See {@link dev.pawl.JobHandle#await}. */
    public Optional<JobState> await(long jobId, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + nanos(timeout);
        lock.lockInterruptibly();
        try {
            Wanted mine = wanted.computeIfAbsent(jobId, id -> new Wanted());
            mine.waiters++;
            mine.pause = FIRST_NANOS;
            mine.dueNanos = Math.min(mine.dueNanos, System.nanoTime());
            try {
                while (!mine.hasEnded() && (!mine.known || System.nanoTime() - end < 0)) {
                    long pause = polling ? MAX_NANOS : untilNextPoll();
                    long left = end - System.nanoTime();
                    if (pause > 0) {
                        long unused = changed.awaitNanos(left > 0 ? Math.min(left, pause) : pause);
                    } else {
                        poll();
                    }
                }
                if (mine.failure != null) {
                    throw failed(jobId, mine.failure);
                }
                return Optional.ofNullable(mine.state);
            } finally {
                if (--mine.waiters == 0) {
                    wanted.remove(jobId);
                }
                changed.signalAll(); // another thread must poll
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@return the timeout, at most ten years} A duration may have more nanoseconds than fit a long. */
    private static long nanos(Duration timeout) {
        return timeout.isNegative() ? 0 : timeout.compareTo(FOREVER) < 0 ? timeout.toNanos() : FOREVER.toNanos();
    }

    private static DatabaseException failed(long jobId, SQLException failure) {
        try {
            return Failures.wrapped("cannot wait for job " + jobId, () -> {
                throw failure;
            });
        } catch (DatabaseException wrapped) {
            return wrapped;
        }
    }

    private long untilNextPoll() {
        long now = System.nanoTime();
        return wanted.values().stream()
                .mapToLong(each -> each.dueNanos - now)
                .min()
                .orElse(MAX_NANOS);
    }

    /** Polls for all jobs whose poll is due now or soon, so that not every job gets a poll of its own. */
    private void poll() {
        long now = System.nanoTime();
        List<Map.Entry<Long, Wanted>> due = wanted.entrySet().stream()
                .filter(each -> each.getValue().dueNanos - now <= each.getValue().pause / 2)
                .map(each -> Map.entry(each.getKey(), each.getValue()))
                .toList();
        polling = true;
        Map<Long, JobState> found = Map.of();
        SQLException failure = null;
        lock.unlock();
        try {
            List<Long> ids = due.stream().map(Map.Entry::getKey).toList();
            found = database.autocommit(connection -> jobQueries.states(connection, ids));
        } catch (SQLException e) {
            failure = e;
        } finally {
            lock.lock();
            polling = false;
        }
        for (Map.Entry<Long, Wanted> each : due) {
            Wanted one = each.getValue();
            one.failure = failure;
            one.known = true;
            if (failure == null) {
                one.state = found.get(each.getKey());
            }
            one.pause = Math.min(MAX_NANOS, one.pause * 5 / 4);
            one.dueNanos = System.nanoTime() + one.pause;
        }
        changed.signalAll();
    }
}
