package dev.pawl.dashboard.internal.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Parses a form or a query string. */
public final class Form {
    private static final int MAX = 100;

    private Form() {}

    /** {@return the values by name; the first if a name is repeated} */
    public static Map<String, String> parse(String encoded) {
        Map<String, String> values = new LinkedHashMap<>();
        String[] pairs = encoded.split("&", MAX + 1);
        if (pairs.length > MAX) {
            throw new Refusal(400, "more than " + MAX + " parameters");
        }
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.putIfAbsent(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    private static String decode(String text) {
        try {
            String decoded = URLDecoder.decode(text, StandardCharsets.UTF_8);
            if (decoded.indexOf('\0') >= 0) {
                throw new Refusal(400, "a parameter holds a NUL character");
            }
            return decoded;
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, "a parameter is not encoded as a URL demands");
        }
    }
}
