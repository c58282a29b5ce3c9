package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.log.JobIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wording and levels of all log lines about jobs. Payloads and keys are never logged. */
final class EventLog {
    /** The logger of all job events. */
    static final Logger LOG = LoggerFactory.getLogger("dev.pawl.worker");

    private EventLog() {}

    /** Events that agree in these share one line. */
    private record Cause(Class<? extends WorkerEvent> type, String kind, int attempt, int most, String error) {
        static Cause of(WorkerEvent event) {
            Job job = event.job();
            String error = event instanceof WorkerEvent.Failed failed
                    ? failed.error()
                    : event instanceof WorkerEvent.Discarded discarded
                            ? discarded.reason() + ": " + discarded.error()
                            : "";
            boolean lost = event instanceof WorkerEvent.LeaseLost;
            return new Cause(
                    event.getClass(), job.kind(), lost ? 0 : job.attempt(), lost ? 0 : job.maxAttempts(), error);
        }
    }

    /**
     * Writes one line per cause, such as one failure of a chunk, or an outage in which many leases were lost.
     *
     * @param log to write to
     * @param events that were recorded together
     */
    static void write(Logger log, List<WorkerEvent> events) {
        Map<Cause, List<WorkerEvent>> alike = Map.of(); // starts and completions, which are most events, need none
        for (WorkerEvent event : events) {
            if (event instanceof WorkerEvent.Failed
                    || event instanceof WorkerEvent.Discarded
                    || event instanceof WorkerEvent.LeaseLost) {
                alike = alike.isEmpty() ? new LinkedHashMap<>() : alike;
                alike.computeIfAbsent(Cause.of(event), cause -> new ArrayList<>())
                        .add(event);
            } else {
                one(log, event);
            }
        }
        alike.values().forEach(some -> ended(log, some));
    }

    private static void ended(Logger log, List<WorkerEvent> alike) {
        WorkerEvent first = alike.get(0);
        Job job = first.job();
        boolean one = alike.size() == 1;
        String jobs = JobIds.text(alike.stream().map(event -> event.job().id()).toList());
        if (first instanceof WorkerEvent.Failed failed) {
            log.warn(
                    "{} ({}) failed on attempt {} of {}, next attempt in {}: {}",
                    jobs,
                    job.kind(),
                    job.attempt(),
                    job.maxAttempts(),
                    retries(alike),
                    firstLine(failed.error()));
        } else if (first instanceof WorkerEvent.Discarded discarded) {
            log.error(
                    one ? "{} ({}) was discarded: {}: {}" : "{} ({}) were discarded: {}: {}",
                    jobs,
                    job.kind(),
                    discarded.reason(),
                    firstLine(discarded.error()));
        } else if (one) {
            log.warn("{} ({}): the lease was lost, so the outcome of this run does not count", jobs, job.kind());
        } else {
            log.warn("{} ({}): their leases were lost, so the outcomes of these runs do not count", jobs, job.kind());
        }
    }

    private static String retries(List<WorkerEvent> failed) {
        List<Duration> all = failed.stream()
                .map(event -> ((WorkerEvent.Failed) event).retryIn())
                .sorted()
                .toList();
        String first = HumanDuration.of(all.get(0));
        String last = HumanDuration.of(all.get(all.size() - 1));
        return first.equals(last) ? first : first + " to " + last;
    }

    private static void one(Logger log, WorkerEvent event) {
        Job job = event.job();
        if (event instanceof WorkerEvent.Stalled stalled) {
            log.warn(
                    "job {} ({}) has been running for {}, where others of its kind took {} at most; it goes on",
                    job.id(),
                    job.kind(),
                    HumanDuration.of(stalled.running()),
                    HumanDuration.of(stalled.usual()));
        } else if (log.isDebugEnabled()) {
            log.debug("job {} ({}): {}", job.id(), job.kind(), event.getClass().getSimpleName());
        }
    }

    private static String firstLine(String error) {
        return error.lines().findFirst().orElse("");
    }
}
