package dev.pawl.cli;

import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event of a followed job.
 *
 * @param name its type: state, failed, log or progress
 * @param at when, by the database's clock; null if unknown
 * @param text for people
 * @param fields for programs
 */
record JobEvent(String name, @Nullable Instant at, String text, Map<String, @Nullable Object> fields) {
    private static final String NO_TIME = " ".repeat(Texts.time(Instant.EPOCH).length());

    /** Prints it on one line. */
    void print(PrintWriter out, Output output, long jobId) {
        Instant moment = at;
        if (!output.isJson()) {
            out.println((moment == null ? NO_TIME : Texts.time(moment)) + "  " + TerminalEscapes.line(text));
            return;
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("jobId", jobId);
        all.put("event", name);
        all.put("at", moment);
        all.putAll(fields);
        output.jsonLine(out, all);
    }
}
