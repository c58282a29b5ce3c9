package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.LogLine;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs that were interrupted because their worker stopped. They cost no attempt, so a run that takes longer than the time between two
 * deployments would start over forever unnoticed. Therefore each interruption is a line in the job's log, and the third and later ones are
 * logged as warnings. Thread-safe.
 */
final class Interruptions {
    /** Number of interruptions from which the worker warns. */
    static final int WARN_FROM = 3;

    private static final int MAX = 1_000;

    private final JobStore store;
    private final RunLog log;
    private final Map<Long, Job> jobs = new ConcurrentHashMap<>();

    Interruptions(JobStore store, RunLog log) {
        this.store = store;
        this.log = log;
    }

    /** Notes a handler that ended because of the interrupt. */
    void note(HeldJob held) {
        Job job = held.job();
        log.add(
                job,
                LogLine.INTERRUPTED + " after " + HumanDuration.of(Duration.ofNanos(held.ranNanos()))
                        + " because the worker stopped; the attempt is not counted, and the next run starts over");
        if (jobs.size() < MAX) {
            jobs.put(job.id(), job);
        }
    }

    /**
     * Warns of jobs that were interrupted repeatedly. Called after the last write of the log, when the worker stops. Sends no statement if
     * no run was interrupted.
     */
    void warn() throws SQLException {
        if (jobs.isEmpty()) {
            return;
        }
        List<Long> ids = new ArrayList<>(jobs.keySet());
        store.interruptions(ids).forEach((id, count) -> {
            Job job = jobs.get(id);
            if (job != null && count >= WARN_FROM) {
                EventLog.LOG.warn(
                        "job {} ({}) has been interrupted {} times because its worker stopped, and starts over each time:"
                                + " save its work in steps and return when run.isStopping(), or give workers a longer grace",
                        id,
                        job.kind(),
                        count);
            }
        });
    }
}
