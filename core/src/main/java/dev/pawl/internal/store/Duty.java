package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/**
 * Periodic work beside the main path of a worker.
 *
 * @param name what it does, in a form that follows "cannot"
 * @param every the delay between two runs
 * @param whileSuspended why it may rest while the worker is suspended
 * @param work to do
 */
public record Duty(String name, Duration every, WhileSuspended whileSuspended, Work work) {
    /**
     * Why a duty may rest while the worker is suspended. Each duty must state the reason, so that no work is forgotten while all workers
     * are suspended.
     *
     * @param sources that resume the worker when they have work for the duty
     */
    public record WhileSuspended(Set<WorkSource> sources) {
        /** The duty concerns jobs that the worker holds, and a suspended worker holds none. */
        public static final WhileSuspended HOLDS_NOTHING = new WhileSuspended(Set.of());

        /** The duty may wait until after the suspension, because nothing depends on it. */
        public static final WhileSuspended MAY_WAIT = new WhileSuspended(Set.of());

        /** The set is copied. */
        public WhileSuspended {
            sources = Set.copyOf(sources);
        }

        /** {@return the reason that each of these sources resumes the worker when the source has work for the duty} */
        public static WhileSuspended wakesFor(WorkSource... sources) {
            return new WhileSuspended(Set.of(sources));
        }
    }

    /** Work to repeat; after a failure it is retried after the delay. */
    @FunctionalInterface
    public interface Work {
        /**
         * Does the work. Never called by two threads at once.
         *
         * @throws SQLException from the driver
         */
        void run() throws SQLException;

        /**
         * Makes the next run search for work that other processes may have left. Called after a suspension, and when a
         * source of the duty has work.
         */
        default void recheck() {}
    }
}
