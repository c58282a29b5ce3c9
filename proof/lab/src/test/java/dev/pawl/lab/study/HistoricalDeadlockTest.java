package dev.pawl.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.jdbc.Fault;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Durability;
import dev.pawl.servers.Product;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The deadlocks of the study, step by step, with the study's statements at the server's default isolation, on MariaDB
 * and, if one is configured, on MySQL.
 */
@ResourceLock("the embedded MariaDB")
@ParameterizedClass(name = "{0}")
@MethodSource("products")
class HistoricalDeadlockTest {
    private static final long NOW = 1_800_000_000;

    private final TestDatabase database;
    private final List<Connection> sessions = new ArrayList<>();
    private final Connection watcher;

    HistoricalDeadlockTest(Product product) throws SQLException {
        database = server(product).createDatabase();
        watcher = DriverManager.getConnection(database.jdbcUrl());
        sessions.add(watcher);
    }

    static List<Product> products() {
        return TestServers.mySql().isPresent() ? List.of(Product.MARIADB, Product.MYSQL) : List.of(Product.MARIADB);
    }

    private static TestServer server(Product product) {
        return product == Product.MYSQL ? TestServers.mySql().orElseThrow() : TestServers.mariaDb(Durability.DISK);
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection session : sessions) {
            session.close();
        }
        database.close();
    }

    private Connection session() throws SQLException {
        Connection session = DriverManager.getConnection(database.jdbcUrl());
        session.setAutoCommit(false);
        sessions.add(session);
        return session;
    }

    private Statements threeJobs(Design design) throws SQLException {
        HistoricalQueue queue = new HistoricalQueue("mysql", design, 4);
        queue.create(watcher);
        queue.insertDelayed(watcher, 3);
        queue.release(watcher);
        return new Statements("mysql", design);
    }

    private static void byId(Connection session, String sql, long id) throws SQLException {
        try (PreparedStatement statement = session.prepareStatement(sql)) {
            statement.setLong(1, id);
            statement.execute();
        }
    }

    private static void reserve(Connection session, Statements sql, long id) throws SQLException {
        try (PreparedStatement statement = session.prepareStatement(sql.reserve())) {
            statement.setLong(1, NOW);
            statement.setLong(2, id);
            statement.execute();
        }
    }

    private static long select(Connection session, Statements sql) throws SQLException {
        try (PreparedStatement statement = session.prepareStatement(sql.select())) {
            statement.setString(1, "default");
            statement.setLong(2, NOW);
            statement.setLong(3, NOW - 4);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    private interface Step {
        void run() throws SQLException;
    }

    /** Returns null on success. After an error the session is rolled back, as its worker would do. */
    private static @Nullable Fault outcome(Connection session, Step step) {
        try {
            step.run();
            return null;
        } catch (SQLException e) {
            try {
                session.rollback();
            } catch (SQLException broken) {
                e.addSuppressed(broken);
            }
            return Fault.of(e);
        }
    }

    private static CompletableFuture<@Nullable Fault> start(Connection session, Step step) {
        return CompletableFuture.supplyAsync(() -> outcome(session, step));
    }

    private void awaitWaiting(int transactions) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (waiting() < transactions) {
            assertThat(System.nanoTime()).as("%d waiting", transactions).isLessThan(deadline);
            Delay.poll(5);
        }
    }

    private int waiting() throws SQLException {
        try (Statement statement = watcher.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'")) {
            row.next();
            return row.getInt(2);
        }
    }

    private static void assertOneDeadlock(@Nullable Fault one, @Nullable Fault other) {
        List<Fault> faults = new ArrayList<>();
        if (one != null) {
            faults.add(one);
        }
        if (other != null) {
            faults.add(other);
        }
        assertThat(faults).containsExactly(Fault.DEADLOCK);
    }

    @Test
    void theDeleteOfAFetchedJobDeadlocksWithAClaim() throws Exception {
        Statements sql = threeJobs(Design.pessimistic(false, true, 1));
        Connection deleter = session();
        Connection claimer = session();
        byId(deleter, sql.fetch(), 1);
        CompletableFuture<@Nullable Fault> claim = start(claimer, () -> select(claimer, sql));
        awaitWaiting(1); // the claim holds the index entry of job 1 and waits for the row
        Fault delete = outcome(deleter, () -> byId(deleter, sql.delete(), 1)); // holds the row and waits for the entry
        if (delete == null) {
            deleter.commit();
        }
        assertOneDeadlock(delete, claim.get(20, TimeUnit.SECONDS));
    }

    /** The study's warning about servers without deadlock detection: everything waits until one transaction times out. */
    @Test
    void withoutDeadlockDetectionBothWaitForATimeout() throws Exception {
        Statements sql = threeJobs(Design.pessimistic(false, true, 1));
        Connection deleter = session();
        Connection claimer = session();
        try (Statement statement = watcher.createStatement();
                Statement waits = deleter.createStatement()) {
            statement.execute("SET GLOBAL innodb_deadlock_detect = OFF");
            waits.execute("SET SESSION innodb_lock_wait_timeout = 1");
            byId(deleter, sql.fetch(), 1);
            CompletableFuture<@Nullable Fault> claim = start(claimer, () -> select(claimer, sql));
            awaitWaiting(1);
            long begun = System.nanoTime();
            assertThat(outcome(deleter, () -> byId(deleter, sql.delete(), 1))).isEqualTo(Fault.LOCK_TIMEOUT);
            assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(700));
            assertThat(claim.get(20, TimeUnit.SECONDS))
                    .as("the claim gets the job, though it is finished")
                    .isNull();
        } finally {
            try (Statement statement = watcher.createStatement()) {
                statement.execute("SET GLOBAL innodb_deadlock_detect = ON");
            }
        }
    }

    @Test
    void withoutTheFetchItDeadlocksToo() throws Exception {
        Statements sql = threeJobs(Design.pessimistic(false, false, 1));
        Connection holder = session();
        Connection deleter = session();
        Connection claimer = session();
        byId(holder, sql.fetch(), 1);
        CompletableFuture<@Nullable Fault> delete = start(deleter, () -> byId(deleter, sql.delete(), 1));
        awaitWaiting(1);
        CompletableFuture<@Nullable Fault> claim = start(claimer, () -> select(claimer, sql));
        awaitWaiting(2);
        holder.commit();
        @Nullable Fault deleted = delete.get(20, TimeUnit.SECONDS);
        if (deleted == null) {
            deleter.commit();
        }
        assertOneDeadlock(deleted, claim.get(20, TimeUnit.SECONDS));
    }

    @Test
    void theDeleteMarkTakesOneLockAndDoesNotDeadlock() throws Exception {
        Statements sql = threeJobs(Design.pessimistic(true, false, 1));
        Connection holder = session();
        Connection marker = session();
        Connection claimer = session();
        byId(holder, sql.fetch(), 1);
        CompletableFuture<@Nullable Fault> mark = start(marker, () -> byId(marker, sql.mark(), 1));
        awaitWaiting(1);
        CompletableFuture<@Nullable Fault> claim = start(claimer, () -> select(claimer, sql));
        awaitWaiting(2);
        holder.commit();
        assertThat(mark.get(20, TimeUnit.SECONDS)).isNull();
        marker.commit();
        assertThat(claim.get(20, TimeUnit.SECONDS)).isNull();
    }

    @Test
    void withoutAnIndexThereIsNoDeadlock() throws Exception {
        Statements sql = threeJobs(Design.pessimistic(false, true, 1).index(Design.Index.NONE));
        Connection deleter = session();
        Connection claimer = session();
        byId(deleter, sql.fetch(), 1);
        CompletableFuture<@Nullable Fault> claim = start(claimer, () -> select(claimer, sql));
        awaitWaiting(1);
        assertThat(outcome(deleter, () -> byId(deleter, sql.delete(), 1))).isNull();
        deleter.commit();
        assertThat(claim.get(20, TimeUnit.SECONDS)).isNull();
    }

    /** SKIP LOCKED does not help here, because it applies to the read but not to the update. */
    @Test
    void anIndexOnWhatAClaimChangesDeadlocksTwoClaims() throws Exception {
        Statements sql = threeJobs(Design.pessimistic(false, false, 1)
                .index(Design.Index.LEGACY_54)
                .skippingLocked());
        Connection one = session();
        Connection two = session();
        long first = select(one, sql);
        long second = select(two, sql);
        assertThat(first).isNotZero();
        CompletableFuture<@Nullable Fault> update = start(one, () -> reserve(one, sql, first));
        awaitWaiting(1); // waits to insert its new index entry into a gap that session two has locked
        Fault other = outcome(two, () -> reserve(two, sql, second == 0 ? 2 : second));
        if (other == null) {
            two.commit();
        }
        assertOneDeadlock(update.get(20, TimeUnit.SECONDS), other);
    }
}
