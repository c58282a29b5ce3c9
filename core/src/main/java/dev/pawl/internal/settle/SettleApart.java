package dev.pawl.internal.settle;

import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Records the outcomes of runs in one transaction. If a {@link CompletionHook} is busy, uses one transaction for each batch, and one for
 * the runs without a batch. So the runs of other batches do not wait for the batch that is busy.
 */
public final class SettleApart {
    private SettleApart() {}

    /** Records runs in a transaction of its own. */
    @FunctionalInterface
    public interface Verb {
        /**
         * @param runs to record
         * @return the results
         * @throws HookBusy if nothing was recorded because a hook is busy with one of the runs
         * @throws SQLException from the driver
         */
        Settled settle(List<Settlement> runs) throws SQLException;
    }

    /**
     * @param runs to record
     * @param verb records all runs that it gets, or none
     * @return the results: runs for which a hook is busy count as locked
     * @throws SQLException from the driver
     */
    public static Settled settle(List<Settlement> runs, Verb verb) throws SQLException {
        try {
            return verb.settle(runs);
        } catch (HookBusy busy) {
            return apart(runs, verb);
        }
    }

    private static Settled apart(List<Settlement> runs, Verb verb) throws SQLException {
        Map<Long, List<Settlement>> byBatch = new TreeMap<>(); // runs without a batch come first
        runs.forEach(run ->
                byBatch.computeIfAbsent(run.batch(), id -> new ArrayList<>()).add(run));
        Set<Lease> accepted = new HashSet<>();
        Set<Lease> locked = new HashSet<>();
        for (List<Settlement> some : byBatch.values()) {
            try {
                Settled settled = verb.settle(some);
                accepted.addAll(settled.accepted());
                locked.addAll(settled.locked());
            } catch (HookBusy waits) {
                some.forEach(run -> locked.add(run.lease()));
            }
        }
        return new Settled(accepted, locked);
    }
}
