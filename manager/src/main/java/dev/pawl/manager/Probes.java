package dev.pawl.manager;

import dev.pawl.JobQueue;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.internal.log.Outage;
import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRuns;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the probe of a kind for every run of that kind, including runs that other managers assigned, so that a
 * restarted manager continues where the previous one stopped.
 */
final class Probes implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Probes.class);
    private static final int MAX = 10_000;

    private final JobQueue queue;
    private final String kind;
    private final CompletionProbe probe;
    private final Tally tally;
    private final Outage outage;
    private final String doing;

    Probes(JobQueue queue, String kind, CompletionProbe probe, Tally tally, Outage outage) {
        this.queue = queue;
        this.kind = kind;
        this.probe = probe;
        this.tally = tally;
        this.outage = outage;
        this.doing = "probe the runs of kind " + kind;
    }

    @Override
    public void run() {
        long sent = System.nanoTime();
        try {
            queue.unwrap(RemoteRuns.class).running(List.of(kind), MAX).stream()
                    .filter(run -> run.worker().startsWith("http")) // excludes a manager's own threads
                    .forEach(this::ask);
            outage.worked(doing, sent);
        } catch (DatabaseException e) {
            outage.failed(doing, e);
        } catch (RuntimeException | Error e) { // a scheduled task that throws would never run again
            LOG.error("the runs of kind {} cannot be probed", kind, e);
        }
    }

    private void ask(RemoteRun run) {
        queue.admin()
                .jobs()
                .find(run.jobId())
                .filter(job -> job.leaseToken() == run.leaseToken() && isDone(job))
                .ifPresent(job -> tally.count(queue.unwrap(RemoteRuns.class).end(run, Outcome.completed(), List.of())));
    }

    private boolean isDone(Job job) {
        try {
            return probe.isDone(job);
        } catch (Exception | Error e) { // from user code; the other jobs are still probed
            LOG.warn("the probe of job {} failed: {}", job.id(), e.toString());
            return false;
        }
    }
}
