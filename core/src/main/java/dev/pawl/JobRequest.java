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

    /**
     * @param newOptions how to enqueue it
     * @return a copy
     */
    public JobRequest options(EnqueueOptions newOptions) {
        return new JobRequest(kind, payload, newOptions);
    }

    /**
     * @param name of a header
     * @param value of it; replaces the one so far
     * @return a copy
     * @throws InvalidJobException if the headers are too many or too long, see {@link EnqueueOptions#headers}
     */
    public JobRequest header(String name, String value) {
        return options(options.header(name, value));
    }
}
