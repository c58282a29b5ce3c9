package dev.pawl.internal.words;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/**
 * Headers that the library has written into options. Options give out the plain map only, so no user has one of these, and what is not one
 * of these holds no {@linkplain ReservedHeaders#isReserved reserved} header. Immutable.
 */
public final class OwnHeaders extends AbstractMap<String, String> {
    private final Map<String, String> plain;

    /**
     * @param headers all of them
     */
    public OwnHeaders(Map<String, String> headers) {
        this.plain = Map.copyOf(headers);
    }

    /** {@return the same as a map like any other} */
    public Map<String, String> plain() {
        return plain;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return plain.entrySet();
    }
}
