package dev.pawl.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.internal.assembly.Databases;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A pool without a connection test lends out a dead connection until it is aborted, whichever method the library calls
 * first.
 */
class DeadConnectionTest {
    private int aborted;

    private DataSource pool() {
        return proxy(DataSource.class, (name, type) -> connection(aborted > 0));
    }

    private Connection connection(boolean isAlive) {
        return proxy(Connection.class, (name, type) -> {
            switch (name) {
                case "abort" -> aborted++;
                case "close", "isClosed", "getAutoCommit", "getNetworkTimeout", "setNetworkTimeout", "unwrap" -> {}
                default -> {
                    if (!isAlive) {
                        throw new SQLException("the connection is closed", "08003");
                    }
                }
            }
            if (name.equals("getTransactionIsolation")) {
                return Connection.TRANSACTION_REPEATABLE_READ;
            }
            return type == boolean.class ? (Object) false : type == int.class ? 0 : null;
        });
    }

    private interface Answer {
        @Nullable
        Object to(String method, Class<?> type) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                DeadConnectionTest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answer.to(method.getName(), method.getReturnType())));
    }

    private void isReplaced(Database database, SqlWork<Integer> work, boolean inTransaction) {
        assertThatThrownBy(() -> {
                    int unused = inTransaction ? database.transaction(work) : database.statement(work);
                })
                .isInstanceOf(SQLException.class);
        assertThat(aborted).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "sqlite"})
    void deadConnectionsAreReplacedWhicheverCallIsFirst(String product) {
        for (boolean inTransaction : new boolean[] {true, false}) {
            aborted = 0;
            Database database = new Database(pool(), Databases.dialect(product, "pawl_"));
            isReplaced(
                    database,
                    connection -> {
                        connection.clearWarnings();
                        return 1;
                    },
                    inTransaction);
        }
    }
}
