package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Exactly once by hand: an upper bound for {@code run.transaction}. Jobs are appended as in {@link RawLane}; each runs in a transaction
 * that inserts its row and a marker. No job is claimed, because the threads take the next job's number from memory.
 */
final class RawMarker implements Contender {
    private static final long IDLE_MILLIS = 5;

    private final HikariDataSource pool;
    private final RawLane lane;
    private final int threads;
    private final AtomicInteger next = new AtomicInteger();
    private volatile int end;

    RawMarker(Setup setup) throws SQLException {
        threads = setup.scratch().dialect().equals("sqlite") ? 1 : setup.workers();
        pool = setup.scratch().pool(threads + 1);
        lane = new RawLane(setup);
        Effect.create(pool);
    }

    @Override
    public String settings() {
        return "by hand over raw JDBC: each job inserts a marker and a row in a transaction; " + threads
                + (threads == 1 ? " thread" : " threads") + "; jobs are written, but numbers are taken from memory: no"
                + " claims, leases, retries or history";
    }

    @Override
    public void enqueue(int from, int to) throws SQLException {
        lane.enqueue(from, to);
        end = to;
    }

    @Override
    public Running start(Handler handler) {
        Threads running = new Threads(threads, stop -> work(handler, stop));
        return running::close;
    }

    private void work(Handler handler, AtomicBoolean stop) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            while (!stop.get()) {
                int job = next.getAndUpdate(number -> Math.min(number + 1, end));
                if (job >= end) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
                    continue;
                }
                handler.run(job);
                Effect.insertOnce(connection, job);
                connection.commit();
                handler.done(job);
            }
            connection.setAutoCommit(true);
        }
    }

    @Override
    public long unfinished() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT (SELECT COUNT(*) FROM raw_lane_job) - (SELECT COUNT(*) FROM lab_marker)")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        lane.close();
        pool.close();
    }
}
