package dev.pawl.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A stable {@link #kind() kind} name and the Java type of its payload. Declare one constant for each kind and use it
 * both to enqueue and to handle. Immutable.
 *
 * @param kind the stable name that is stored with every job; not a class name, so that classes can be renamed. Letters,
 *     digits and {@code . _ : / -}, at most 100 characters
 * @param payloadType the type that the codec encodes and decodes, usually a record; with {@code @JsonTypeInfo} where it
 *     is sealed or abstract
 * @param defaults the options of jobs that are enqueued without options
 * @param version of the payload, 1 to 1,000. The kind ends with the version unless the version is 1, see {@link #version(int)}. Default 1
 * @param <T> the payload
 */
public record JobType<T>(String kind, TypeToken<T> payloadType, EnqueueOptions defaults, int version) {
    private static final int MAX_VERSIONS = 1_000;
    private static final String VERSION = "/v";

    /**
     * @throws IllegalArgumentException if the kind is malformed or does not end with its version, or the version is
     *     outside its range
     */
    public JobType {
        Names.check("kind", kind);
        Objects.requireNonNull(payloadType, "payloadType");
        Objects.requireNonNull(defaults, "defaults");
        if (version < 1 || version > MAX_VERSIONS) {
            throw new IllegalArgumentException("version " + version + " is not valid: use 1 to " + MAX_VERSIONS);
        }
        if (version > 1 && !kind.endsWith(VERSION + version)) {
            throw new IllegalArgumentException("kind '" + kind + "' does not end with " + VERSION + version
                    + ": use JobType.of(…).version(" + version + ")");
        }
    }

    /**
     * Creates a type without a version.
     *
     * @param kind the stable name
     * @param payloadType the payload's type
     * @param defaults the options of jobs that are enqueued without options
     * @throws IllegalArgumentException if the kind is malformed
     */
    public JobType(String kind, TypeToken<T> payloadType, EnqueueOptions defaults) {
        this(kind, payloadType, defaults, 1);
    }

    /**
     * Returns a type with {@link EnqueueOptions#DEFAULTS default options}.
     *
     * @param kind the stable name
     * @param payloadType the payload's class
     * @param <T> the payload
     * @return the type
     * @throws IllegalArgumentException if the kind is malformed
     */
    public static <T> JobType<T> of(String kind, Class<T> payloadType) {
        return of(kind, TypeToken.of(payloadType));
    }

    /**
     * Returns a type with {@link EnqueueOptions#DEFAULTS default options} and a generic payload:
     * {@code JobType.of("report.send", new TypeToken<List<Long>>() {})}.
     *
     * @param kind the stable name
     * @param payloadType the payload's type
     * @param <T> the payload
     * @return the type
     * @throws IllegalArgumentException if the kind is malformed
     */
    public static <T> JobType<T> of(String kind, TypeToken<T> payloadType) {
        return new JobType<>(kind, payloadType, EnqueueOptions.DEFAULTS);
    }

    /**
     * Returns this type for a later version of its payload. The kind of the copy ends with {@code /v2}, {@code /v3} and so on. A worker
     * that handles version 3 also runs jobs of earlier versions for which it has no handler, so the payload's type must be able to read
     * them. The worker does not claim jobs of later versions, and neither does a worker that knows the kind without a version. Producers
     * and workers can therefore be deployed in any order. Limits and unique keys treat each version as a kind of its own.
     *
     * @param later 1 to 1,000; version 1 adds nothing to the kind
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range, the kind has a version already, or the kind becomes
     *     too long
     */
    public JobType<T> version(int later) {
        if (version > 1) {
            throw new IllegalArgumentException("kind '" + kind + "' has a version already");
        }
        return new JobType<>(later == 1 ? kind : kind + VERSION + later, payloadType, defaults, later);
    }

    /** {@return the kind without its version} */
    public static String withoutVersion(String kind) {
        return kind.replaceFirst(VERSION + "[1-9][0-9]{0,3}$", "");
    }

    /** {@return the kinds of all earlier versions, latest first} */
    public List<String> earlier() {
        List<String> earlier = new ArrayList<>();
        if (version > 1) {
            String base = kind.substring(0, kind.length() - (VERSION + version).length());
            for (int each = version - 1; each > 1; each--) {
                earlier.add(base + VERSION + each);
            }
            earlier.add(base);
        }
        return earlier;
    }

    /**
     * Replaces the default options.
     *
     * @param newDefaults the options of jobs that are enqueued without options
     * @return a copy
     */
    public JobType<T> withDefaults(EnqueueOptions newDefaults) {
        return new JobType<>(kind, payloadType, newDefaults, version);
    }
}
