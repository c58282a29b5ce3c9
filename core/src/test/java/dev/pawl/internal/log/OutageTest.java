package dev.pawl.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class OutageTest {
    private final List<String> lines = new ArrayList<>();
    private final Outage outage = new Outage((Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                if (!method.getName().equals("debug")) {
                    lines.add(method.getName());
                }
                return null;
            }));

    private void fails(String doing) {
        outage.failed(doing, new IllegalStateException("away"));
    }

    private void works(String doing) {
        outage.worked(doing, System.nanoTime());
    }

    /** Regression: an outage logged a line each second for each probed kind, and a stack trace for each call of each worker. */
    @Test
    void anOutageLogsItsBeginningAndItsEnd() {
        works("probe");
        for (int i = 0; i < 3; i++) {
            fails("probe");
            fails("report");
        }
        assertThat(lines).containsExactly("warn");
        works("probe");
        works("probe");
        works("report");
        works("report");
        assertThat(lines).containsExactly("warn", "info");
        fails("probe");
        assertThat(lines).containsExactly("warn", "info", "warn");
    }

    /** For example, reads still succeed where the database is read-only. */
    @Test
    void unrelatedSuccessesDoNotEndAnOutage() {
        fails("write");
        works("read");
        fails("write");
        assertThat(lines).containsExactly("warn");
    }

    @Test
    void callsFromBeforeAnOutageDoNotEndIt() {
        long sent = System.nanoTime() - 1;
        fails("probe");
        outage.worked("probe", sent);
        assertThat(lines).containsExactly("warn");
    }
}
