package dev.pawl;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    private static final int MOST_VERSIONS = 1_000;
    private static final String VERSION = "/v";
    private static final Pattern VERSIONED = Pattern.compile("(.+)/v([2-9]|[1-9][0-9]{1,3})");

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
     * The same type in a later version of its payload: its kind gets the ending {@code /v2}, {@code /v3} and so on. A worker
     * that handles version 3 also runs what earlier versions have left behind, unless it has handlers of their own for them,
     * so the payload's type must be able to read what they wrote; and it leaves later versions alone, as programs do that
     * know nothing of versions. So producers and workers can be deployed in any order.
     *
     * @param version 1 to 1000; 1 has no ending
     * @return a copy
     * @throws InvalidJobException if it is outside the range, the kind has a version already, or becomes too long
     */
    public JobType<T> version(int version) {
        if (version < 1 || version > MOST_VERSIONS) {
            throw new InvalidJobException("version " + version + " is not valid: use 1 to " + MOST_VERSIONS);
        }
        if (version() > 1) {
            throw new InvalidJobException("kind '" + kind + "' has a version already");
        }
        return version == 1 ? this : new JobType<>(kind + VERSION + version, payloadType, defaults);
    }

    /** {@return the version of its payload, 1 if none was given} */
    public int version() {
        Matcher matcher = VERSIONED.matcher(kind);
        return matcher.matches() ? Integer.parseInt(matcher.group(2)) : 1;
    }

    /** {@return the kinds of all earlier versions, the last one first} */
    List<String> earlier() {
        Matcher matcher = VERSIONED.matcher(kind);
        if (!matcher.matches()) {
            return List.of();
        }
        List<String> earlier = new ArrayList<>();
        for (int version = version() - 1; version > 1; version--) {
            earlier.add(matcher.group(1) + VERSION + version);
        }
        earlier.add(matcher.group(1));
        return earlier;
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
