package dev.pawl.dashboard.internal.json;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Checks whether a text is one JSON value and pretty-prints it. */
public final class JsonText {
    /** Maximum depth to indent, because each level uses the stack. */
    private static final int DEEPEST = 200;

    private static final String HEX = "0123456789abcdefABCDEF";

    private final String text;
    private final StringBuilder out = new StringBuilder();
    /** Maximum length: indentation of many levels may be much longer than the text. */
    private final long most;

    private int at;

    private JsonText(String text) {
        this.text = text;
        this.most = 4L * text.length() + 1_000;
    }

    /** The text is not JSON. */
    private static final class NotJson extends Exception {
        private static final long serialVersionUID = 1L;

        NotJson() {
            super(null, null, false, false);
        }
    }

    /** {@return the indented value, or the text itself if that would be too long; empty if the text is not one JSON value} */
    public static Optional<String> indented(String text) {
        JsonText json = new JsonText(text);
        try {
            json.blanks();
            json.value(0);
            json.blanks();
            if (json.at != text.length()) {
                return Optional.empty();
            }
            return Optional.of(json.out.length() > json.most ? text : json.out.toString());
        } catch (NotJson e) {
            return Optional.empty();
        }
    }

    /** {@return a digest of the text without surrounding blanks} */
    public static String digest(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.strip().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** {@return whether the text is one JSON value} */
    public static boolean isJson(String text) {
        return indented(text).isPresent();
    }

    private char next() throws NotJson {
        if (at == text.length()) {
            throw new NotJson();
        }
        return text.charAt(at);
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void value(int depth) throws NotJson {
        if (depth > DEEPEST) {
            throw new NotJson();
        }
        switch (next()) {
            case '{' -> members('}', depth);
            case '[' -> members(']', depth);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    private void members(char end, int depth) throws NotJson {
        take();
        blanks();
        if (next() == end) {
            take();
            return;
        }
        while (true) {
            line(depth + 1);
            if (end == '}') {
                string();
                blanks();
                expect(':');
                out.append(' ');
                blanks();
            }
            value(depth + 1);
            blanks();
            if (next() == end) {
                line(depth);
                take();
                return;
            }
            expect(',');
            blanks();
        }
    }

    private void line(int depth) {
        if (out.length() <= most) {
            out.append('\n').append("  ".repeat(depth));
        }
    }

    private void take() {
        out.append(text.charAt(at++));
    }

    private void expect(char wanted) throws NotJson {
        if (next() != wanted) {
            throw new NotJson();
        }
        take();
    }

    private void word(String word) throws NotJson {
        if (!text.startsWith(word, at)) {
            throw new NotJson();
        }
        out.append(word);
        at += word.length();
    }

    private void string() throws NotJson {
        expect('"');
        while (next() != '"') {
            if (next() < ' ') {
                throw new NotJson();
            }
            if (next() == '\\') {
                take();
                escape();
            } else {
                take();
            }
        }
        take();
    }

    private void escape() throws NotJson {
        if (next() == 'u') {
            for (int i = 0; i < 4; i++) {
                take();
                if (HEX.indexOf(next()) < 0) {
                    throw new NotJson();
                }
            }
        } else if ("\"\\/bfnrt".indexOf(next()) < 0) {
            throw new NotJson();
        }
        take();
    }

    private void number() throws NotJson {
        if (next() == '-') {
            take();
        }
        if (next() == '0') {
            take();
        } else {
            digits();
        }
        if (at < text.length() && next() == '.') {
            take();
            digits();
        }
        if (at < text.length() && (next() == 'e' || next() == 'E')) {
            take();
            if (next() == '+' || next() == '-') {
                take();
            }
            digits();
        }
    }

    private void digits() throws NotJson {
        if (next() < '0' || next() > '9') {
            throw new NotJson();
        }
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            take();
        }
    }
}
