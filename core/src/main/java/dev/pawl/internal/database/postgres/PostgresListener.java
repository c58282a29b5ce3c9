package dev.pawl.internal.database.postgres;

import dev.pawl.internal.jdbc.UselessConnections;
import dev.pawl.internal.wake.WakeHub;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs LISTEN on a connection that is held until the listener is closed, see {@link ListenSource}. First it sends itself a message through
 * another connection. If the message does not arrive (because of a pooler in between, or a pool of one connection), it gives its connection
 * back, leaves the work to polling, and tries again much later. After a while without messages it checks the connection, because a firewall
 * may have cut the connection without notice, or the server may accept no writes after a failover. A suspended worker suspends these checks
 * if TCP keepalive watches the connection.
 */
final class PostgresListener implements Runnable, WakeHub.Subscription {
    /** Time without a message after which the connection is checked. */
    static final Duration CHECK = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(PostgresListener.class);
    private static final Duration SELF_TEST = Duration.ofSeconds(2);
    /**
     * Length of one wait for messages. A connection of our own is closed to end the wait, but a wait on a connection of the pool must end
     * by itself.
     */
    private static final int WAIT_MILLIS = 500;

    private static final int BORROWED_WAIT_MILLIS = 100;
    private static final Duration LAST_WAIT = Duration.ofSeconds(2);
    /** Network timeout: all statements here are short, so a server that does not respond is unreachable. */
    private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(5);

    /** A server that is starting or busy may fail the first self-tests; further failures are due to the pool. */
    private static final int QUICK_TRIES = 4;

    private static final String TEST = "self-test ";

    private final ListenSource source;
    private final String channel;
    private final WakeHub.Receiver receiver;
    private final long checkNanos;
    private final int timeoutMillis;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Connection own;
    private volatile boolean works;
    private volatile boolean checksSuspended;
    private volatile long receivedNanos = System.nanoTime();
    private boolean keptAlive;
    private boolean hasSaid;
    private boolean hasWorked;
    private int failedTests;

