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

    private final int together;

    /**
     * @param claim the claim that suits the database
     * @param verbs how runs are ended
     * @param tries see {@link RowStrategy}
     * @param together most jobs of one transaction
     */
    public TransactionalStrategy(Claim claim, RowVerbs verbs, int tries, int together) {
        super(claim, verbs, tries);
        this.together = together;
    }

    @Override
    public int together() {
        return together;
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
