package dev.pawl;

import java.util.Objects;

/**
 * A job to enqueue whose payload is already encoded. Programs with a {@link JobType} do not need it; tools that take
 * payloads as text do (the command line, a bridge from another language).
 *
 * @param kind the kind
 * @param payload the payload as the codec writes it, JSON by default
 * @param options how to enqueue it
 */
public record JobRequest(String kind, String payload, EnqueueOptions options) {
    /**
     * @throws InvalidJobException if the kind is malformed or the payload holds a NUL character or half of a surrogate
     *     pair
     */
    public JobRequest {
        Names.check("kind", kind);
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(options, "options");
        if (payload.indexOf('\0') >= 0) {
            throw new InvalidJobException("the payload of kind '" + kind
                    + "' holds a NUL character, which PostgreSQL cannot store: encode it, for example as \\u0000");
        }
        for (int i = 0; i < payload.length(); i++) {
            if (Character.isSurrogate(payload.charAt(i))) {
                i += requirePair(kind, payload, i);
            }
        }
    }

    /** Every database would silently store a question mark instead. */
    private static int requirePair(String kind, String payload, int at) {
        if (at + 1 == payload.length() || !Character.isSurrogatePair(payload.charAt(at), payload.charAt(at + 1))) {
            throw new InvalidJobException(
                    "the payload of kind '" + kind + "' holds half of a surrogate pair at character " + at
                            + ", which is not valid text: was a string cut in the middle of a character?");
        }
        return 1;
    }
}
