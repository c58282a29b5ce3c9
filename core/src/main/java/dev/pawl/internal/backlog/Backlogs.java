package dev.pawl.internal.backlog;

import dev.pawl.api.JobRequest;
import dev.pawl.api.QueueFullException;
import dev.pawl.internal.feature.EnqueueContext;
import dev.pawl.internal.feature.EnqueueHook;
import dev.pawl.internal.feature.QueueBounds;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlaceCounts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Refuses jobs of queues with too many waiting jobs: more than this program allows, or than the queue's own limit, which is read every five
 * seconds. Counts a queue once a second while jobs are enqueued, or ten times a second while the queue is full, but less often if a count
 * takes long. Adds the jobs that this process has enqueued since the count. So a queue exceeds its limit by no more than other processes
 * enqueue between two counts. Thread-safe.
 */
final class Backlogs implements EnqueueHook {
    private static final long COUNT_INTERVAL = TimeUnit.SECONDS.toNanos(1);
    /** The pause after a count is this many times as long as the count. */
    private static final int PAUSE_FACTOR = 10;

    private static final long FULL_COUNT_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

    /** Maximum age of the queues' limits. */
    private static final Duration BOUNDS_AGE = Duration.ofSeconds(5);

    private final Map<String, Backlog> bounded = new ConcurrentHashMap<>();
    private final Dialect dialect;
    private final QueueBounds bounds;
    private final List<PlaceCounts> places;

    Backlogs(EnqueueContext context) {
        this.dialect = context.dialect();
        this.bounds = context.bounds();
        this.places = JobPlaces.counts(dialect);
    }

    /** {@return false, because all is done in {@link #admit}} */
    @Override
    public boolean concerns(JobRequest job) {
        return false;
    }

    @Override
    public void admit(Connection connection, List<JobRequest> jobs, boolean joins) throws SQLException {
        Map<String, Integer> most = bounds.maxWaiting(connection, BOUNDS_AGE);
        if (most.isEmpty()) {
            return;
        }
        Map<String, Integer> more = new HashMap<>();
        jobs.forEach(job -> more.merge(job.options().queue(), 1, Integer::sum));
        for (Map.Entry<String, Integer> each : more.entrySet()) {
            Integer bound = most.get(each.getKey());
            if (bound != null) {
                bounded.computeIfAbsent(each.getKey(), name -> new Backlog(name, new Backlog(name, null)))
                        .admit(connection, each.getValue(), bound, joins);
            }
        }
    }

    /**
     * {@return whether the transaction may read an old snapshot} Called only before a count, because some drivers query the server for the
     * isolation level.
     */
    private static boolean seesASnapshot(Connection connection) throws SQLException {
        return !connection.getAutoCommit()
                && connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
    }

    /** The count of one queue. */
    private final class Backlog {
        private final String queue;
        /** A separate count, used only by transactions that may read old snapshots. Null in that count itself. */
        private final @Nullable Backlog past;

        private final ReentrantLock counting = new ReentrantLock();
        private int countedTo;
        private long waiting;
        private long countedNanos;
        private long pauseNanos;
        private boolean isCounted;

        Backlog(String queue, @Nullable Backlog past) {
            this.queue = queue;
            this.past = past;
        }

        void admit(Connection connection, int jobs, int most, boolean joins) throws SQLException {
            boolean outOfDate = isOutOfDate(jobs, most);
            Backlog apart = past;
            if (outOfDate && joins && apart != null && seesASnapshot(connection)) {
                apart.admit(connection, jobs, most, joins);
                note(jobs);
                return;
            }
            if (outOfDate && mayCount()) {
                try {
                    long begun = System.nanoTime();
                    counted(count(connection, most), most, System.nanoTime() - begun);
                } finally {
                    counting.unlock();
                }
            }
            add(jobs, most);
        }

        /** Waits for the first count; during a later one, uses the last result. */
        private boolean mayCount() {
            if (hasCounted()) {
                return counting.tryLock();
            }
            counting.lock();
            return true;
        }

        private synchronized boolean hasCounted() {
            return isCounted;
        }

        private synchronized boolean isOutOfDate(int jobs, int most) {
            long age = System.nanoTime() - countedNanos;
            return !isCounted
                    || most > countedTo // the count stopped at the limit, so there may be more
                    || age >= Math.max(COUNT_INTERVAL, pauseNanos)
                    || (waiting + jobs > most && age >= Math.max(FULL_COUNT_INTERVAL, pauseNanos));
        }

        private synchronized void counted(long number, int most, long tookNanos) {
            waiting = number;
            countedTo = most;
            pauseNanos = PAUSE_FACTOR * tookNanos;
            countedNanos = System.nanoTime();
            isCounted = true;
        }

        private synchronized void add(int jobs, int most) {
            if (waiting + jobs > most) {
                throw new QueueFullException(queue, waiting, jobs, most);
            }
            waiting += jobs;
        }

        private synchronized void note(int jobs) {
            waiting += jobs;
        }

        /** Counts up to the limit: a long queue is not read to its end. */
        private long count(Connection connection, int most) throws SQLException {
            Sql sql = dialect.statement(dialect.countOfWaiting("queue = ?", "", most));
            long rows = sql.on(connection, queue, queue).one(row -> row.getLong(1));
            long waiting = rows;
            for (PlaceCounts place : places) {
                waiting += waiting >= most ? 0 : place.waiting(connection, queue, most);
            }
            return waiting;
        }
    }
}
