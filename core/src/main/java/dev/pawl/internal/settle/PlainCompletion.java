package dev.pawl.internal.settle;

import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Completes jobs in the same way as any other verdict is settled. */
final class PlainCompletion implements CompleteAll {
    private final Settle settle;

    PlainCompletion(Settle settle) {
        this.settle = settle;
    }

    @Override
    public Settled completeAll(Connection connection, List<Lease> leases) throws SQLException {
        return complete(connection, leases, FencedRow.Which.UNLOCKED);
    }

    @Override
    public boolean completeOwn(Connection connection, Lease lease) throws SQLException {
        return complete(connection, List.of(lease), FencedRow.Which.ALL)
                .accepted()
                .contains(lease);
    }

    private Settled complete(Connection connection, List<Lease> leases, FencedRow.Which which) throws SQLException {
        List<Settlement> runs = leases.stream()
                .map(lease -> new Settlement(lease, new Verdict.Completed()))
                .toList();
        return settle.settle(connection, runs, which);
    }
}