    /**
     * @param dataSource the caller's pool
     * @param channel to listen on
     * @param receiver receives the queue; must not block
     * @param check time without a message after which the connection is checked
     */
    PostgresListener(DataSource dataSource, String channel, WakeHub.Receiver receiver, Duration check) {
        this.source = new ListenSource(dataSource);
        this.channel = channel;
        this.receiver = receiver;
        this.checkNanos = check.toNanos();
        this.timeoutMillis = (int) Math.min(check.toMillis(), NETWORK_TIMEOUT.toMillis());
        this.thread = new Thread(this, "pawl-listen");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** {@return whether its thread is running} */
    boolean isRunning() {
        return thread.isAlive();
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    @Override
    public void run() {
        while (!isClosed()) {
            long pauseMillis = ThreadLocalRandom.current().nextLong(500, 1500);
            try {
                if (!listen()) {
                    pauseMillis += afterFailedTest();
                }
            } catch (NotPgjdbc other) {
                LOG.info("LISTEN needs the driver pgjdbc: workers find jobs by polling");
                return;
            } catch (SQLException e) {
                LOG.debug("the LISTEN connection broke; polling until it is back", e);
            } catch (RuntimeException | Error e) {
                LOG.warn("listening for new jobs failed, trying again in a moment; polling meanwhile", e);
            }
            lost();
            pause(pauseMillis);
        }
    }

    private void lost() {
        if (works) {
            works = false;
            receiver.lost();
        }
    }

    /** {@return whether messages arrive} A connection that was silent for long counts as connected only after a successful check. */
    @Override
    public boolean isConnected() {
        return works
                && System.nanoTime() - receivedNanos
                        < checkNanos + NETWORK_TIMEOUT.toNanos() + WAIT_MILLIS * 1_000_000L;
    }

    @Override
    public void suspendChecks(boolean wanted) {
        checksSuspended = wanted;
    }

    /** {@return false if the self-test shows that no message can arrive} Otherwise returns when the listener is closed. */
    private boolean listen() throws SQLException {
        ListenSource.Source from = source.connect();
        try (Connection connection = from.connection()) {
            if (!connection.isWrapperFor(PGConnection.class)) {
                throw new NotPgjdbc();
            }
            own = from.own() ? connection : null;
            keptAlive = from.keptAlive();
            return isClosed() || listen(connection);
        } finally {
            own = null;
        }
    }

    /** The driver is not pgjdbc, and only pgjdbc can wait for notifications. */
    private static final class NotPgjdbc extends SQLException {
        private static final long serialVersionUID = 1L;
    }

    /** {@return the pause before the next try; each try holds a connection for two seconds} */
    private long afterFailedTest() {
        failedTests++;
        if (failedTests == 1) {
            LOG.info("LISTEN does not work through this pool (a transaction pooler, or a pool of one connection):"
                    + " workers find jobs by polling");
        }
        long most = hasWorked ? TimeUnit.MINUTES.toMillis(1) : TimeUnit.HOURS.toMillis(1);
        long first =
                hasWorked || failedTests < QUICK_TRIES ? TimeUnit.SECONDS.toMillis(1) : TimeUnit.MINUTES.toMillis(1);
        return Math.min(most, first << Math.min(failedTests, 10));
    }

    private boolean listen(Connection connection) throws SQLException {
        int timeout = connection.getNetworkTimeout();
        boolean autoCommit = connection.getAutoCommit();
        try {
            connection.setNetworkTimeout(Runnable::run, timeoutMillis);
            connection.setAutoCommit(true);
            PGConnection postgres = connection.unwrap(PGConnection.class);
            execute(connection, "LISTEN " + postgres.escapeIdentifier(channel));
            if (!selfTest(postgres)) {
                return false;
            }
            hasWorked = true;
            receivedNanos = System.nanoTime();
            works = true;
            failedTests = 0;
            receive(connection, postgres);
            return true;
        } finally {
            if (own == null) {
                restore(connection, autoCommit, timeout);
            }
        }
    }

    /** Restores the state that the pool expects. If the connection is dead, the statement also makes the pool notice. */
    private static void restore(Connection connection, boolean autoCommit, int timeout) {
        try {
            execute(connection, "UNLISTEN *");
            connection.setAutoCommit(autoCommit);
            connection.setNetworkTimeout(Runnable::run, timeout);
        } catch (SQLException e) {
            LOG.debug("the LISTEN connection cannot be restored before it returns to the pool", e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private boolean selfTest(PGConnection postgres) throws SQLException {
        String nonce = TEST + UUID.randomUUID();
        Thread sender = new Thread(() -> send(nonce), "pawl-listen-self-test");
        sender.setDaemon(true);
        sender.start();
        long deadline = System.nanoTime() + SELF_TEST.toNanos();
        while (System.nanoTime() - deadline < 0 && !isClosed()) {
            for (PGNotification notification : notifications(postgres, 100)) {
                if (notification.getParameter().equals(nonce)) {
                    return true;
                }
                pass(notification);
            }
        }
        return isClosed();
    }

    private void send(String nonce) {
        try (Connection connection = source.connect().connection()) {
            int timeout = connection.getNetworkTimeout();
            connection.setNetworkTimeout(
                    Runnable::run, timeoutMillis); // otherwise a dead connection never returns to the pool
            send(connection, nonce);
            connection.setNetworkTimeout(Runnable::run, timeout);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("the self-test of LISTEN could not be sent", e);
        }
    }

    private void send(Connection connection, String nonce) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
            statement.setString(1, channel);
            statement.setString(2, nonce);
            statement.execute();
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
    }

    private void receive(Connection connection, PGConnection postgres) throws SQLException {
        int most = own != null ? WAIT_MILLIS : BORROWED_WAIT_MILLIS;
        int wait = (int) Math.min(most, TimeUnit.NANOSECONDS.toMillis(checkNanos));
        while (!isClosed()) {
            PGNotification[] received = notifications(postgres, wait);
            for (PGNotification notification : received) {
                pass(notification);
            }
            if (received.length > 0) {
                receivedNanos = System.nanoTime();
            } else if (!mayBeSilent() && System.nanoTime() - receivedNanos >= checkNanos) {
                requireWritable(connection);
                receivedNanos = System.nanoTime();
            }
        }
    }

    /** A former primary may survive a failover; no program writes to it, so it sends no notifications. */
    private static void requireWritable(Connection connection) throws SQLException {
        boolean isReadOnly;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW transaction_read_only")) {
            isReadOnly = row.next() && row.getString(1).equals("on");
        }
        if (isReadOnly) {
            SQLException useless = new SQLException("the server takes no writes, so no messages come from it", "25006");
            UselessConnections.discard(connection, useless);
            throw useless;
        }
    }

    /** Without keepalive a suspended worker would not detect a dead connection until the end of its suspension. */
    private boolean mayBeSilent() {
        if (checksSuspended && !keptAlive && !hasSaid) {
            hasSaid = true;
            LOG.info(
                    "the connection that listens is checked every {} s although the worker is suspended, because its"
                            + " pool does not say whether TCP keepalive is on: set tcpKeepAlive=true in the JDBC URL",
                    TimeUnit.NANOSECONDS.toSeconds(checkNanos));
        }
        return checksSuspended && keptAlive;
    }

    private static PGNotification[] notifications(PGConnection postgres, int millis) throws SQLException {
        PGNotification[] received = postgres.getNotifications(millis);
        return received == null ? new PGNotification[0] : received;
    }

    private void pass(PGNotification notification) {
        String queue = notification.getParameter();
        if (!queue.startsWith(TEST)) {
            receiver.received(queue);
        }
    }

    private void pause(long millis) {
        try {
            boolean unused = closed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            LOG.debug("the listener was interrupted; it goes on unless it is closed", e);
        }
    }

    /** Waits until the connection is returned or closed, because the caller may close the pool next. */
    @Override
    public void close() {
        closed.countDown();
        closeOwn();
        thread.interrupt();
        try {
            thread.join(LAST_WAIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeOwn() {
        Connection connection = own;
        if (connection != null) {
            try {
                connection.abort(Runnable::run); // ends the wait at once
            } catch (SQLException e) {
                LOG.debug("the LISTEN connection does not close; its thread will notice that it has to end", e);
            }
        }
    }
}
