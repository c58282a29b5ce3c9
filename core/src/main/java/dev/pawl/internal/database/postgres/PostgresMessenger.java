package dev.pawl.internal.database.postgres;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
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
 * NOTIFY, at most once per queue every few milliseconds, and not in our own enqueuing transactions: at commit, NOTIFY
 * takes a lock that all notifying transactions of the server wait for. Only a caller's transaction notifies from
 * within, because only the caller knows when it commits.
 */
final class PostgresMessenger implements WakeHub.Messenger {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresMessenger.class);
    private static final long DEBOUNCE_MILLIS = 3;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final DataSource dataSource;
    private final Database database;
    private final String channel;
    private final boolean inTransactions;
    /** The queues notified in the last few milliseconds, and whether there has been news since. */
    private final Map<String, Boolean> recent = new ConcurrentHashMap<>();

    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "pawl-notify");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * @param dataSource the caller's pool
     * @param dialect the product and the prefix
     * @param inTransactions whether transactions of the caller notify
     */
    PostgresMessenger(DataSource dataSource, PostgresDialect dialect, boolean inTransactions) {
        this.dataSource = dataSource;
        this.database = new Database(dataSource, dialect).limited(LONGEST_WAIT);
        this.channel = dialect.prefix() + "jobs";
        this.inTransactions = inTransactions;
    }

    @Override
    public void tell(String queue) {
        boolean known = recent.merge(queue, false, (before, now) -> true);
        if (!known) {
            schedule(queue, () -> send(queue), 0);
        }
    }

    private void schedule(String queue, Runnable work, long millis) {
        try {
            ScheduledFuture<?> unused = sender.schedule(work, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            recent.remove(queue);
        }
    }

    private void send(String queue) {
        try {
            recent.put(queue, false); // before sending: a job enqueued from here on asks for a notification of its own
            boolean unused = database.autocommitOnce(connection -> notify(connection, queue));
        } catch (SQLException | RuntimeException | Error e) {
            LOG.debug("could not notify queue {}; workers will find its jobs by polling", queue, e);
        } finally {
            schedule(queue, () -> rest(queue), DEBOUNCE_MILLIS);
        }
    }

    private void rest(String queue) {
        if (!recent.remove(queue, false)) {
            send(queue);
        }
    }

    @Override
    public void tellOnCommit(Connection connection, String queue) throws SQLException {
        if (inTransactions) {
            boolean unused = notify(connection, queue);
        }
    }

    @Override
    public boolean tellsOnCommit() {
        return inTransactions;
    }

    private boolean notify(Connection connection, String queue) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            statement.setString(1, channel);
            statement.setString(2, queue);
            return statement.execute();
        }
    }

    @Override
    public WakeHub.Listening listen(WakeHub.Ear ear) {
        PostgresListener listener = new PostgresListener(dataSource, channel, ear, PostgresListener.CHECK);
        listener.start();
        return listener;
    }

    @Override
    public int borrowed() {
        return new ListenSource(dataSource).borrows() ? 1 : 0;
    }

    /**
     * Pending notifications are still sent if that takes no longer than a second: a program may end right after its
     * enqueue.
     */
    @Override
    public void close() {
        sender.shutdown();
        try {
            if (!sender.awaitTermination(1, TimeUnit.SECONDS)) {
                LOG.debug("closed before all queues were notified; workers will find the jobs by polling");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
