package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.lab.study.Design;
import dev.pawl.lab.study.Designs;
import dev.pawl.lab.study.HistoricalQueue;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A design of the study: its table, its statements, one job at a time. A worker whose claim dies, or finds nothing, sleeps. */
final class StudyContender implements Contender {
    private static final int EXPIRY_SECONDS = 4;
    private static final long IDLE_MILLIS = 100;

    private final Setup setup;
    private final Design design;
    private final HikariDataSource pool;
    private final HistoricalQueue queue;
    private final Connection watcher;
    private volatile int inserted;

    StudyContender(Setup setup) throws SQLException {
        this.setup = setup;
        this.design = Designs.named(setup.system(), setup.workers());
        this.pool = setup.scratch().pool(setup.workers() + 2);
        this.queue = new HistoricalQueue(setup.scratch().dialect(), design, EXPIRY_SECONDS);
        try (Connection connection = pool.getConnection()) {
            queue.create(connection);
        }
        this.watcher = pool.getConnection();
    }

    @Override
    public String settings() {
        return design.name() + " of the study: "
                + (design.optimistic() ? "window " + design.window() + ", pick " + design.pick() : "FOR UPDATE")
                + (design.skipLocked() ? " SKIP LOCKED" : "") + ", index " + design.index() + ", delete "
                + (design.fetch() ? "fetches first, " : "") + "tried " + Math.max(1, design.tries()) + " times"
                + (design.deleteMark() ? " after a mark" : "")
                + (design.cloneProbability() > 0
                        ? ", jobs enqueue another with probability " + design.cloneProbability()
                        : "")
                + ", expiry "
                + EXPIRY_SECONDS
                + " s, default isolation, "
                + setup.workers() + " workers, idle sleep " + IDLE_MILLIS + " ms (the study: 1 s)"
                + (setup.scratch().product().equals("sqlite") ? "; rollback journal, as the driver opens a file" : "");
    }

    @Override
    public void enqueue(int from, int to) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            queue.insert(connection, to - from);
        }
        inserted = to;
    }

    @Override
    public Running start(Handler handler) {
        Threads threads = new Threads(setup.workers(), stop -> work(handler, stop));
        return new Running() {
            @Override
            public Counts counts() {
                return new Counts(
                        queue.reserved(),
                        queue.preempted(),
                        queue.faults(Fault.DEADLOCK),
                        queue.faults(Fault.LOCK_TIMEOUT) + queue.faults(Fault.BUSY));
            }

            @Override
            public void close() {
                threads.close();
            }
        };
    }

    private void work(Handler handler, AtomicBoolean stop) throws Exception {
        try (Connection connection = pool.getConnection()) {
            while (!stop.get()) {
                HistoricalQueue.Reserved job = pop(connection);
                if (job == null) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
                    continue;
                }
                int number = (int) job.id() - 1; // a new table counts from one
                boolean clone = number >= inserted; // rates and order are about the jobs that were enqueued first
                if (!clone) {
                    handler.run(number);
                }
                if (ran(connection) && isDone(connection, job) && !clone) {
                    handler.done(number);
                }
            }
        }
    }

    /** A job that fails is not done: its reservation expires, and it runs again. */
    private boolean ran(Connection connection) throws SQLException {
        try {
            queue.run(connection);
            return true;
        } catch (SQLException e) {
            if (Fault.of(e).isContention()) {
                return false;
            }
            throw e;
        }
    }

    /** Likewise, where the delete was tried as often as the design says, or a file was busy for too long. */
    private boolean isDone(Connection connection, HistoricalQueue.Reserved job) throws SQLException {
        try {
            return queue.done(connection, job);
        } catch (SQLException e) {
            if (Fault.of(e).isContention()) {
                return false;
            }
            throw e;
        }
    }

    /** A failed claim is swallowed, as in the study's framework. */
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

    /** On a connection of its own: while ten workers keep an SQLite file busy, a new one may not be opened for long. */
    @Override
    public synchronized long unfinished() throws SQLException {
        while (true) {
            try (Statement statement = watcher.createStatement();
                    ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM jobs")) {
                row.next();
                return row.getLong(1);
            } catch (SQLException e) {
                if (!Fault.of(e).isContention()) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            watcher.close();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot close a connection", e);
        } finally {
            pool.close();
        }
    }
}
