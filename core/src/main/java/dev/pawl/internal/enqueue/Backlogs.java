package dev.pawl.internal.enqueue;

import dev.pawl.JobRequest;
import dev.pawl.QueueFullException;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.LaneReads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Refuses jobs where too many wait. A queue is counted once a second while jobs come, ten times a second while it is full, and what this
 * process has enqueued since is added: so a queue may grow beyond its bound by what other processes enqueue in a second, and by no
 * more. Thread-safe.
 */
public final class Backlogs {
    private static final long COUNTED_AGAIN = TimeUnit.SECONDS.toNanos(1);
    /** Of its time no more than a tenth is spent with counting. */
    private static final int COUNTS_AT_MOST = 10;

    private static final long FULL_COUNTED_AGAIN = TimeUnit.MILLISECONDS.toNanos(100);

    private final Map<String, Backlog> bounded = new HashMap<>();
    private final Dialect dialect;
    private final LaneReads lanes;

    /**
     * @param dialect the product
     * @param most how many jobs may wait in a queue, by its name
     */
    public Backlogs(Dialect dialect, Map<String, Integer> most) {
        this.dialect = dialect;
        this.lanes = new LaneReads(dialect);
        most.forEach((queue, number) -> bounded.put(queue, new Backlog(queue, number)));
    }

    /**
     * @param connection on which the jobs will be enqueued
     * @param jobs of any queues
     * @throws SQLException from the driver
     * @throws QueueFullException if one of the queues has no room for all of its jobs
     */
    public void admit(Connection connection, List<JobRequest> jobs) throws SQLException {
        if (bounded.isEmpty()) {
            return;
        }
        Map<String, Integer> more = new HashMap<>();
        jobs.forEach(job -> more.merge(job.options().queue(), 1, Integer::sum));
        for (Map.Entry<String, Integer> each : more.entrySet()) {
            Backlog backlog = bounded.get(each.getKey());
            if (backlog != null) {
                backlog.admit(connection, each.getValue());
            }
        }
    }

    /** One queue. */
    private final class Backlog {
        private final String queue;
        private final int most;
        private final ReentrantLock counting = new ReentrantLock();
        private long waiting;
        private long countedNanos;
        private long restNanos;
        private boolean isCounted;

        Backlog(String queue, int most) {
            this.queue = queue;
            this.most = most;
        }

        void admit(Connection connection, int jobs) throws SQLException {
            if (isOutOfDate(jobs) && mayCount()) {
                try {
                    long begun = System.nanoTime();
                    counted(count(connection), System.nanoTime() - begun);
                } finally {
                    counting.unlock();
                }
            }
            add(jobs);
        }

        /** The first count is waited for; later others go on with what they know. */
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

        private synchronized boolean isOutOfDate(int jobs) {
            long age = System.nanoTime() - countedNanos;
            return !isCounted
                    || age >= Math.max(COUNTED_AGAIN, restNanos)
                    || (waiting + jobs > most && age >= Math.max(FULL_COUNTED_AGAIN, restNanos));
        }

        private synchronized void counted(long number, long tookNanos) {
            waiting = number;
            restNanos = COUNTS_AT_MOST * tookNanos;
            countedNanos = System.nanoTime();
            isCounted = true;
        }

        private synchronized void add(int jobs) {
            if (waiting + jobs > most) {
                throw new QueueFullException(queue, waiting, jobs, most);
            }
            waiting += jobs;
        }

        /** Up to the bound: a long queue is not read to its end. */
        private long count(Connection connection) throws SQLException {
            String sql = dialect.sql("SELECT COUNT(*) FROM (SELECT 1 AS one FROM " + dialect.readyTable()
                    + " WHERE state = 0 AND queue = ? LIMIT " + most + ") waiting");
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, queue);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    long rows = row.getLong(1);
                    return rows >= most ? rows : rows + lanes.waiting(connection, queue, most);
                }
            }
        }
    }
}
