package dev.pawl.internal.engine;

import dev.pawl.api.JobRun;

/**
 * A handler with a scope around its run. The worker opens the scope before the transaction and closes it afterwards: the scope's writes on
 * other connections must not wait for the handler's transaction, nor the other way round.
 */
public interface Scoped {
    /**
     * @param run that is about to start
     * @return the scope of the run
     * @throws Exception to fail the attempt
     */
    Scope open(JobRun run) throws Exception;

    /** A scope, open from before a run until after it. */
    interface Scope {
        /** {@return the run as the handler should see it} */
        JobRun run();

        /**
         * Must not throw.
         *
         * @param completed whether the run completed, and its transaction is committed
         */
        void close(boolean completed);
    }
}
