package dev.pawl.manager;

import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import java.util.Optional;
import java.util.Set;

/** A channel to a worker: threads of this process or a remote machine. Thread-safe. */
public interface WorkerChannel extends AutoCloseable {
    /** {@return the worker's name in lists; contains no secrets} */
    String name();

    /** {@return how many more jobs it would accept now; zero while it is unusable} */
    int free();

    /** {@return whether it is usable now, even if full} */
    default boolean isUsable() {
        return true;
    }

    /** {@return the kinds that it can run; empty for all} */
    Set<String> kinds();

    /**
     * Runs a job. Returns when the run has ended, is known not to start, or continues without this manager.
     *
     * @param assignment the job
     * @param run to report progress to
     * @return the outcome; empty if the run continues or may continue and reports to any manager
     * @throws NotTaken if the worker certainly does not run the job: another worker may get it at once
     * @throws Exception if the run failed, which fails the attempt; not if the job may still run
     */
    Optional<Outcome> run(Assignment assignment, JobRun run) throws Exception;

    @Override
    default void close() {}

    /** Thrown if the worker did not accept the job. */
    final class NotTaken extends Exception {
        private static final long serialVersionUID = 1L;

        /** @param message the reason */
        public NotTaken(String message) {
            super(message);
        }
    }
}
