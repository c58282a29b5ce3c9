package dev.pawl.dashboard.internal.json;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON. Beyond JSON's own types: records by their components ({@code isOpen} becomes {@code open}), enums in
 * lower case, everything else as a string.
 */
public final class Json {
    private final StringBuilder out = new StringBuilder();

    private Json() {}

    /**
     * Text that is already JSON.
     *
     * @param json to be written unchanged
     */
    public record Raw(String json) {}

    /** {@return the value as JSON} */
    public static String write(@Nullable Object value) {
        Json json = new Json();
        json.append(value);
        return json.out.toString();
    }

    /** {@return an object of these members in order: name, value, next name, and so on} */
    public static Map<String, @Nullable Object> object(@Nullable Object... members) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            object.put(String.valueOf(members[i]), members[i + 1]);
        }
        return object;
    }

    private void append(@Nullable Object value) {
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
            out.append(value);
        } else if (value instanceof Double number) {
            out.append(Double.isFinite(number) ? number.toString() : "null");
        } else if (value instanceof Raw raw) {
            out.append(raw.json);
        } else if (value instanceof Map<?, ?> map) {
            char before = '{';
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                member(String.valueOf(entry.getKey()), entry.getValue());
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            char before = '[';
            for (Object item : list) {
                out.append(before);
                append(item);
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value instanceof Enum<?> word) {
            text(word.name().toLowerCase(Locale.ROOT));
        } else if (value instanceof Record record) {
            record(record);
        } else {
            text(value.toString());
        }
    }

    private void member(String name, @Nullable Object value) {
        text(name);
        out.append(':');
        append(value);
    }

    private void record(Record record) {
        char before = '{';
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            out.append(before);
            try {
                member(name(component), component.getAccessor().invoke(record));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(record.getClass() + " cannot be read", e);
            }
            before = ',';
        }
        out.append(before == '{' ? "{}" : "}");
    }

    private static String name(RecordComponent component) {
        String name = component.getName();
        boolean asks = component.getType() == boolean.class && name.matches("is[A-Z].*");
        return asks ? name.substring(2, 3).toLowerCase(Locale.ROOT) + name.substring(3) : name;
    }

    /** Also escapes characters that would end a script or begin a tag, in case the JSON is embedded in a page. */
    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' '
                            || c == '<'
                            || c == '>'
                            || c == '&'
                            || c == '\u2028'
                            || c == '\u2029'
                            || isAlone(text, i)) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** Returns whether this is an unpaired surrogate, which UTF-8 cannot encode. */
    private static boolean isAlone(String text, int at) {
        char c = text.charAt(at);
        return (Character.isHighSurrogate(c)
                        && (at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))))
                || (Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1))));
    }
}
