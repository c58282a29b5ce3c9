package dev.pawl.internal.engine;

import dev.pawl.internal.store.WorkSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/**
 * Periodic work beside the main path.
 *
 * @param name what it does, as in "cannot …"
 * @param every the delay between two runs
 * @param whileSuspended why it may rest while the worker is suspended
 * @param work to do
 */
record Duty(String name, Duration every, WhileSuspended whileSuspended, Work work) {
    /**
     * Why a duty may rest while the worker is suspended. Each duty must state it, so that no work is left without a worker.
     *
     * @param sources that resume the worker when they have work for the duty
     */
    record WhileSuspended(Set<WorkSource> sources) {
        /** The duty concerns jobs that the worker holds, and a suspended worker holds none. */
        static final WhileSuspended HOLDS_NOTHING = new WhileSuspended(Set.of());

        /** The duty may be late: nothing waits for it. It runs after the suspension. */
        static final WhileSuspended MAY_WAIT = new WhileSuspended(Set.of());

        /** One of these sources resumes the worker when it has work for the duty. */
        static WhileSuspended wakesFor(WorkSource... sources) {
            return new WhileSuspended(Set.of(sources));
        }
    }

    /** Work to repeat; after a failure it is retried after the delay. */
    interface Work {
        void run() throws SQLException;
    }
}
