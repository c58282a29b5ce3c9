package dev.pawl.internal.wake;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NOTIFY, at most once per queue in a few milliseconds and not in our own enqueuing transactions: NOTIFY takes a lock at
 * commit that all notifying transactions of the server wait for. Only a caller's transaction notifies within itself,
 * because nobody else knows when it commits.
 */
final class PostgresMessenger implements WakeHub.Messenger {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresMessenger.class);
    private static final long DEBOUNCE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

    private final DataSource dataSource;
    private final String channel;
    private final Set<String> pending = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> lastSent = new ConcurrentHashMap<>();
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "pawl-notify");
        thread.setDaemon(true);
        return thread;
    });

    PostgresMessenger(DataSource dataSource, String channel) {
        this.dataSource = dataSource;
        this.channel = channel;
    }

    @Override
    public void tell(String queue) {
        if (pending.add(queue)) {
            try {
                ScheduledFuture<?> unused = sender.schedule(() -> send(queue), wait(queue), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                LOG.debug("not notifying queue {}: closed", queue);
            }
        }
    }

    /** None after a quiet time. */
    private long wait(String queue) {
        Long last = lastSent.get(queue);
        return last == null ? 0 : Math.max(0, last + DEBOUNCE_NANOS - System.nanoTime());
    }

    private void send(String queue) {
        lastSent.put(queue, System.nanoTime());
        pending.remove(queue); // before sending: a job enqueued from here on asks for a notification of its own
        try (Connection connection = dataSource.getConnection()) {
            tellOnCommit(connection, queue);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            LOG.debug("could not notify queue {}; workers will find its jobs by polling", queue, e);
        }
    }

    @Override
    public void tellOnCommit(Connection connection, String queue) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            statement.setString(1, channel);
            statement.setString(2, queue);
            statement.execute();
        }
    }

    @Override
    public void close() {
        sender.shutdown();
    }
}
