package dev.pawl.internal.engine;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Errors as text that every database can store. */
final class ErrorText {
    private static final int LONGEST = 16_384;

    private ErrorText() {}

    static String of(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return clean(text.toString());
    }

    /** Without NUL, which PostgreSQL refuses, without half characters, and not too long. */
    static String clean(String text) {
        String cut = text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
        StringBuilder clean = new StringBuilder(cut.length());
        cut.codePoints()
                .map(point -> point == 0 || Character.getType(point) == Character.SURROGATE ? '\uFFFD' : point)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }
}
