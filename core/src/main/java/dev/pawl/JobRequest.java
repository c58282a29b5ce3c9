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
        Names.checkText("payload of kind", kind, payload);
    }
}
