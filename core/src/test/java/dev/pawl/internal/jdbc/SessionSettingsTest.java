package dev.pawl.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The driver opens another session while the settings of the former one are restored. */
class SessionSettingsTest {
    private static final SessionSettings.Repair REPAIR = new SessionSettings.Repair("a mode", "change", "restore");

    private final List<String> executed = new ArrayList<>();
    private final Connection connection =
            proxy(Connection.class, (name, arguments) -> name.equals("isClosed") ? (Object) false : statement());

    private interface Answer {
        Object to(String method, Object[] arguments) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                SessionSettingsTest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answer.to(method.getName(), arguments)));
    }

    private Statement statement() {
        return proxy(Statement.class, (name, arguments) -> {
            if (name.equals("execute")) {
                executed.add((String) arguments[0]);
                if (executed.equals(List.of("change", "restore"))) {
                    throw new SQLTransientConnectionException("reconnected", "25S03");
                }
            }
            return true;
        });
    }

    /** Regression: a transaction of a framework was lost, and committed nothing, without an error. */
    @Test
    void aSessionThatIsLostBeforeTheCommitIsAnError() {
        assertThatThrownBy(() -> SessionSettings.repairedBeforeCommit(connection, REPAIR, session -> 1))
                .hasMessage("reconnected");
        assertThat(executed).containsExactly("change", "restore", "restore");
    }

    @Test
    void aSessionThatIsLostAfterTheCommitIsRestoredAgain() throws SQLException {
        assertThat(SessionSettings.<Integer>repaired(connection, REPAIR, session -> 1))
                .isEqualTo(1);
        assertThat(executed).containsExactly("change", "restore", "restore");
    }
}
