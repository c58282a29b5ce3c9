package dev.pawl.internal.words;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/**
 * Marks headers that the library has written into options. Options expose only the plain map, so users never obtain an instance, and other
 * maps contain no {@linkplain ReservedHeaders#isReserved reserved} header. Immutable.
 */
public final class OwnHeaders extends AbstractMap<String, String> {
    private final Map<String, String> plain;

    /**
     * @param headers all of them
     */
    public OwnHeaders(Map<String, String> headers) {
        this.plain = Map.copyOf(headers);
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
