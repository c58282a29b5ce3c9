package dev.pawl.internal.engine;

import dev.pawl.internal.store.StoredText;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Errors as text that every database can store. Never throws, even if the error's own methods do. */
public final class ErrorText {
    private ErrorText() {}

    /**
     * {@return the stack trace, or a substitute if the error cannot print it} For an error without a stack trace, only its message is
     * returned.
     */
    public static String of(Throwable error) {
        try {
            String message = error.getMessage();
            if (error.getStackTrace().length == 0 && message != null && !message.isBlank()) {
                return clean(message);
            }
            StringWriter text = new StringWriter();
            error.printStackTrace(new PrintWriter(text));
            return clean(text.toString());
        } catch (Throwable broken) {
            return error.getClass().getName() + " (its stack trace cannot be printed: "
                    + broken.getClass().getName() + ")";
        }
    }

    /** {@return class and message in one line} */
    public static String firstLine(Throwable error) {
        return of(error).lines().findFirst().orElse("");
    }

    /** Removes NUL, which PostgreSQL refuses, and unpaired surrogates; truncates. */
    public static String clean(String text) {
        String cut = text.length() <= StoredText.LONGEST ? text : text.substring(0, StoredText.LONGEST - 1) + "…";
        StringBuilder clean = new StringBuilder(cut.length());
        cut.codePoints()
                .map(point -> point == 0 || Character.getType(point) == Character.SURROGATE ? '\uFFFD' : point)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }
}
