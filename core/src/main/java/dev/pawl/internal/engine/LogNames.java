package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Puts the job of a handler's thread into the context of its log lines: {@code %X{pawl.job.id} %X{pawl.job.kind}}. When closed, it restores
 * the thread's previous context, including names that the handler has put and not removed.
 */
final class LogNames {
    static final String ID = "pawl.job.id";
    static final String KIND = "pawl.job.kind";

    private final @Nullable Map<String, String> before;

    private LogNames(@Nullable Map<String, String> before) {
        this.before = before;
    }

    static LogNames of(Job job) {
        LogNames names = new LogNames(current());
        put(ID, Long.toString(job.id()));
        put(KIND, job.kind());
        return names;
    }

    /** Puts the kind only, for a chunk. */
    static LogNames of(String kind) {
        LogNames names = new LogNames(current());
        put(KIND, kind);
        return names;
    }

    private static @Nullable Map<String, String> current() {
        try {
            return MDC.getCopyOfContextMap();
        } catch (Throwable broken) { // a broken log must not cost a run
            return null;
        }
    }

    private static void put(String name, String value) {
        try {
            MDC.put(name, value);
        } catch (Throwable broken) {
            return;
        }
    }

    void close() {
        try {
            if (before == null || before.isEmpty()) {
                MDC.clear();
            } else {
                MDC.setContextMap(before);
            }
        } catch (Throwable broken) {
            return;
        }
    }
}
