package dev.pawl;

import java.util.Objects;

/**
 * Ties a stable {@link #kind() kind} name to the Java type of its payload. Declare one constant per kind and use it on
 * both sides, to enqueue and to handle. Immutable.
 *
 * @param kind the stable name that is stored with every job; never a class name, so that classes can be renamed.
 *     Letters, digits and {@code . _ : / -}, at most 100 characters
 * @param payloadType the type that the codec encodes and decodes, usually a record; with {@code @JsonTypeInfo} where it is
 *     sealed or abstract
 * @param defaults the options used when a job of this type is enqueued without options of its own
 * @param <T> the payload
 */
public record JobType<T>(String kind, TypeToken<T> payloadType, EnqueueOptions defaults) {
    /**
     * @throws InvalidJobException if the kind is malformed
     */
    public JobType {
        Names.check("kind", kind);
        Objects.requireNonNull(payloadType, "payloadType");
        Objects.requireNonNull(defaults, "defaults");
    }

    /**
     * A type with {@link EnqueueOptions#DEFAULTS default options}.
     *
     * @param kind the stable name
     * @param payloadType the payload's class
     * @param <T> the payload
     * @return the type
     * @throws InvalidJobException if the kind is malformed
     */
    public static <T> JobType<T> of(String kind, Class<T> payloadType) {
        return of(kind, TypeToken.of(payloadType));
    }

    /**
     * A type with {@link EnqueueOptions#DEFAULTS default options} and a generic payload:
     * {@code JobType.of("report.send", new TypeToken<List<Long>>() {})}.
     *
     * @param kind the stable name
     * @param payloadType the payload's type in full
     * @param <T> the payload
     * @return the type
     * @throws InvalidJobException if the kind is malformed
     */
    public static <T> JobType<T> of(String kind, TypeToken<T> payloadType) {
        return new JobType<>(kind, payloadType, EnqueueOptions.DEFAULTS);
    }

    /**
     * The same type with other default options.
     *
     * @param newDefaults used when a job is enqueued without options of its own
     * @return a copy
     */
    public JobType<T> withDefaults(EnqueueOptions newDefaults) {
        return new JobType<>(kind, payloadType, newDefaults);
    }
}
