package dev.pawl;

/**
 * The handlers of a program in one place, for whoever needs them without starting the program: {@code pawl check --handlers} names
 * a class that implements this, with a constructor without parameters. A program may use it for its own worker, too. Nothing is
 * run by a check, so what handlers need (clients, connections) may be missing.
 */
@FunctionalInterface
public interface HandlerSet {
    /**
     * Adds every handler of the program, with its aliases.
     *
     * @param worker to add them to
     */
    void addTo(WorkerBuilder worker);

    /**
     * Says how the program's payloads are written and read, if not by the default codec: {@code queue.codec(…)}. Does nothing by
     * default.
     *
     * @param queue to be opened
     */
    default void configure(JobQueueBuilder queue) {}
}
