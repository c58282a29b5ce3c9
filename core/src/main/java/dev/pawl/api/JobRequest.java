package dev.pawl.api;

import java.util.Objects;

/**
 * A job to enqueue whose payload is already encoded. For tools that get payloads as text (the command line, a bridge
 * from another language); programs use a {@link JobType} instead.
 *
 * @param kind the kind
 * @param payload the payload as the codec writes it, JSON by default
 * @param options how to enqueue it
 */
public record JobRequest(String kind, String payload, EnqueueOptions options) {
    /**
     * @throws IllegalArgumentException if the kind is malformed
     * @throws InvalidJobException if the payload holds a NUL character or half of a surrogate pair
     */
    public JobRequest {
        Names.check("kind", kind);
        Objects.requireNonNull(payload, "payload");
        Objects.requireNonNull(options, "options");
        Names.checkText("payload of kind", kind, payload);
    }

    /**
     * Replaces the options.
     *
     * @param newOptions how to enqueue it
     * @return a copy
     */
    public JobRequest options(EnqueueOptions newOptions) {
        return new JobRequest(kind, payload, newOptions);
    }

    /**
     * Adds a header, or replaces the one with this name.
     *
     * @param name of the header
     * @param value of the header
     * @return a copy
     * @throws IllegalArgumentException if there are too many headers, they are too long, or the name is malformed or
     *     reserved
     */
    public JobRequest header(String name, String value) {
        return options(options.header(name, value));
    }
}
