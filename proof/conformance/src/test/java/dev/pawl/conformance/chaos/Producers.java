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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that place orders: a row and its job in one transaction, each on its own node. The reply to a commit may be wrong when the node
 * dies; the row decides whether the job must exist.
 */
final class Producers implements AutoCloseable {
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean stopped;

    /** @param urls one for each thread; the table chaos_order (job_id bigint PRIMARY KEY) exists there */
    Producers(List<String> urls) {
        for (String url : urls) {
            Thread thread = new Thread(() -> produce(url), "orders on " + url);
            threads.add(thread);
            thread.start();
        }
    }

    private void produce(String url) {
        try (HikariDataSource pool = new TestDatabase(url, () -> {}).newDataSource(1);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open()) {
            for (int number = 1; !stopped; number++) {
                try {
                    order(pool, queue, number);
                    Delay.work(20); // customers
                } catch (SQLException | DatabaseException e) {
                    refused.incrementAndGet();
                    Delay.poll(100); // the node is down and gives no signal
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void order(HikariDataSource pool, JobQueue queue, int number) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO chaos_order (job_id) VALUES (?)")) {
                insert.setLong(
                        1,
                        queue.within(connection)
                                .enqueue(ChaosWorker.EFFECT, number)
                                .jobId());
                insert.executeUpdate();
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
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
