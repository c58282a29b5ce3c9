package dev.pawl.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.pawl.internal.store.sql.Fault;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each error is provoked on the real server, and must be taken for what it is. */
interface FaultContract extends Contract {
    private String product() {
        return fixture().database.dialect().product();
    }

    private boolean isMariaDb() {
        return fixture().database.dialect().version().contains("MariaDB");
    }

    /** Two rows to quarrel about. */
    private void createRows() throws SQLException {
        fixture().execute("CREATE TABLE pawl_quarrel (id int PRIMARY KEY, n int)");
        fixture().execute("INSERT INTO pawl_quarrel VALUES (1, 0), (2, 0)");
    }

    /** Not from the pool: its sessions shall stay as they are. */
    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(testDatabase().jdbcUrl());
        connection.setAutoCommit(false);
        return connection;
    }

    private void run(Connection connection, String sql) throws SQLException {
        fixture().execute(connection, sql);
    }

    private Fault faultOf(Connection connection, String sql) {
        try {
            run(connection, sql);
            throw new AssertionError("no error: " + sql);
        } catch (SQLException e) {
            return Fault.of(e);
        }
    }

    @Test
    default void aDeadlockIsADeadlock() throws Exception {
        assumeThat(product()).isNotEqualTo("sqlite");
        createRows();
        try (Connection one = open();
                Connection two = open()) {
            run(one, "UPDATE pawl_quarrel SET n = 1 WHERE id = 1");
            run(two, "UPDATE pawl_quarrel SET n = 2 WHERE id = 2");
            CompletableFuture<@Nullable Fault> crossing = CompletableFuture.supplyAsync(() -> {
                try {
                    run(one, "UPDATE pawl_quarrel SET n = 1 WHERE id = 2");
                    return null;
                } catch (SQLException e) {
                    return Fault.of(e);
                }
            });
            Fault victim;
            try {
                run(two, "UPDATE pawl_quarrel SET n = 2 WHERE id = 1");
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
    default void aLockThatIsNotToBeHadInTimeIsALockTimeout() throws Exception {
        createRows();
        try (Connection one = open();
                Connection two = open()) {
            run(one, "UPDATE pawl_quarrel SET n = 1 WHERE id = 1");
            switch (product()) {
                case "postgresql" -> run(two, "SET lock_timeout = 50");
                case "mysql" -> run(two, "SET SESSION innodb_lock_wait_timeout = 1");
                default -> {
                    two.rollback();
                    two.setAutoCommit(true);
                    run(two, "PRAGMA busy_timeout = 0");
                }
            }
            Fault expected = product().equals("sqlite") ? Fault.BUSY : Fault.LOCK_TIMEOUT;
            assertThat(faultOf(two, "UPDATE pawl_quarrel SET n = 2 WHERE id = 1"))
                    .isEqualTo(expected);
            if (!product().equals("sqlite")) {
                two.rollback();
                assertThat(faultOf(two, "SELECT id FROM pawl_quarrel WHERE id = 1 FOR UPDATE NOWAIT"))
                        .isEqualTo(Fault.LOCK_TIMEOUT);
                two.rollback();
            }
            one.rollback();
        }
    }

    @Test
    default void aStaleReadIsASerializationFailure() throws Exception {
        assumeThat(product().equals("postgresql") || isMariaDb()).isTrue(); // MySQL updates what it has not read
        createRows();
        try (Connection one = open();
                Connection two = open()) {
            one.rollback();
            if (isMariaDb()) {
                run(one, "SET SESSION innodb_snapshot_isolation = ON");
            }
            one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            run(one, "SELECT n FROM pawl_quarrel");
            run(two, "UPDATE pawl_quarrel SET n = 2 WHERE id = 1");
            two.commit();
            assertThat(faultOf(one, "UPDATE pawl_quarrel SET n = 1 WHERE id = 1"))
                    .isEqualTo(Fault.SERIALIZATION);
            one.rollback();
        }
    }

    @Test
    default void aTakenKeyIsUniqueAndATableThatIsNotThereIsMissing() throws Exception {
        createRows();
        try (Connection one = open()) {
            assertThat(faultOf(one, "INSERT INTO pawl_quarrel VALUES (1, 0)")).isEqualTo(Fault.UNIQUE);
            one.rollback();
            Fault missing = faultOf(one, "SELECT 1 FROM pawl_nowhere");
            assertThat(missing).isEqualTo(product().equals("sqlite") ? Fault.OTHER : Fault.MISSING_TABLE);
            one.rollback();
        }
    }

    @Test
    default void aConnectionThatTheServerHasCutIsUnreachable() throws Exception {
        assumeThat(product()).isNotEqualTo("sqlite");
        createRows();
        for (String next : new String[] {"UPDATE pawl_quarrel SET n = 1 WHERE id = 1", "COMMIT"}) {
            Connection one = open();
            try {
                run(one, "UPDATE pawl_quarrel SET n = 7 WHERE id = 2");
                long session = session(one);
                fixture()
                        .execute(
                                product().equals("postgresql")
                                        ? "SELECT pg_terminate_backend(" + session + ", 5000)"
                                        : "KILL CONNECTION " + session);
                assertThat(faultOf(one, next)).isEqualTo(Fault.UNREACHABLE);
            } finally {
                one.abort(Runnable::run); // closing it would try to roll back
            }
        }
        assertThat(fixture().longOf("SELECT SUM(n) FROM pawl_quarrel")).isZero();
    }

    private long session(Connection connection) throws SQLException {
        String sql = product().equals("postgresql") ? "SELECT pg_backend_pid()" : "SELECT CONNECTION_ID()";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
