package dev.pawl.specification.concurrent;

/**
 * From before an operation until after it, by {@link System#nanoTime}.
 *
 * @param from the last moment at which it had certainly not begun
 * @param to the first moment at which it had certainly ended
 */
record Span(long from, long to) {
    static Span since(long from) {
        return new Span(from, System.nanoTime());
    }

    /** {@return whether it had ended before the other began} */
    boolean isBefore(Span other) {
        return to < other.from;
    }
}
