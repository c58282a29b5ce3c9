package dev.pawl;

import java.util.Objects;

/**
 * A job to enqueue whose payload is encoded already. Programs with a {@link JobType} need not see this; tools that take
 * payloads as text (the command line, a bridge from another language) do.
 *
 * @param kind the kind
 * @param payload the payload as the codec writes it, JSON by default
 * @param options how to enqueue it
 */
public record JobRequest(String kind, String payload, EnqueueOptions options) {
    /**
     * @throws InvalidJobException if the kind is malformed or the payload holds a NUL character
     */
    public JobRequest {
        Names.check("kind", kind);
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(options, "options");
        if (payload.indexOf('\0') >= 0) {
            throw new InvalidJobException("the payload of kind '" + kind
                    + "' holds a NUL character, which PostgreSQL cannot store: encode it, for example as \\u0000");
        }
    }
}
