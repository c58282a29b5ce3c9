package dev.pawl.internal.words;

import java.time.Instant;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Marks headers that the library has written into options. Options expose only the plain map, so users never obtain an instance, and other
 * maps contain no {@linkplain ReservedHeaders#isReserved reserved} header. Immutable.
 */
public final class OwnHeaders extends AbstractMap<String, String> {
    private final Map<String, String> plain;
    private final @Nullable Instant availableAt;

    /**
     * @param headers all of them
     */
    public OwnHeaders(Map<String, String> headers) {
        this(headers, null);
    }

    /**
     * @param headers all of them
     * @param availableAt a reserved moment for the same options; null to leave theirs
     */
    public OwnHeaders(Map<String, String> headers, @Nullable Instant availableAt) {
        this.plain = Map.copyOf(headers);
        this.availableAt = availableAt;
    }

    /** {@return the moment at which the job becomes available, which users cannot set; null if the options keep theirs} */
    public @Nullable Instant availableAt() {
        return availableAt;
    }

    /** {@return the headers as an ordinary map} */
    public Map<String, String> plain() {
        return plain;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return plain.entrySet();
    }
}
