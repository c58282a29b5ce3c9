package dev.pawl.internal.engine;

import dev.pawl.InvalidJobException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/** Errors as text that every database can store. Never throws, whatever the error's own methods do. */
public final class ErrorText {
    private static final int LONGEST = 16_384;

    private ErrorText() {}

    /**
     * {@return the stack trace, or what can be said without the error's help} An error created without a stack trace is
     * meant for people: its message is all there is to say.
     */
    static String of(Throwable error) {
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
    static String firstLine(Throwable error) {
        return of(error).lines().findFirst().orElse("");
    }

    /**
     * {@return the text}
     *
     * @param what it is, for people
     * @throws InvalidJobException if a database could not keep it
     */
    static String requireText(String what, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new InvalidJobException(what + " holds a NUL character, which PostgreSQL cannot store");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new InvalidJobException(
                    what
                            + " holds half of a surrogate pair, which is not valid text: was a string cut in the middle of a character?");
        }
        return text;
    }

    /** Without NUL, which PostgreSQL refuses, without half surrogate pairs, and not too long. */
    public static String clean(String text) {
        String cut = text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
        StringBuilder clean = new StringBuilder(cut.length());
        cut.codePoints()
                .map(point -> point == 0 || Character.getType(point) == Character.SURROGATE ? '\uFFFD' : point)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }
}
