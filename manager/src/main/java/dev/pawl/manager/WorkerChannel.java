package dev.pawl.manager;

import dev.pawl.JobRun;
import dev.pawl.Outcome;
import java.util.Set;

/** A way to a worker: threads of this process, or a machine elsewhere. Thread-safe. */
public interface WorkerChannel extends AutoCloseable {
    /** {@return the worker's name in lists; holds no secrets} */
    String name();

    /** {@return how many more jobs it would take now; zero while it cannot be used} */
    int free();

    /** {@return whether it can be used at all now, with or without room} */
    default boolean isUsable() {
        return true;
    }

    /** {@return the kinds that it can run; empty for all} */
    Set<String> kinds();

    /**
     * Runs a job. Waits until it has ended, or is known not to run, or goes on without this manager.
     *
     * @param assignment the job
     * @param run to report progress to
     * @return how it ended; {@link Outcome#elsewhere} if it goes on, or may, and reports to any manager
     * @throws NotTaken if the worker certainly does not run the job: another may get it at once
     * @throws Exception if the run failed, or nobody knows
     */
    Outcome run(Assignment assignment, JobRun run) throws Exception;

    @Override
    default void close() {}

    /** The worker did not take the job. */
    final class NotTaken extends Exception {
        private static final long serialVersionUID = 1L;

        /**
         * @param message why
         */
        public NotTaken(String message) {
            super(message);
        }
    }
}
