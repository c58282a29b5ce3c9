package dev.pawl.internal.codec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The JSON that Pawl itself stores: strings, lists and maps of strings. Tags and headers need no library. */
public final class JsonStrings {
    private final String json;
    private int at;

    private JsonStrings(String json) {
        this.json = json;
    }

    /** {@return the JSON array of the tags; null for none} */
    public static @Nullable String tags(List<String> tags) {
        return tags.isEmpty() ? null : write(tags);
    }

    /** {@return the JSON object of the headers, in the order of their names; null for none} */
    public static @Nullable String headers(Map<String, String> headers) {
        return headers.isEmpty() ? null : write(headers);
    }

    /** {@return a JSON object} */
    public static String write(Map<String, String> strings) {
        StringBuilder out = new StringBuilder("{");
        new TreeMap<>(strings).forEach((name, value) -> {
            write(out.length() == 1 ? out : out.append(','), name);
            write(out.append(':'), value);
        });
        return out.append('}').toString();
    }

    /** {@return a JSON array} */
    public static String write(List<String> strings) {
        StringBuilder out = new StringBuilder("[");
        for (String each : strings) {
            write(out.length() == 1 ? out : out.append(','), each);
        }
        return out.append(']').toString();
    }

    /** {@return a JSON string} */
    public static String write(String text) {
        return write(new StringBuilder(text.length() + 2), text).toString();
    }

    private static StringBuilder write(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append(String.format(Locale.ROOT, "\\u%04X", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"');
    }

    /**
     * @param json a JSON string
     * @return its value
     * @throws IllegalArgumentException if it is not one
     */
    public static String read(String json) {
        JsonStrings reader = new JsonStrings(json);
        String text = reader.string();
        reader.end();
        return text;
    }

    /**
     * @param json a JSON array of strings
     * @return the strings
     * @throws IllegalArgumentException if it is not one
     */
    public static List<String> readAll(String json) {
        JsonStrings reader = new JsonStrings(json);
        List<String> strings = new ArrayList<>();
        reader.expect('[');
        if (reader.next() == ']') {
            reader.at++;
        } else {
            char separator = ',';
            while (separator == ',') {
                strings.add(reader.string());
                separator = reader.take();
            }
            reader.require(separator == ']');
        }
        reader.end();
        return List.copyOf(strings);
    }

    /**
     * @param json a JSON object of strings
     * @return the strings by their names, in the order of the text
     * @throws IllegalArgumentException if it is not one
     */
    public static Map<String, String> readMap(String json) {
        JsonStrings reader = new JsonStrings(json);
        Map<String, String> strings = new LinkedHashMap<>();
        reader.expect('{');
        if (reader.next() == '}') {
            reader.at++;
        } else {
            char separator = ',';
            while (separator == ',') {
                String name = reader.string();
                reader.expect(':');
                strings.put(name, reader.string());
                separator = reader.take();
            }
            reader.require(separator == '}');
        }
        reader.end();
        return Collections.unmodifiableMap(strings);
    }

    private String string() {
        expect('"');
        StringBuilder text = new StringBuilder();
        for (char c = raw(); c != '"'; c = raw()) {
            require(c >= ' ');
            text.append(c == '\\' ? escaped() : c);
        }
        return text.toString();
    }

    private char escaped() {
        char c = raw();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw malformed();
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(raw(), 16);
            require(digit >= 0);
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private void end() {
        require(next() == 0);
    }

    private void expect(char wanted) {
        require(take() == wanted);
    }

    private char take() {
        char c = next();
        at++;
        return c;
    }

    /** {@return the next character that is not white space, without consuming it; 0 at the end} */
    private char next() {
        while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        return at < json.length() ? json.charAt(at) : 0;
    }

    private char raw() {
        require(at < json.length());
        return json.charAt(at++);
    }

    private void require(boolean fine) {
        if (!fine) {
            throw malformed();
        }
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("not JSON of strings at character " + (at + 1));
    }
}
