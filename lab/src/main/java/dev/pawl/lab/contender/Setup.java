package dev.pawl.lab.contender;

import dev.pawl.lab.database.Scratch;

/**
 * How a contender is to be set up.
 *
 * @param system its name, see {@link Contenders}
 * @param scratch an empty database
 * @param workers handlers at once
 * @param processes that they are spread over; 0 for threads of the lab itself
 * @param batch most jobs of one claim; 0 for the contender's own default
 * @param payloadBytes about that much in each job
 * @param handlerMillis how long a handler in another process takes; those in the lab are given
 */
public record Setup(
        String system, Scratch scratch, int workers, int processes, int batch, int payloadBytes, int handlerMillis) {
    /** {@return the payload of a job, JSON of about the wanted size} */
    public String payload(int job) {
        return "{\"n\":" + job + ",\"pad\":\"" + pad() + "\"}";
    }

    /** {@return the number in such a payload} */
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

    /** {@return what fills payloads up} */
    String pad() {
        return "x".repeat(Math.max(0, payloadBytes - 20));
    }
}
