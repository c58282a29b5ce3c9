package dev.pawl.internal.words;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

/**
 * Marks headers that the library has written into options, and carries its {@linkplain OwnValues own values}. Options expose only the plain
 * map, so users never get an instance. Options whose header map is not of this class contain no {@linkplain ReservedHeaders#isReserved
 * reserved} header. Immutable.
 */
public final class OwnHeaders extends AbstractMap<String, String> {
    private final Map<String, String> plain;
    private final OwnValues values;

    /**
     * @param headers all headers
     * @param values other values that the library has set for the job
     */
    public OwnHeaders(Map<String, String> headers, OwnValues values) {
        Map<String, String> copy = Map.copyOf(headers);
        this.plain = values.equals(OwnValues.NONE) ? copy : new Carrier(copy, values);
        this.values = values;
    }

    /** {@return other headers with the same values} */
    public OwnHeaders with(Map<String, String> headers) {
        return new OwnHeaders(headers, values);
    }

    /** {@return the headers as an ordinary map} */
    public Map<String, String> plain() {
        return plain;
    }

    /**
     * {@return the values of a job with such headers}
     *
     * @param plain the headers as options expose them; a map that a user has made carries no values
     */
    public static OwnValues values(Map<String, String> plain) {
        return plain instanceof Carrier own ? own.values : OwnValues.NONE;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return plain.entrySet();
    }

    /** Plain headers with values. */
    private static final class Carrier extends AbstractMap<String, String> {
        private final Map<String, String> headers;
        private final OwnValues values;

        Carrier(Map<String, String> headers, OwnValues values) {
            this.headers = headers;
            this.values = values;
        }

        @Override
        public Set<Entry<String, String>> entrySet() {
            return headers.entrySet();
        }
    }
}
