package dev.pawl;

import java.util.ArrayList;
import java.util.List;
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
 * @param version of the payload, which the kind then ends with, see {@link #version(int)}; 1 if none was given
 * @param <T> the payload
 */
public record JobType<T>(String kind, TypeToken<T> payloadType, EnqueueOptions defaults, int version) {
    private static final int MOST_VERSIONS = 1_000;
    private static final String VERSION = "/v";

    /**
     * @throws InvalidJobException if the kind is malformed, or does not end with its version
     */
    public JobType {
        Names.check("kind", kind);
        Objects.requireNonNull(payloadType, "payloadType");
        Objects.requireNonNull(defaults, "defaults");
        if (version < 1 || version > MOST_VERSIONS) {
            throw new InvalidJobException("version " + version + " is not valid: use 1 to " + MOST_VERSIONS);
        }
        if (version > 1 && !kind.endsWith(VERSION + version)) {
            throw new InvalidJobException("kind '" + kind + "' does not end with " + VERSION + version
                    + ": use JobType.of(…).version(" + version + ")");
        }
    }

    /**
     * A type without a version.
     *
     * @param kind the stable name
     * @param payloadType the payload's type
     * @param defaults the options used when a job of this type is enqueued without options of its own
     * @throws InvalidJobException if the kind is malformed
     */
    public JobType(String kind, TypeToken<T> payloadType, EnqueueOptions defaults) {
        this(kind, payloadType, defaults, 1);
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
     * The same type in a later version of its payload: its kind gets the ending {@code /v2}, {@code /v3} and so on. A worker
     * that handles version 3 also runs what earlier versions have left behind, unless it has handlers of their own for them,
     * so the payload's type must be able to read what they wrote; and it leaves later versions alone, as programs do that
     * know nothing of versions. So producers and workers can be deployed in any order. Each version is a kind of its own for
     * limits and unique keys.
     *
     * @param later 1 to 1000; 1 has no ending
     * @return a copy
     * @throws InvalidJobException if it is outside the range, there is a version already, or the kind becomes too long
     */
    public JobType<T> version(int later) {
        if (version > 1) {
            throw new InvalidJobException("kind '" + kind + "' has a version already");
        }
        return new JobType<>(later == 1 ? kind : kind + VERSION + later, payloadType, defaults, later);
    }

    /** {@return the kind without the ending of a version, if it has one} */
    static String withoutVersion(String kind) {
        return kind.replaceFirst(VERSION + "[1-9][0-9]{0,3}$", "");
    }

    /** {@return the kinds of all earlier versions, the last one first} */
    List<String> earlier() {
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
     * The same type with other default options.
     *
     * @param newDefaults used when a job is enqueued without options of its own
     * @return a copy
     */
    public JobType<T> withDefaults(EnqueueOptions newDefaults) {
        return new JobType<>(kind, payloadType, newDefaults, version);
    }
}
