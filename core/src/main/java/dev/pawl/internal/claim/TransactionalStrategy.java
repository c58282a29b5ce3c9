package dev.pawl.internal.claim;

import dev.pawl.internal.settle.RowVerbs;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.RunMode;
import java.time.Duration;

/**
 * Handlers run inside the transaction that completes their job. The claim is counted in a commit of its own before that
 * transaction opens; from then on the row's lock is the claim.
 */
public final class TransactionalStrategy extends RowStrategy {
    private static final Duration SHORT_LEASE = Duration.ofSeconds(3);

    /**
     * @param claim the claim that suits the database
     * @param verbs how runs are ended
     * @param tries see {@link RowStrategy}
     */
    public TransactionalStrategy(Claim claim, RowVerbs verbs, int tries) {
        super(claim, verbs, tries);
    }

    @Override
    public RunMode mode() {
        return RunMode.IN_TRANSACTION;
    }

    /** The lock outlasts any lease, and with a short lease the job is free soon after the lock. */
    @Override
    public Duration lease(Duration configured) {
        return configured.compareTo(SHORT_LEASE) > 0 ? SHORT_LEASE : configured;
    }
}
