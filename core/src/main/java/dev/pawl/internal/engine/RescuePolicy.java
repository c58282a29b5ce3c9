package dev.pawl.internal.engine;

import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.store.AbandonedJob;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Decides which abandoned jobs are rescued, and when. */
interface RescuePolicy {
    /** The policy without a worker: rescues any job at any time, and knows no kinds. */
    RescuePolicy ANY = new RescuePolicy() {
        @Override
        public boolean isTime() {
            return true;
        }

        @Override
        public boolean areLeasesReliable() {
            return true;
        }

        @Override
        public boolean mayRescue(AbandonedJob job) {
            return true;
        }

        @Override
        public @Nullable RetryPolicy retryPolicy(String kind) {
            return null;
        }
    };

    /** {@return whether to search for abandoned jobs now} */
    boolean isTime();

    /**
     * Reports the end of a search.
     *
     * @param tookNanos its duration
     */
    default void searched(long tookNanos) {}

    /**
     * {@return whether leases that look expired have really expired, and do not look so because the database's clock was set forward}
     * Called only if some leases look expired.
     */
    boolean areLeasesReliable() throws SQLException;

    /** {@return whether to rescue this job} */
    boolean mayRescue(AbandonedJob job);

    /** {@return the retry policy of a kind; null if it is unknown} */
    @Nullable
    RetryPolicy retryPolicy(String kind);
}
