package dev.pawl.internal.engine;

import dev.pawl.RetryPolicy;
import dev.pawl.internal.store.AbandonedJob;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Which abandoned jobs are rescued, and when. */
interface RescuePolicy {
    /** Of no worker: any job at any time, as if no kind were handled. */
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
     * {@return whether the leases that were just found expired really are: no step of the database's clock can have made them so}
     * Asked only if there are any.
     */
    boolean areLeasesReliable() throws SQLException;

    /** {@return whether to rescue this job} */
    boolean mayRescue(AbandonedJob job);

    /** {@return how long jobs of a kind wait after a failure; null if that is not known} */
    @Nullable
    RetryPolicy retryPolicy(String kind);
}
