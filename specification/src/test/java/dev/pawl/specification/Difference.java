package dev.pawl.specification;

/** The queue did something that the model does not allow. */
final class Difference extends AssertionError {
    private static final long serialVersionUID = 1;

    Difference(String message) {
        super(message);
    }

    Difference(String message, Throwable cause) {
        super(message, cause);
    }

    static void require(boolean holds, String message, Object... values) {
        if (!holds) {
            throw new Difference(message.formatted(values));
        }
    }

    static void same(String what, Object expected, Object found) {
        if (!java.util.Objects.equals(expected, found)) {
            throw new Difference(what + ": the model says " + expected + ", the queue " + found);
        }
    }
}
