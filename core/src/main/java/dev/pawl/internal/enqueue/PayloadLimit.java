package dev.pawl.internal.enqueue;

import dev.pawl.api.InvalidJobException;
import java.nio.charset.StandardCharsets;

/**
 * How large payloads may be.
 *
 * @param bytes at most, in UTF-8
 */
public record PayloadLimit(int bytes) {
    /** The most that any limit allows, and that the SQL door takes, which has no other limit. */
    public static final int MOST = 16_000_000;

    /**
     * @param whose it is, for the message
     * @param payload as the codec wrote it
     * @throws InvalidJobException if it is larger
     */
    public void require(String whose, String payload) {
        // A character takes one to three bytes (two of them may take four together), so most payloads need no count.
        if (payload.length() > bytes / 3) {
            int length = payload.getBytes(StandardCharsets.UTF_8).length;
            if (length > bytes) {
                throw new InvalidJobException("a payload of " + whose + " has " + length + " bytes, the most is "
                        + bytes + ": store the data elsewhere and enqueue a reference, or raise maxPayloadBytes");
            }
        }
    }
}
