package dev.pawl;

/**
 * All handlers of a program, for tools that need them without starting the program: {@code pawl check --handlers} takes the name of a
 * public class that implements this and has a public constructor without parameters. A program may use it for its own worker, too. The
 * check runs no handlers, so their dependencies (clients, connections) may be missing.
 */
@FunctionalInterface
public interface HandlerSet {
    /**
     * Adds all handlers of the program, with their aliases.
     *
     * @param worker the builder to add them to
     */
    void addTo(WorkerBuilder worker);

    /**
     * Sets the program's codec, if it is not the default: {@code queue.codec(…)}. Does nothing by default.
     *
     * @param queue the builder of the queue
     */
    default void configure(JobQueueBuilder queue) {}
}
