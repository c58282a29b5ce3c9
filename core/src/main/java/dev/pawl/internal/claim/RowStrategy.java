package dev.pawl.internal.claim;

import dev.pawl.internal.settle.RowVerbs;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LeaseRenewal;
import dev.pawl.internal.store.Renewal;
import dev.pawl.internal.store.RunMode;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A strategy with a lease in each job's row; most strategies differ only in how they claim. */
public class RowStrategy implements ClaimStrategy {
    private final Claim claim;
    private final RowVerbs verbs;
    private final int tries;

    /**
     * @param claim how jobs are claimed
     * @param verbs how runs are settled
     * @param tries the maximum number of tries of a settlement under contention; after that, its caller tries again later
     */
    public RowStrategy(Claim claim, RowVerbs verbs, int tries) {
        this.claim = claim;
        this.verbs = verbs;
        this.tries = tries;
    }

    /** {@return how runs are settled} */
    protected final RowVerbs verbs() {
        return verbs;
    }

    /** {@return how often to try a settlement} */
    protected final int tries() {
        return tries;
    }

    @Override
    public final List<Grant> claim(ClaimRequest request) throws SQLException {
        return claim.claim(request);
    }

    @Override
    public Settled settle(List<Settlement> runs) throws SQLException {
        return verbs.settle(runs, tries);
    }

    @Override
    public final Renewal renew(Collection<LeaseRenewal> leases, Duration length) throws SQLException {
        return verbs.renew(leases, length);
    }

    @Override
    public final Set<Lease> release(Collection<Lease> unstarted) throws SQLException {
        return verbs.release(unstarted);
    }

    @Override
    public RunMode mode() {
        return RunMode.BUFFERED;
    }

    @Override
    public final long lost() {
        return claim.lost();
    }
}
