package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.servers.Capability;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each error is provoked on the real server, and must be classified correctly. */
@WhiteBox
interface FaultContract extends Contract {
    /** Two rows to conflict on. */
    private void createRows(Fixture fixture) throws SQLException {
        fixture.execute("CREATE TABLE pawl_conflict (id int PRIMARY KEY, n int)");
        fixture.execute("INSERT INTO pawl_conflict VALUES (1, 0), (2, 0)");
    }

    /** Opens a connection outside the pool, whose sessions must not change. */
    private Connection open(Fixture fixture) throws SQLException {
        Connection connection = DriverManager.getConnection(fixture.testDatabase.jdbcUrl());
        connection.setAutoCommit(false);
        return connection;
    }

    private void run(Fixture fixture, Connection connection, String sql) throws SQLException {
        fixture.execute(connection, sql);
    }

    private Fault faultOf(Fixture fixture, Connection connection, String sql) {
        try {
            run(fixture, connection, sql);
            throw new AssertionError("no error: " + sql);
        } catch (SQLException e) {
            return Fault.of(e);
        }
    }

    /** For example, a firewall drops packets. Regression: a worker hung until the operating system's timeout. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aServerThatDoesNotAnswerIsGivenUp(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.SESSIONS);
        Database limited = fixture.database.limited(Duration.ofMillis(300));
        assertThatThrownBy(() ->
                        limited.transaction(1, connection -> fixture.execute(connection, fixture.product.sleep(30))))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(Fault.of(e)).isEqualTo(Fault.UNREACHABLE));
        assertThat(fixture.longOf("SELECT 1")).as("the pool has noticed").isEqualTo(1);
        assertThat(limited.<Integer>autocommit(Connection::getNetworkTimeout)).isEqualTo(300);
        assertThat(fixture.database.<Integer>autocommit(Connection::getNetworkTimeout))
                .isZero();
    }

    private static DataSource atTimeouts(Fixture fixture, Collection<String> timeouts) {
        return fixture.at(
                "^" + TamperedDataSource.TIMEOUT,
                timeout -> timeouts.add(timeout.substring(TamperedDataSource.TIMEOUT.length())));
    }

    /** One dead connection must not cost all leases; nor may a short lease make a busy server look dead. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aRenewalWaitsForAQuarterOfTheLeaseButHalfASecondAtLeast(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.SESSIONS);
        List<String> timeouts = new ArrayList<>();
        DataSource tampered = atTimeouts(fixture, timeouts);
        DatabaseProduct product = Databases.of(fixture.pool, fixture.prefix);
        ClaimStrategy strategy = new SqlJobStore(product, new Database(tampered, product.dialect()), Retention.DEFAULTS)
                .strategy(Strategy.AUTO);
        fixture.enqueue();
        LeaseRenewal renewal =
                new LeaseRenewal(fixture.claimBy(strategy, 1).get(0).lease(), null);
        for (int seconds : new int[] {1, 2, 3, 30}) {
            timeouts.clear();
            assertThat(strategy.renew(List.of(renewal), Duration.ofSeconds(seconds))
                            .renewed())
                    .hasSize(1);
            assertThat(timeouts).startsWith(seconds <= 2 ? "500" : "" + seconds * 250);
        }
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aDeadlockIsADeadlock(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.ROW_LOCKS);
        createRows(fixture);
        try (Connection one = open(fixture);
                Connection two = open(fixture)) {
            run(fixture, one, "UPDATE pawl_conflict SET n = 1 WHERE id = 1");
            run(fixture, two, "UPDATE pawl_conflict SET n = 2 WHERE id = 2");
            CompletableFuture<@Nullable Fault> crossing = CompletableFuture.supplyAsync(() -> {
                try {
                    run(fixture, one, "UPDATE pawl_conflict SET n = 1 WHERE id = 2");
                    return null;
                } catch (SQLException e) {
                    return Fault.of(e);
                }
            });
            Fault victim;
            try {
                run(fixture, two, "UPDATE pawl_conflict SET n = 2 WHERE id = 1");
                two.rollback();
                victim = crossing.join();
            } catch (SQLException e) {
                victim = Fault.of(e);
                two.rollback();
                assertThat(crossing.join()).as("the other one goes on").isNull();
            }
            assertThat(victim).isEqualTo(Fault.DEADLOCK);
            one.rollback();
        } catch (CompletionException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    default void aLockWaitThatTimesOutIsALockTimeout(Fixture fixture) throws Exception {
        createRows(fixture);
        try (Connection one = open(fixture);
                Connection two = open(fixture)) {
            run(fixture, one, "UPDATE pawl_conflict SET n = 1 WHERE id = 1");
            two.setAutoCommit(true); // SQLite sets a timeout only outside a transaction
            run(fixture, two, fixture.product.shortLockTimeout());
            boolean rows = fixture.product.can(Capability.ROW_LOCKS);
            assertThat(faultOf(fixture, two, "UPDATE pawl_conflict SET n = 2 WHERE id = 1"))
                    .isEqualTo(rows ? Fault.LOCK_TIMEOUT : Fault.BUSY);
            if (rows) {
                two.setAutoCommit(false);
                assertThat(faultOf(fixture, two, "SELECT id FROM pawl_conflict WHERE id = 1 FOR UPDATE NOWAIT"))
                        .isEqualTo(Fault.LOCK_TIMEOUT);
                two.rollback();
            }
            one.rollback();
        }
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB})
    default void aStaleReadIsASerializationFailure(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.STALE_WRITE_FAILS);
        createRows(fixture);
        try (Connection one = open(fixture);
                Connection two = open(fixture)) {
            one.rollback();
            if (fixture.product == Product.MARIADB) {
                run(fixture, one, "SET SESSION innodb_snapshot_isolation = ON");
            }
            one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            run(fixture, one, "SELECT n FROM pawl_conflict");
            run(fixture, two, "UPDATE pawl_conflict SET n = 2 WHERE id = 1");
            two.commit();
            assertThat(faultOf(fixture, one, "UPDATE pawl_conflict SET n = 1 WHERE id = 1"))
                    .isEqualTo(Fault.SERIALIZATION);
            one.rollback();
        }
    }

    @Test
    default void aDuplicateKeyIsUniqueAndAnAbsentTableIsMissing(Fixture fixture) throws Exception {
        createRows(fixture);
        try (Connection one = open(fixture)) {
            assertThat(faultOf(fixture, one, "INSERT INTO pawl_conflict VALUES (1, 0)"))
                    .isEqualTo(Fault.UNIQUE);
            one.rollback();
            Fault missing = faultOf(fixture, one, "SELECT 1 FROM pawl_nowhere");
            assertThat(missing)
                    .isEqualTo(
                            fixture.product.can(Capability.MISSING_TABLE_IS_NAMED) ? Fault.MISSING_TABLE : Fault.OTHER);
            one.rollback();
        }
    }

    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aConnectionCutByTheServerIsUnreachable(Fixture fixture) throws Exception {
        fixture.assumeCan(Capability.SESSIONS);
        createRows(fixture);
        for (String next : new String[] {"UPDATE pawl_conflict SET n = 1 WHERE id = 1", "COMMIT"}) {
            Connection one = open(fixture);
            try {
                run(fixture, one, "UPDATE pawl_conflict SET n = 7 WHERE id = 2");
                long session = session(fixture, one);
                fixture.execute(fixture.product.endSession(session));
                assertThat(faultOf(fixture, one, next)).isEqualTo(Fault.UNREACHABLE);
            } finally {
                one.abort(Runnable::run); // closing it would try to roll back
            }
        }
        assertThat(fixture.longOf("SELECT SUM(n) FROM pawl_conflict")).isZero();
    }

    private long session(Fixture fixture, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(fixture.product.sessionId())) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Without a timeout, one dead connection would stop pruning forever. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aStatementOfThePrunerIsGivenUpInTheEnd(Fixture fixture) {
        fixture.assumeCan(Capability.SESSIONS);
        Queue<String> timeouts = new ConcurrentLinkedQueue<>();
        DataSource tampered = atTimeouts(fixture, timeouts);
        try (JobQueue queue = JobQueue.builder(tampered)
                .tablePrefix(fixture.prefix)
                .migrate(false)
                .open()) {
            timeouts.clear();
            queue.admin().maintenance().prune(Retention.DEFAULTS);
        }
        assertThat(timeouts).contains("" + Pruner.LONGEST_WAIT.toMillis());
    }
}
