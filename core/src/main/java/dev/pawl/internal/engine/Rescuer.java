package dev.pawl.internal.engine;

import dev.pawl.internal.store.AbandonedJob;
import dev.pawl.internal.store.FinishedRun;
import dev.pawl.internal.store.JobStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/**
 * Recovers jobs whose lease has expired, whoever held them. Every worker does it; the fence lets one of them win. Called
 * about every second by one thread.
 */
final class Rescuer {
    private static final int BATCH = 500;

    private final JobStore store;
    private final Judge judge;
    private final Counters counters;

    Rescuer(JobStore store, Judge judge, Counters counters) {
        this.store = store;
        this.judge = judge;
        this.counters = counters;
    }

    /** {@return how many jobs were recovered} */
    int rescue() throws SQLException {
        int rescued = 0;
        List<AbandonedJob> abandoned;
        do {
            abandoned = store.abandoned(BATCH);
            if (abandoned.isEmpty()) {
                break;
            }
            List<FinishedRun> runs = abandoned.stream()
                    .map(job ->
                            new FinishedRun(job.lease(), judge.abandoned(job.attempt(), job.maxAttempts(), cause(job))))
                    .toList();
            int won = store.rescue(runs).size();
            counters.rescued.add(won);
            rescued += won;
            if (won == 0) {
                break; // others are at it, or the rest is locked by transactions of handlers
            }
        } while (abandoned.size() == BATCH);
        return rescued;
    }

    private static String cause(AbandonedJob job) {
        return "abandoned: the lease ran out while worker " + job.leasedBy() + " ("
                + Objects.requireNonNullElse(job.workerName(), "its row is gone")
                + ") held the job; its process died, hung, or lost the database";
    }
}
