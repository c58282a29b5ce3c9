package dev.pawl.internal.batch;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Steps;
import dev.pawl.internal.store.ClaimFilter;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses jobs of paused batches when they are claimed. If a worker learns late that a pause has ended, this filter releases the jobs that
 * the worker has paused since then. Cancels jobs of stopped batches when they are claimed, because jobs that fail quickly are claimed
 * faster than the waiting jobs could be cancelled.
 */
public final class BatchFilter implements ClaimFilter, Duty.Work {
    private static final Logger LOG = LoggerFactory.getLogger(BatchFilter.class);

    private final Database database;
    private final BatchPauses pauses;
    private final StoppedBatches stopped;
    private final Set<Long> resumed = new HashSet<>();
    private volatile Set<Long> paused = Set.of();

    /**
     * @param database the pool and the dialect
     * @param pauses of batches
     * @param stopped batches, as this process knows them
     */
    public BatchFilter(Database database, BatchPauses pauses, StoppedBatches stopped) {
        this.database = database;
        this.pauses = pauses;
        this.stopped = stopped;
    }

    @Override
    public void read(JobStore.Settings settings) {
        Set<Long> now = settings.paused();
        if (!now.equals(paused)) {
            synchronized (resumed) {
                resumed.addAll(paused);
                resumed.removeAll(now);
            }
            paused = now;
        }
    }

    /** {@return whether the paused jobs of all resumed batches were released} */
    @Override
    public boolean isSettled() {
        synchronized (resumed) {
            return resumed.isEmpty();
        }
    }

    /**
     * {@return whether a claimed job belongs to a paused batch} Settings that are seconds old would pause jobs of a
     * batch that was just resumed.
     */
    @Override
    public boolean needsFreshSettings(List<Grant> claimed) {
        Set<Long> held = paused;
        return !held.isEmpty()
                && claimed.stream()
                        .anyMatch(grant -> held.contains(grant.job().batch().orElse(0)));
    }

    @Override
    public Map<Long, Verdict> refuse(List<Grant> claimed) {
        Set<Long> batches = new HashSet<>();
        for (Grant grant : claimed) {
            grant.job().batch().ifPresent(batches::add);
        }
        if (batches.isEmpty()) {
            return Map.of();
        }
        Set<Long> held = paused;
        Set<Long> over = stoppedAmong(batches);
        if (held.isEmpty() && over.isEmpty()) {
            return Map.of();
        }
        Map<Long, Verdict> refused = new HashMap<>();
        for (Grant grant : claimed) {
            long batch = grant.job().batch().orElse(0);
            if (held.contains(batch)) {
                refused.put(grant.job().id(), new Verdict.Pause());
            } else if (over.contains(batch)) {
                refused.put(grant.job().id(), new Verdict.Cancelled("its batch was stopped"));
            }
        }
        return refused;
    }

    private Set<Long> stoppedAmong(Set<Long> batches) {
        List<Long> suspects = stopped.suspectsAmong(batches);
        try {
            return suspects.isEmpty()
                    ? Set.of()
                    : database.autocommit(connection -> stopped.among(connection, suspects));
        } catch (SQLException | RuntimeException e) { // the claimed jobs start, as they would have a moment earlier
            LOG.debug("cannot read whether batches are stopped", e);
            return Set.of();
        }
    }

    /** Releases jobs that were paused after the end of a pause. A batch for which this fails is tried again, after the others. */
    @Override
    public void run() throws SQLException {
        List<Long> batches;
        synchronized (resumed) {
            batches = List.copyOf(resumed);
        }
        Steps each = new Steps();
        for (long batch : batches) {
            each.take(() -> {
                pauses.releaseUnlessPaused(batch);
                synchronized (resumed) {
                    resumed.remove(batch);
                }
                return 0;
            });
        }
        long unused = each.end();
    }
}
