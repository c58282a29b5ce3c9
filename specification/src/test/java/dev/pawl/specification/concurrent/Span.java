package dev.pawl.specification.concurrent;

/**
 * From before something was done until after it, by {@link System#nanoTime}.
 *
 * @param from the last moment at which it had surely not begun
 * @param to the first moment at which it was surely over
 */
record Span(long from, long to) {
    static Span since(long from) {
        return new Span(from, System.nanoTime());
    }

    /** {@return whether it was over when the other had not begun} */
    boolean isBefore(Span other) {
        return to < other.from;
    }
}
