package dev.pawl.internal.store;

import java.util.function.Consumer;

/**
 * Reads JSON of objects, arrays and whole numbers, without building a tree, because a chart of a week reads a million fields. Names of
 * fields are names of queues and kinds, which need no escapes. Not thread-safe.
 */
public final class JsonScanner {
    private final String json;
    private int at;

    /** @param json a JSON value */
    public JsonScanner(String json) {
        this.json = json;
    }

    /**
     * Reads an object.
     *
     * @param field called with the name of each field; it must read or skip the value
     * @throws IllegalArgumentException if there is no object
     */
    public void object(Consumer<String> field) {
        expect('{');
        if (next() == '}') {
            at++;
            return;
        }
        do {
            String name = name();
            expect(':');
            field.accept(name);
        } while (another('}'));
    }

    /**
     * Reads an array.
     *
     * @param element called for each element, which it must read or skip
     * @throws IllegalArgumentException if there is no array
     */
    public void array(Runnable element) {
        expect('[');
        if (next() == ']') {
            at++;
            return;
        }
        do {
            element.run();
        } while (another(']'));
    }

    /**
     * {@return the next value, a whole number}
     *
     * @throws IllegalArgumentException if there is none
     */
    public long number() {
        int begin = next() == '-' ? at++ : at;
        while (at < json.length() && json.charAt(at) >= '0' && json.charAt(at) <= '9') {
            at++;
        }
        return Long.parseLong(json, begin, at, 10);
    }

    /**
     * Skips the next value, which may be of any type that a newer program writes.
     *
     * @throws IllegalArgumentException if there is none
     */
    public void skip() {
        switch (next()) {
            case '{' -> object(name -> skip());
            case '[' -> array(this::skip);
            case '"' -> string();
            default -> {
                int begin = at;
                while (at < json.length() && ",]} \t\r\n".indexOf(json.charAt(at)) < 0) {
                    at++;
                }
                require(at > begin);
            }
        }
    }

    /**
     * Requires the end of the text.
     *
     * @throws IllegalArgumentException if more text follows
     */
    public void end() {
        require(next() == 0);
    }

    private String name() {
        expect('"');
        int begin = at;
        int end = json.indexOf('"', begin);
        require(end >= 0);
        at = end + 1;
        return json.substring(begin, end);
    }

    private void string() {
        expect('"');
        while (at < json.length() && json.charAt(at) != '"') {
            at += json.charAt(at) == '\\' ? 2 : 1;
        }
        expect('"');
    }

    private boolean another(char end) {
        char c = next();
        require(c == ',' || c == end);
        at++;
        return c == ',';
    }

    private void expect(char wanted) {
        require(next() == wanted);
        at++;
    }

    /** {@return the next character that is neither a blank nor a control character, without consuming it; 0 at the end} */
    private char next() {
        while (at < json.length() && json.charAt(at) <= ' ') {
            at++;
        }
        return at < json.length() ? json.charAt(at) : 0;
    }

    private void require(boolean fine) {
        if (!fine) {
            throw new IllegalArgumentException("not JSON of numbers at character " + (at + 1));
        }
    }
}
