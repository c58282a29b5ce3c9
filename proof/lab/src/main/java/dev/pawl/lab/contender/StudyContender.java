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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A design of the study: its table, its statements, its workers with one job at a time. As in the study, jobs are written while the workers
 * are down, and made available; then the workers start, each up to a second late. A poll every half second looks for jobs, and the measured
 * time ends when a poll finds none. A worker sleeps if its claim fails or finds no job.
 */
final class StudyContender implements Contender {
    private static final int EXPIRY_SECONDS = 4;
    private static final long IDLE_MILLIS = 1000;
    private static final long POLL_MILLIS = 500;
    private static final int MAX_ATTEMPTS = 3;

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
                + (design.skipLocked() ? " SKIP LOCKED" : "") + ", index "
                + design.reading().index()
                + (isForced() ? " forced" : "") + ", delete "
                + (design.fetch() ? "fetches first, " : "") + "tried " + Math.max(1, design.tries()) + " times"
                + (design.deleteMark() ? " after a mark" : "")
                + (design.cloneProbability() > 0
                        ? ", jobs enqueue another with probability " + design.cloneProbability()
                        : "")
                + ", expiry "
                + EXPIRY_SECONDS
                + " s, default isolation, "
                + setup.workers() + " workers" + (design.reading().otherQueues() ? " polling high, default, low" : "")
                + ", idle sleep " + IDLE_MILLIS + " ms, table "
                + (design.reading().analyzed() ? "analysed" : "never analysed")
                + (setup.scratch().product().equals("sqlite") ? "; rollback journal, as the driver opens a file" : "");
    }

    private boolean isForced() {
        return design.reading().forced()
                && design.reading().index() != Design.Index.NONE
                && setup.scratch().isMySql();
    }

    @Override
    public void enqueue(int from, int to) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            queue.insertDelayed(connection, to - from);
        }
        inserted = to;
    }

    @Override
    public Running start(Handler handler) throws SQLException {
        AtomicBoolean up = new AtomicBoolean();
        Threads threads = new Threads(setup.workers(), stop -> work(handler, up, stop));
        try (Connection connection = pool.getConnection()) {
            queue.release(connection);
        }
        up.set(true);
        CompletableFuture<Double> clock = clock();
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
            public Double secondsByItsOwnClock() {
                return clock.join();
            }

            @Override
            public void close() {
                clock.cancel(false);
                threads.close();
            }
        };
    }

    /** Returns the seconds from now until a poll finds no job. */
    private CompletableFuture<Double> clock() {
        long begun = System.nanoTime();
        CompletableFuture<Double> clock = new CompletableFuture<>();
        Thread looking = new Thread(
                () -> {
                    try {
                        while (!clock.isDone()) {
                            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                            if (unfinished() == 0) {
                                clock.complete((System.nanoTime() - begun) / 1e9);
                            }
                        }
                    } catch (InterruptedException | SQLException e) {
                        clock.completeExceptionally(e);
                    }
                },
                "study-clock");
        looking.setDaemon(true);
        looking.start();
        return clock;
    }

    private void work(Handler handler, AtomicBoolean up, AtomicBoolean stop) throws Exception {
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current()
                .nextLong(IDLE_MILLIS)); // the study's workers did not start at the same moment
        try (Connection connection = pool.getConnection()) {
            while (!stop.get()) {
                if (!up.get()) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
                    continue;
                }
                HistoricalQueue.Reserved job = pop(connection);
                if (job == null) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
                    continue;
                }
                int number = (int) job.id() - 1; // ids of a new table begin with one
                boolean clone = number >= inserted; // rates and order count only the jobs that the lab enqueued
                if (!clone) {
                    handler.run(number);
                }
                boolean worn = job.attempts() > MAX_ATTEMPTS; // such a job is not run, but deleted as failed
                if ((worn || ran(connection)) && isDone(connection, job) && !clone) {
                    handler.done(number);
                }
            }
        }
    }

    /** Returns false for a failed job: its reservation expires, and it runs again. */
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

    /**
     * Returns false if the delete failed at all attempts of the design, or an SQLite file was busy for too long. In this case the job runs
     * again, too.
     */
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

    /** Ignores a failed claim, as the study's framework does. */
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

    /** Uses a connection that stays open, because opening a new one may take long while ten workers keep an SQLite file busy. */
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
