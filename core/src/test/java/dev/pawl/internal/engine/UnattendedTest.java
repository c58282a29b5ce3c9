package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.store.QueueAndKind;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/** A worker logs waiting jobs that no worker handles, because newcomers often forget a queue or a handler. */
class UnattendedTest extends PartsFixture {
    private final List<String> logged = new ArrayList<>();
    private final Logger log = (Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                logged.add(method.getName() + ": "
                        + MessageFormatter.format((String) arguments[0], arguments[1], arguments[2])
                                .getMessage());
                return null;
            });
    private final Unattended unattended = new Unattended(parts().registration, log);

    /** {@return the resulting log lines} */
    private List<String> check(QueueAndKind... uncovered) throws SQLException {
        logged.clear();
        store.uncovered = List.of(uncovered);
        unattended.check();
        return List.copyOf(logged);
    }

    @Test
    void eachQueueAndKindIsNamedOnceWhileItLasts() throws Exception {
        QueueAndKind one = new QueueAndKind("mail", "greet");
        QueueAndKind other = new QueueAndKind("mail", "bill");
        assertThat(check()).isEmpty();
        assertThat(check(one))
                .containsExactly(
                        "warn: queue mail has jobs of kind greet that no live worker handles: start a worker with"
                                + " this queue and a handler for this kind");
        assertThat(check(one)).isEmpty();
        assertThat(check(one, other)).singleElement().asString().contains("kind bill");
        assertThat(check(other)).isEmpty();
        assertThat(check(one, other)).as("somebody handled it meanwhile").hasSize(1);
    }
}
