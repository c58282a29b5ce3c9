package dev.pawl.internal.engine;

import dev.pawl.api.JobRun;

/**
 * A handler with a scope around its run. The worker opens the scope before the handler's transaction begins and closes it after the
 * transaction has ended. So the scope's writes on other connections never wait for the transaction, and the transaction never waits for
 * them.
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
