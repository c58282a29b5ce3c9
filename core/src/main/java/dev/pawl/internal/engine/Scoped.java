package dev.pawl.internal.engine;

import dev.pawl.JobRun;

/**
 * A handler with something to do around its run. The worker opens it before there is a transaction and closes it after
 * the transaction is over: what it writes on connections of its own must not wait for the handler's transaction, nor
 * the other way round.
 */
public interface Scoped {
    /**
     * @param run that is about to begin
     * @return what lasts until the run has ended
     * @throws Exception to fail the attempt
     */
    Scope open(JobRun run) throws Exception;

    /** What lasts from before a run until after it. */
    interface Scope {
        /** {@return the run as the handler should see it} */
        JobRun run();

        /**
         * Must not throw.
         *
         * @param completed whether the run ended well, and what it wrote in its transaction is committed
         */
        void close(boolean completed);
    }
}
