package dev.pawl.internal.claim;

import dev.pawl.internal.settle.RowVerbs;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import java.sql.SQLException;
import java.util.List;

/** Completes jobs by a mark, which takes a single row lock, and sweeps marked jobs later. */
public final class MarkingStrategy extends RowStrategy {
    /**
     * @param claim how jobs are claimed
     * @param verbs how runs are settled
     * @param tries see {@link RowStrategy}
     */
    public MarkingStrategy(Claim claim, RowVerbs verbs, int tries) {
        super(claim, verbs, tries);
    }

    @Override
    public Settled settle(List<Settlement> runs) throws SQLException {
        return verbs().mark(runs, tries());
    }

    @Override
    public void tidy() throws SQLException {
        verbs().sweep();
    }
}
