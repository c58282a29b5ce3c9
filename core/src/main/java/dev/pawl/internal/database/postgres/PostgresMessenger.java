package dev.pawl.internal.database.postgres;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
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
    /** After a failure, doubled with each. */
    private static final long FIRST_WAIT_MILLIS = 100;

    private static final long LONGEST_PAUSE_MILLIS = 30_000;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final DataSource dataSource;
    private final Database database;
    private final String channel;
    private final boolean inTransactions;
    /** The queues that have news, or were notified in the last few milliseconds. */
    private final Map<String, News> recent = new ConcurrentHashMap<>();
    /** How often in a row it has failed. */
    private final AtomicInteger failures = new AtomicInteger();

    private volatile boolean closing;

    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "pawl-notify");
        thread.setDaemon(true);
        return thread;
    });

    /** What is known of the news of a queue. */
    private enum News {
        /** Somebody has to be told, or told again. */
        UNTOLD,
        /** That is being done. */
        UNDER_WAY,
        /** That is done; the next news waits for a moment. */
        TOLD
    }

    /**
     * @param dataSource the caller's pool
     * @param dialect the product and the prefix
     * @param inTransactions whether transactions of the caller notify
     */
    PostgresMessenger(DataSource dataSource, PostgresDialect dialect, boolean inTransactions) {
        this.dataSource = dataSource;
        this.database = new Database(dataSource, dialect).limited(LONGEST_WAIT);
        this.channel = dialect.channel();
        this.inTransactions = inTransactions;
    }

    @Override
    public void tell(String queue) {
        if (recent.put(queue, News.UNTOLD) == null) {
            schedule(queue, () -> send(queue), 0);
        }
    }

    private void schedule(String queue, Runnable work, long millis) {
        try {
            ScheduledFuture<?> unused = sender.schedule(work, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            boolean unused = recent.remove(queue, News.TOLD);
        }
    }

    private void send(String queue) {
        try {
            // before sending: a job enqueued from here on asks for a notification of its own
            recent.put(queue, News.UNDER_WAY);
            boolean unused = database.autocommitOnce(connection -> notify(connection, queue));
            failures.set(0);
            unused = recent.replace(queue, News.UNDER_WAY, News.TOLD); // unless there is more by now
            schedule(queue, () -> rest(queue), DEBOUNCE_MILLIS);
        } catch (SQLException | RuntimeException | Error e) {
            recent.put(queue, News.UNTOLD);
            again(queue, e);
        }
    }

    /** A worker that sleeps does not poll: it has to be told, however late. While closing there is no time for more tries. */
    private void again(String queue, Throwable failure) {
        long wait = Math.min(FIRST_WAIT_MILLIS << Math.min(failures.getAndIncrement(), 10), LONGEST_PAUSE_MILLIS);
        LOG.debug(
                "could not notify queue {}, trying again in {} ms; workers that are awake find its jobs by polling",
                queue,
                wait,
                failure);
        if (!closing) {
            schedule(queue, () -> send(queue), wait);
        }
    }

    private void rest(String queue) {
        if (!recent.remove(queue, News.TOLD)) {
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
        closing = true;
        try {
            Object unused = sender.submit(this::sendWhatIsLeft).get(1, TimeUnit.SECONDS);
        } catch (RejectedExecutionException closed) {
            return;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("could not send all that was left", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sender.shutdownNow();
        }
        List<String> untold = untold();
        if (!untold.isEmpty()) {
            LOG.warn(
                    "closed before workers were told of news in {}: those that poll find it by themselves; those that"
                            + " sleep while they are idle, when they wake",
                    untold);
        }
    }

    /** Those that wait for another try, too. */
    private void sendWhatIsLeft() {
        for (Map.Entry<String, News> each : recent.entrySet()) {
            if (each.getValue() == News.UNTOLD) {
                send(each.getKey());
            }
        }
    }

    private List<String> untold() {
        return recent.entrySet().stream()
                .filter(each -> each.getValue() != News.TOLD)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
