package dev.pawl.internal.engine;

import dev.pawl.Job;
import org.slf4j.MDC;

/** Which job a handler's thread is at, for each line that it logs: {@code %X{pawl.job.id} %X{pawl.job.kind}}. */
final class LogNames {
    static final String ID = "pawl.job.id";
    static final String KIND = "pawl.job.kind";

    private LogNames() {}

    static void put(Job job) {
        try {
            MDC.put(ID, Long.toString(job.id()));
            MDC.put(KIND, job.kind());
        } catch (Throwable broken) { // a log that does not work must not cost a run
            return;
        }
    }

    /** Of many jobs, the kind. */
    static void put(String kind) {
        try {
            MDC.put(KIND, kind);
        } catch (Throwable broken) {
            return;
        }
    }

    static void remove() {
        try {
            MDC.remove(ID);
            MDC.remove(KIND);
        } catch (Throwable broken) {
            return;
        }
    }
}
