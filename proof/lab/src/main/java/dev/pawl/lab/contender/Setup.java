package dev.pawl.lab.contender;

import dev.pawl.lab.database.Scratch;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The configuration of a contender.
 *
 * @param system its name, see {@link Contenders}
 * @param scratch an empty database
 * @param workers number of handlers
 * @param processes over which the handlers are distributed; 0 for threads of the lab itself
 * @param batch maximum jobs per claim; 0 for the contender's own default
 * @param payloadBytes approximate size of each payload
 * @param handlerMillis duration of a handler in another process; handlers in the lab are passed separately
 */
public record Setup(
        String system, Scratch scratch, int workers, int processes, int batch, int payloadBytes, int handlerMillis) {
    /** Connections of each worker, if there are several workers. */
    static final int SMALL_POOL = 4;

    private static final int LEAST_WAIT_SECONDS = 3;
    /** Slower than most systems enqueue, so that jobs are written before they are due. */
    private static final int ENQUEUED_PER_SECOND = 40_000;

    /** {@return the number of workers in the lab that share the handlers, each with its own pool; at least one per node of a cluster} */
    int spread() {
        return Math.max(Variant.workers(system), scratch.nodes().size());
    }

    /** {@return the number of handlers of one of the {@link #spread()} workers, at least one; together they have {@link #workers}} */
    int handlers(int worker) {
        return Math.max(1, workers * (worker + 1) / spread() - workers * worker / spread());
    }

    /** {@return the configuration as text} */
    String handlersText() {
        return spread() == 1
                ? "one worker, " + workers + " handlers"
                : spread() + " workers"
                        + (scratch.nodes().size() == 1
                                ? ""
                                : " on " + scratch.nodes().size() + " nodes")
                        + " with pools of " + SMALL_POOL + " connections, " + Math.max(workers, spread())
                        + " handlers";
    }

    /** {@return the second in which this many jobs become due, late enough to write them before} */
    static Instant due(int jobs) {
        return Instant.now()
                .plusSeconds(LEAST_WAIT_SECONDS + jobs / ENQUEUED_PER_SECOND)
                .truncatedTo(ChronoUnit.SECONDS);
    }

    /** {@return the payload of a job, JSON of about the configured size} */
    public String payload(int job) {
        return "{\"n\":" + job + ",\"pad\":\"" + pad() + "\"}";
    }

    /** {@return the job's number in such a payload} */
    static int number(String payload) {
        int start = payload.indexOf(':') + 1;
        while (payload.charAt(start) == ' ') {
            start++;
        }
        int end = start;
        while (Character.isDigit(payload.charAt(end))) {
            end++;
        }
        return Integer.parseInt(payload, start, end, 10);
    }

    /** {@return the padding of payloads} */
    String pad() {
        return "x".repeat(Math.max(0, payloadBytes - 20));
    }
}
