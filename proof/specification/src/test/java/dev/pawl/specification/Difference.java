package dev.pawl.specification;

import java.util.Objects;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The queue did something that the model does not allow. */
public final class Difference extends AssertionError {
    private static final long serialVersionUID = 1;

    public Difference(String message) {
        super(message);
    }

    public Difference(String message, Throwable cause) {
        super(message, cause);
    }

    /** Each {@code %s} of the message stands for a value. */
    public static void require(boolean holds, String message, Object... values) {
        if (!holds) {
            String text = message;
            for (Object value : values) {
                text = text.replaceFirst("%s", Matcher.quoteReplacement(String.valueOf(value)));
            }
            throw new Difference(text);
        }
    }

    public static void same(String what, @Nullable Object expected, @Nullable Object found) {
        if (!Objects.equals(expected, found)) {
            throw new Difference(what + ": the model says " + expected + ", the queue " + found);
        }
    }
}
