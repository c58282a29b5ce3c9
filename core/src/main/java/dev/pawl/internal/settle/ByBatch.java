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

/** Records runs together; if somebody is sealing a batch, those of each batch on their own, so that only that one's have to wait. */
public final class ByBatch {
    private ByBatch() {}

    /** Records runs in a transaction of its own. */
    @FunctionalInterface
    public interface Verb {
        /**
         * @param runs to record
         * @return what became of them
         * @throws BatchBusy if nothing was recorded because a batch is being sealed
         * @throws SQLException from the driver
         */
        Settled settle(List<Settlement> runs) throws SQLException;
    }

    /**
     * @param runs to record
     * @param verb does so, all or nothing
     * @return what became of them: those of batches that are being sealed are busy
     * @throws SQLException from the driver
     */
    public static Settled settle(List<Settlement> runs, Verb verb) throws SQLException {
        try {
            return verb.settle(runs);
        } catch (BatchBusy busy) {
            return apart(runs, verb);
        }
    }

    private static Settled apart(List<Settlement> runs, Verb verb) throws SQLException {
        Map<Long, List<Settlement>> byBatch = new TreeMap<>(); // those of none come first
        runs.forEach(run ->
                byBatch.computeIfAbsent(run.batch(), id -> new ArrayList<>()).add(run));
        Set<Lease> accepted = new HashSet<>();
        Set<Lease> busy = new HashSet<>();
        for (List<Settlement> some : byBatch.values()) {
            try {
                Settled settled = verb.settle(some);
                accepted.addAll(settled.accepted());
                busy.addAll(settled.busy());
            } catch (BatchBusy sealing) {
                some.forEach(run -> busy.add(run.lease()));
            }
        }
        return new Settled(accepted, busy);
    }
}
