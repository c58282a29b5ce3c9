package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.WorkerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All wording and levels of the log about jobs. Payloads and keys stay out of it. */
final class EventLog {
    /** Where everything is logged that happens to jobs. */
    static final Logger LOG = LoggerFactory.getLogger("dev.pawl.worker");

    private EventLog() {}

    static void write(Logger log, WorkerEvent event) {
        Job job = event.job();
        if (event instanceof WorkerEvent.Failed failed) {
            log.warn(
                    "job {} ({}) failed on attempt {} of {}, next attempt in {}: {}",
                    job.id(),
                    job.kind(),
                    job.attempt(),
                    job.maxAttempts(),
                    Spoken.of(failed.retryIn()),
                    firstLine(failed.error()));
        } else if (event instanceof WorkerEvent.Discarded discarded) {
            log.error(
                    "job {} ({}) was discarded: {}: {}",
                    job.id(),
                    job.kind(),
                    discarded.reason(),
                    firstLine(discarded.error()));
        } else if (event instanceof WorkerEvent.LeaseLost) {
            log.warn(
                    "job {} ({}): the lease was lost, so the outcome of this run does not count", job.id(), job.kind());
        } else if (event instanceof WorkerEvent.Stalled stalled) {
            log.warn(
                    "job {} ({}) has been running for {}, where others of its kind took {} at most; it goes on",
                    job.id(),
                    job.kind(),
                    Spoken.of(stalled.running()),
                    Spoken.of(stalled.usual()));
        } else if (log.isDebugEnabled()) {
            log.debug("job {} ({}): {}", job.id(), job.kind(), event.getClass().getSimpleName());
        }
    }

    private static String firstLine(String error) {
        return error.lines().findFirst().orElse("");
    }
}
