package dev.pawl.internal.enqueue;

import dev.pawl.api.InvalidJobException;
import java.nio.charset.StandardCharsets;

/**
 * The maximum size of payloads.
 *
 * @param bytes the maximum, in UTF-8
 */
public record PayloadLimit(int bytes) {
    /** The largest configurable limit; also the limit of jobs that are enqueued by SQL. */
    public static final int MAX_BYTES = 16_000_000;

    /**
     * @param whose the owner of the payload, for the message
     * @param payload the encoded payload
     * @throws InvalidJobException if it is larger
     */
    public void require(String whose, String payload) {
        // A Java char takes at most three bytes (a surrogate pair four), so most payloads need no count.
        if (payload.length() > bytes / 3) {
            int length = payload.getBytes(StandardCharsets.UTF_8).length;
            if (length > bytes) {
                throw new InvalidJobException("a payload of " + whose + " has " + length + " bytes, the maximum is "
                        + bytes + ": store the data elsewhere and enqueue a reference, or raise maxPayloadBytes");
            }
        }
    }
}
