package dev.pawl.lab.study;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.internal.store.sql.Fault;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run of a historical design, in the study's way: the table is filled, then the workers begin; a worker that finds nothing,
 * or whose claim fails, sleeps; every fetch is written to the protocol.
 */
public final class StudyRun {
    private final HikariDataSource pool;
    private final HistoricalQueue queue;
    private final int workers;
    private final int jobs;
    private final long idleMillis;

    /**
     * @param pool with a connection for each worker
     * @param product postgresql, mysql (MariaDB too) or sqlite
     * @param design what to run
     * @param workers at once
     * @param jobs to run
     * @param idleMillis how long a worker sleeps that has nothing; the study's slept for a second
     */
    public StudyRun(HikariDataSource pool, String product, Design design, int workers, int jobs, long idleMillis) {
        this.pool = pool;
        this.queue = new HistoricalQueue(product, design, 4);
        this.workers = workers;
        this.jobs = jobs;
        this.idleMillis = idleMillis;
    }

    /**
     * What came of it.
     *
     * @param jobsPerSecond jobs, not executions, by the time until the table was empty
     * @param executions ids of jobs in the order in which they were fetched
     * @param deadlocks errors of that sort that a worker met
     * @param lockTimeouts errors of that sort, and of a busy file
     * @param preempted reservations that were lost to faster workers
     */
    public record Result(
            double jobsPerSecond, List<Long> executions, long deadlocks, long lockTimeouts, long preempted) {}

    /** Runs it. */
    public Result run() throws Exception {
        try (Connection connection = pool.getConnection()) {
            queue.create(connection);
            queue.insert(connection, jobs);
        }
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        long start = System.nanoTime();
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                int number = worker;
                running.add(threads.submit(() -> {
                    work(number);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Result(
                jobs / seconds,
                protocol(),
                queue.faults(Fault.DEADLOCK),
                queue.faults(Fault.LOCK_TIMEOUT) + queue.faults(Fault.BUSY),
                queue.preempted());
    }

    private void work(int worker) throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection()) {
            while (true) {
                HistoricalQueue.Reserved job = pop(connection);
                if (job != null) {
                    queue.record(connection, job, worker);
                    boolean unused = queue.done(connection, job);
                } else if (isEmpty(connection)) {
                    return;
                } else {
                    TimeUnit.MILLISECONDS.sleep(idleMillis);
                }
            }
        }
    }

    /** A claim that dies is swallowed, as the study's framework does. */
    private HistoricalQueue.@Nullable Reserved pop(Connection connection) throws SQLException {
        try {
            return queue.pop(connection);
        } catch (SQLException e) {
            if (Fault.of(e).isContention()) {
                return null;
            }
            throw e;
        }
    }

    private static boolean isEmpty(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM jobs")) {
            row.next();
            return row.getLong(1) == 0;
        }
    }

    private List<Long> protocol() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT job_id FROM protocol ORDER BY id")) {
            List<Long> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
            return ids;
        }
    }
}
