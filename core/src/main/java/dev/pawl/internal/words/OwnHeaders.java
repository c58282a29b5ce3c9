package dev.pawl.internal.words;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/**
 * Marks headers that the library has written into options, and carries the state in which such a job is written. Options expose only the
 * plain map, so users never obtain an instance, and other maps contain no {@linkplain ReservedHeaders#isReserved reserved} header.
 * Immutable.
 */
public final class OwnHeaders extends AbstractMap<String, String> {
    private static final int AVAILABLE = 0;

    private final Map<String, String> plain;
    private final int state;

    /**
     * Of a job that is written as available.
     *
     * @param headers all of them
     */
    public OwnHeaders(Map<String, String> headers) {
        this(headers, AVAILABLE);
    }

    /**
     * @param headers all of them
     * @param state in which the job is written: its code
     */
    public OwnHeaders(Map<String, String> headers, int state) {
        Map<String, String> copy = Map.copyOf(headers);
        this.plain = state == AVAILABLE ? copy : new OfState(copy, state);
        this.state = state;
    }

    /** {@return other headers for a job that is written in the same state} */
    public OwnHeaders with(Map<String, String> headers) {
        return new OwnHeaders(headers, state);
    }

    /** {@return the headers as an ordinary map} */
    public Map<String, String> plain() {
        return plain;
    }

    /**
     * {@return the code of the state in which a job with such headers is written}
     *
     * @param plain as options expose them; what users made of them says <em>available</em>
     */
    public static int state(Map<String, String> plain) {
        return plain instanceof OfState own ? own.state : AVAILABLE;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return plain.entrySet();
    }

    /** Headers of a job that is written in another state than available. */
    private static final class OfState extends AbstractMap<String, String> {
        private final Map<String, String> headers;
        private final int state;

        OfState(Map<String, String> headers, int state) {
            this.headers = headers;
            this.state = state;
        }

        @Override
        public Set<Entry<String, String>> entrySet() {
            return headers.entrySet();
        }
    }
}
