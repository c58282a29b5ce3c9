package dev.pawl.internal.enqueue;

import dev.pawl.api.JobRequest;
import dev.pawl.api.QueueFullException;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.lane.LaneReads;
import dev.pawl.internal.lane.Lanes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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
 * Refuses jobs where too many wait: more than this program allows, or the queue's own rule, which is read every five seconds in the
 * statement that reads the lanes. A queue is counted once a second while jobs come, ten times a second while it is full, and what this
 * process has enqueued since is added: so a queue may grow beyond its bound by what other processes enqueue in a second, and by no
 * more. Thread-safe.
 */
public final class Backlogs {
    private static final long COUNTED_AGAIN = TimeUnit.SECONDS.toNanos(1);
    /** Of its time no more than a tenth is spent with counting. */
    private static final int COUNTS_AT_MOST = 10;

    private static final long FULL_COUNTED_AGAIN = TimeUnit.MILLISECONDS.toNanos(100);

    /** How soon to learn of another rule. */
    private static final Duration RULES_AGE = Duration.ofSeconds(5);

    private final Map<String, Backlog> bounded = new ConcurrentHashMap<>();
    private final Map<String, Integer> own;
    private final Dialect dialect;
    private final Lanes rules;
    private final LaneReads lanes;

    /**
     * @param dialect the product
     * @param rules know what is set for all programs
     * @param own how many jobs may wait in a queue, by its name, as far as this program is concerned
     */
    public Backlogs(Dialect dialect, Lanes rules, Map<String, Integer> own) {
        this.dialect = dialect;
        this.rules = rules;
        this.lanes = new LaneReads(dialect);
        this.own = Map.copyOf(own);
    }

    /**
     * @param connection on which the jobs will be enqueued
     * @param jobs of any queues
     * @param joins whether it is somebody else's transaction, which may see the past
     * @throws SQLException from the driver
     * @throws QueueFullException if one of the queues has no room for all of its jobs
     */
    public void admit(Connection connection, List<JobRequest> jobs, boolean joins) throws SQLException {
        if (rules.isOlderThan(RULES_AGE)) {
            rules.read(connection);
        }
        Map<String, Integer> common = rules.mostWaiting();
        if (own.isEmpty() && common.isEmpty()) {
            return;
        }
        Map<String, Integer> more = new HashMap<>();
        jobs.forEach(job -> more.merge(job.options().queue(), 1, Integer::sum));
        for (Map.Entry<String, Integer> each : more.entrySet()) {
            String queue = each.getKey();
            int most =
                    Math.min(own.getOrDefault(queue, Integer.MAX_VALUE), common.getOrDefault(queue, Integer.MAX_VALUE));
            if (most < Integer.MAX_VALUE) {
                bounded.computeIfAbsent(queue, name -> new Backlog(name, new Backlog(name, null)))
                        .admit(connection, each.getValue(), most, joins);
            }
        }
    }

    /**
     * {@return whether what it counts may be long past} Asked only where a queue has a bound and is to be counted: some drivers ask the
     * server.
     */
    private static boolean seesASnapshot(Connection connection) throws SQLException {
        return !connection.getAutoCommit()
                && connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
    }

    /** One queue. */
    private final class Backlog {
        private final String queue;
        /** As transactions know it that see the past: what they count concerns nobody else. Null in itself. */
        private final @Nullable Backlog past;

        private final ReentrantLock counting = new ReentrantLock();
        private int countedTo;
        private long waiting;
        private long countedNanos;
        private long restNanos;
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

        private synchronized boolean isOutOfDate(int jobs, int most) {
            long age = System.nanoTime() - countedNanos;
            return !isCounted
                    || most > countedTo // it was counted up to the bound, so there may be more
                    || age >= Math.max(COUNTED_AGAIN, restNanos)
                    || (waiting + jobs > most && age >= Math.max(FULL_COUNTED_AGAIN, restNanos));
        }

        private synchronized void counted(long number, int most, long tookNanos) {
            waiting = number;
            countedTo = most;
            restNanos = COUNTS_AT_MOST * tookNanos;
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

        /** Up to the bound: a long queue is not read to its end. */
        private long count(Connection connection, int most) throws SQLException {
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
