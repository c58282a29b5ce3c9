package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.DatabaseException;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that place orders, each through its own URL. An order is a row and its job, written in one transaction. The reply to a commit may
 * be missing when the node dies, so the row decides whether the job must exist.
 */
final class Producers implements AutoCloseable {
    /** The numbers of each producer's orders begin at another multiple of this, so that no number occurs twice. */
    static final int PER_PRODUCER = 1_000_000;

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final Queue<Order> acknowledged = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;

    /**
     * An order whose commit was acknowledged, recorded outside of the database.
     *
     * @param producer the thread, from 0
     * @param nanos when the commit had returned
     */
    record Order(int producer, long jobId, int number, long nanos) {}

    /** @param urls one for each thread; the table chaos_order (job_id bigint PRIMARY KEY, number int) exists there */
    Producers(List<String> urls) {
        for (int i = 0; i < urls.size(); i++) {
            int producer = i;
            String url = urls.get(i);
            Thread thread = new Thread(() -> produce(producer, url), "orders on " + url);
            threads.add(thread);
            thread.start();
        }
    }

    private void produce(int producer, String url) {
        try (HikariDataSource pool = new TestDatabase(url, () -> {}).newDataSource(1);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open()) {
            pool.setConnectionTimeout(3_000);
            for (int number = PER_PRODUCER * (producer + 1); !stopped; number++) {
                try {
                    long job = order(pool, queue, number);
                    acknowledged.add(new Order(producer, job, number, System.nanoTime()));
                    Delay.work(20); // until the next customer orders
                } catch (SQLException | DatabaseException e) {
                    refused.incrementAndGet();
                    Delay.poll(100); // the node is down and gives no signal
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long order(HikariDataSource pool, JobQueue queue, int number) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO chaos_order (job_id, number) VALUES (?, ?)")) {
                long job = queue.within(connection)
                        .enqueue(ChaosWorker.EFFECT, number)
                        .jobId();
                insert.setLong(1, job);
                insert.setInt(2, number);
                insert.executeUpdate();
                connection.commit();
                return job;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    /** {@return the acknowledged orders, in the order of each producer} */
    List<Order> acknowledged() {
        return List.copyOf(acknowledged);
    }

    /** {@return how many orders were refused or may have been} */
    int refused() {
        return refused.get();
    }

    /** Returns when no thread places orders any more. */
    void stop() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while orders were being placed", e);
            }
        }
    }

    @Override
    public void close() {
        stop();
    }
}
