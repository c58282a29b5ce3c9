package dev.pawl.internal.claim;

import dev.pawl.internal.settle.RowVerbs;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.RunMode;
import java.time.Duration;

/**
 * Runs handlers inside the transaction that completes their job. The claim commits the attempt before that transaction opens; from then on
 * the row's lock is the claim.
 */
public final class TransactionalStrategy extends RowStrategy {
    private static final Duration SHORT_LEASE = Duration.ofSeconds(3);

    /**
     * @param claim the claim that suits the database
     * @param verbs how runs are settled
     * @param tries see {@link RowStrategy}
     */
    public TransactionalStrategy(Claim claim, RowVerbs verbs, int tries) {
        super(claim, verbs, tries);
    }

    @Override
    public RunMode mode() {
        return RunMode.IN_TRANSACTION;
    }

    /**
     * {@return a short lease} The lock of the row protects the claim, even after the lease has ended. If the lock is lost, a short lease
     * makes the job available soon.
     */
    @Override
    public Duration lease(Duration configured) {
        return configured.compareTo(SHORT_LEASE) > 0 ? SHORT_LEASE : configured;
    }
}
