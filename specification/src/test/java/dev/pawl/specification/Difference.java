package dev.pawl.specification;

import java.util.Objects;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The queue did something that the model does not allow. */
final class Difference extends AssertionError {
    private static final long serialVersionUID = 1;

    Difference(String message) {
        super(message);
    }

    Difference(String message, Throwable cause) {
        super(message, cause);
    }

    /** Each {@code %s} of the message stands for a value. */
    static void require(boolean holds, String message, Object... values) {
        if (!holds) {
            String text = message;
            for (Object value : values) {
                text = text.replaceFirst("%s", Matcher.quoteReplacement(String.valueOf(value)));
            }
            throw new Difference(text);
        }
    }

    static void same(String what, @Nullable Object expected, @Nullable Object found) {
        if (!Objects.equals(expected, found)) {
            throw new Difference(what + ": the model says " + expected + ", the queue " + found);
        }
    }
}
