package dev.pawl.internal.engine;

import dev.pawl.internal.store.WorkSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/**
 * Work beside the main path, done repeatedly.
 *
 * @param name what it does, as in "cannot …"
 * @param every the pause between two runs
 * @param asleep what becomes of it while the worker sleeps
 * @param work to do
 */
record Duty(String name, Duration every, WhileSuspended whileSuspended, Work work) {
    /**
     * Why a duty may rest while the worker sleeps. Each duty has to say it, because what none does is not done.
     *
     * @param sources that end the sleep when they have something for it to do
     */
    record WhileSuspended(Set<WorkSource> sources) {
        /** It is about what the worker itself holds, and it sleeps only when it holds nothing. */
        static final WhileSuspended HOLDS_NOTHING = new WhileSuspended(Set.of());

        /** It may be late: nothing waits for it. It is made up for after the sleep. */
        static final WhileSuspended MAY_WAIT = new WhileSuspended(Set.of());

        /** The sleep ends when one of these sources has something for it to do. */
        static WhileSuspended wakesFor(WorkSource... sources) {
            return new WhileSuspended(Set.of(sources));
        }
    }

    /** Work to repeat; if it fails, it is tried again after the pause. */
    interface Work {
        void run() throws SQLException;
    }
}
