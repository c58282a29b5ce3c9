package dev.pawl.internal.database.postgres;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
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
 * Sends no more than one NOTIFY for each queue every few milliseconds. Our own enqueuing transactions do not notify, because the commit of
 * a transaction with a NOTIFY takes a lock that all notifying transactions of the server wait for. A transaction of the caller contains the
 * NOTIFY, because only the caller knows when it commits.
 */
final class PostgresMessenger implements WakeHub.Messenger {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresMessenger.class);
    private static final long DEBOUNCE_MILLIS = 3;
    /** The pause after a failure, doubled with each further one. */
    private static final long FIRST_WAIT_MILLIS = 100;

    private static final long LONGEST_PAUSE_MILLIS = 30_000;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final DataSource dataSource;
    private final Database database;
    private final Sql notify;
    private final String channel;
    private final boolean inTransactions;
    /** The queues to be notified, or notified in the last few milliseconds. */
    private final Map<String, News> recent = new ConcurrentHashMap<>();
    /** Failures in a row. */
    private final AtomicInteger failures = new AtomicInteger();

    private volatile boolean closing;

    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "pawl-notify");
        thread.setDaemon(true);
        return thread;
    });

    /** The state of the notification of a queue. */
    private enum News {
        /** To be sent, or sent again. */
        PENDING,
        /** Being sent. */
        SENDING,
        /** Sent; the next one is delayed for a moment. */
        SENT
    }

    /**
     * @param dataSource the caller's pool
     * @param dialect the product and the prefix
     * @param inTransactions whether transactions of the caller notify
     */
    PostgresMessenger(DataSource dataSource, PostgresDialect dialect, boolean inTransactions) {
        this.dataSource = dataSource;
        this.database = new Database(dataSource, dialect).limited(LONGEST_WAIT);
        this.notify = dialect.statement("SELECT pg_notify(?, ?)");
        this.channel = dialect.channel();
        this.inTransactions = inTransactions;
    }

    @Override
    public void publish(String queue) {
        if (recent.put(queue, News.PENDING) == null) {
            schedule(queue, () -> send(queue), 0);
        }
    }

    private void schedule(String queue, Runnable work, long millis) {
        try {
            ScheduledFuture<?> unused = sender.schedule(work, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            boolean unused = recent.remove(queue, News.SENT);
        }
    }

    private void send(String queue) {
        try {
            // before sending: a job enqueued from now on requests another notification
            recent.put(queue, News.SENDING);
            boolean unused = database.autocommitOnce(connection -> notify(connection, queue));
            failures.set(0);
            unused = recent.replace(queue, News.SENDING, News.SENT); // unless another one was requested meanwhile
            schedule(queue, () -> rest(queue), DEBOUNCE_MILLIS);
        } catch (SQLException | RuntimeException | Error e) {
            recent.put(queue, News.PENDING);
            again(queue, e);
        }
    }

    /** Retries without end, because a suspended worker does not poll. While closing there is no time for more tries. */
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
        if (!recent.remove(queue, News.SENT)) {
            send(queue);
        }
    }

    @Override
    public void publishOnCommit(Connection connection, String queue) throws SQLException {
        if (inTransactions) {
            boolean unused = notify(connection, queue);
        }
    }

    @Override
    public boolean publishesOnCommit() {
        return inTransactions;
    }

    private boolean notify(Connection connection, String queue) throws SQLException {
        return notify.on(connection, channel, queue).exists();
    }

    @Override
    public WakeHub.Subscription subscribe(WakeHub.Receiver receiver) {
        PostgresListener listener = new PostgresListener(dataSource, channel, receiver, PostgresListener.CHECK);
        listener.start();
        return listener;
    }

    @Override
    public int borrowed() {
        return new ListenSource(dataSource).borrows() ? 1 : 0;
    }

    /**
     * Sends pending notifications for up to a second, because a program may exit right after its enqueue.
     */
    @Override
    public void close() {
        closing = true;
        try {
            Object unused = sender.submit(this::sendPending).get(1, TimeUnit.SECONDS);
        } catch (RejectedExecutionException closed) {
            return;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("could not send all pending notifications", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sender.shutdownNow();
        }
        List<String> unsent = unsent();
        if (!unsent.isEmpty()) {
            LOG.warn(
                    "closed before workers were notified of new jobs in {}: workers that poll find them anyway; workers"
                            + " that are suspended, when they resume",
                    unsent);
        }
    }

    /** Includes notifications that wait for another try. */
    private void sendPending() {
        for (Map.Entry<String, News> each : recent.entrySet()) {
            if (each.getValue() == News.PENDING) {
                send(each.getKey());
            }
        }
    }

    private List<String> unsent() {
        return recent.entrySet().stream()
                .filter(each -> each.getValue() != News.SENT)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
