package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.log.Cause;
import dev.pawl.internal.log.JobIds;
import dev.pawl.internal.log.LoggedError;
import dev.pawl.internal.log.Repeats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wording and levels of all log lines about jobs. Payloads and keys are never logged. A failure is logged with its stack trace. If a
 * failure with the same cause was logged within the last minute, the new one is only counted, and one line reports the count. Thread-safe.
 */
final class EventLog {
    /** The logger of all job events. */
    static final Logger LOG = LoggerFactory.getLogger("dev.pawl.worker");

    private final Logger log;
    private final Repeats<Failure> repeats;

    EventLog() {
        this(LOG, System::nanoTime);
    }

    /**
     * @param log to write to
     * @param nanos clock for durations
     */
    EventLog(Logger log, LongSupplier nanos) {
        this.log = log;
        this.repeats = new Repeats<>(nanos);
    }

    /** The key of events that share one line. */
    private record Alike(Class<? extends WorkerEvent> type, String kind, int attempt, int most, String error) {
        static Alike of(WorkerEvent event) {
            Job job = event.job();
            String error = event instanceof WorkerEvent.Failed failed
                    ? failed.error()
                    : event instanceof WorkerEvent.Discarded discarded
                            ? discarded.reason() + ": " + discarded.error()
                            : "";
            boolean lost = event instanceof WorkerEvent.LeaseLost;
            return new Alike(
                    event.getClass(), job.kind(), lost ? 0 : job.attempt(), lost ? 0 : job.maxAttempts(), error);
        }
    }

    /**
     * The key of failures that are counted together.
     *
     * @param what what failed; the line continues with the count, such as "3 times more"
     */
    private record Failure(boolean isError, String what, Cause cause) {
        static Failure failed(String kind, String error) {
            return new Failure(false, "jobs of kind " + kind + " failed", Cause.of(error));
        }

        static Failure discarded(String kind, String error) {
            return new Failure(true, "jobs of kind " + kind + " were discarded", Cause.of(error));
        }
    }

    /** {@return whether events that are logged only at level debug are written} */
    boolean isVerbose() {
        return log.isDebugEnabled();
    }

    /**
     * Writes one line per cause, such as one failure of a chunk, or an outage in which many leases were lost.
     *
     * @param events that were recorded together
     */
    void write(List<WorkerEvent> events) {
        Map<Alike, List<WorkerEvent>> alike = Map.of(); // starts and completions, which are most events, need no map
        for (WorkerEvent event : events) {
            if (event instanceof WorkerEvent.Failed
                    || event instanceof WorkerEvent.Discarded
                    || event instanceof WorkerEvent.LeaseLost) {
                alike = alike.isEmpty() ? new LinkedHashMap<>() : alike;
                alike.computeIfAbsent(Alike.of(event), cause -> new ArrayList<>())
                        .add(event);
            } else {
                one(event);
            }
        }
        alike.values().forEach(this::ended);
    }

    private void ended(List<WorkerEvent> alike) {
        WorkerEvent first = alike.get(0);
        Job job = first.job();
        List<Long> ids = alike.stream().map(event -> event.job().id()).toList();
        if (first instanceof WorkerEvent.Failed failed) {
            String text = JobIds.text(ids) + " (" + job.kind() + ") failed on attempt " + job.attempt() + " of "
                    + job.maxAttempts() + ", next attempt in " + retries(alike) + ": ";
            Failure same = Failure.failed(job.kind(), failed.error());
            failed(same, Failure.discarded(job.kind(), failed.error()), ids, text, failed.error());
        } else if (first instanceof WorkerEvent.Discarded discarded) {
            String text = JobIds.text(ids) + " (" + job.kind()
                    + (ids.size() == 1 ? ") was discarded: " : ") were discarded: ")
                    + (discarded.reason().equals(discarded.error())
                            ? ""
                            : LoggedError.firstLine(discarded.reason()) + ": ");
            Failure same = Failure.discarded(job.kind(), discarded.error());
            failed(same, Failure.failed(job.kind(), discarded.error()), ids, text, discarded.error());
        } else if (ids.size() == 1) {
            log.warn(
                    "{} ({}): the lease was lost, so the outcome of this run does not count",
                    JobIds.text(ids),
                    job.kind());
        } else {
            log.warn(
                    "{} ({}): their leases were lost, so the outcomes of these runs do not count",
                    JobIds.text(ids),
                    job.kind());
        }
    }

    /**
     * @param failure the key under which it is counted
     * @param sibling another key, whose line may already show the stack trace
     * @param text to which the error is added
     */
    private void failed(Failure failure, Failure sibling, List<Long> ids, String text, String error) {
        reportRepeats();
        boolean isShown = repeats.isOpen(sibling);
        String first = LoggedError.firstLine(error);
        switch (repeats.add(failure, first, ids)) {
            case FIRST -> line(failure, text + first + (isShown ? "" : LoggedError.rest(error)));
            case UNCOUNTED -> line(failure, text + first);
            case REPEATED -> {}
        }
    }

    private void failed(Failure failure, Job job, String text, Throwable error) {
        failed(failure, failure, List.of(job.id()), "job " + job.id() + " (" + job.kind() + text, ErrorText.of(error));
    }

    private void line(Failure failure, String text) {
        if (failure.isError()) {
            log.error("{}", text);
        } else {
            log.warn("{}", text);
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

    private void one(WorkerEvent event) {
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

    /** Logs a failure of a handler after the commit of its transaction. The job stays completed. */
    void failedAfterCommit(Job job, Throwable error) {
        failed(
                new Failure(
                        false,
                        "handlers of kind " + job.kind() + " failed after their transaction",
                        Cause.of(ErrorText.of(error))),
                job,
                ") was completed by its transaction; its handler failed afterwards, which changes nothing: ",
                error);
    }

    /** Logs that the cleanup after a handler failed. */
    void cleanupFailed(Job job, Throwable error) {
        failed(
                new Failure(
                        true,
                        "the cleanup after handlers of kind " + job.kind() + " failed",
                        Cause.of(ErrorText.of(error))),
                job,
                "): cleanup after the handler failed: ",
                error);
    }

    /** Logs that a listener of the worker threw. */
    void listenerFailed(WorkerEvent event, Throwable error) {
        failed(
                new Failure(false, "listeners of the worker failed", Cause.of(ErrorText.of(error))),
                event.job(),
                "): a listener of the worker failed on " + event.getClass().getSimpleName() + ": ",
                error);
    }

    /** Writes the lines of counted failures whose minute is over. */
    void reportRepeats() {
        repeats.report((failure, times) -> line(failure, failure.what() + " " + times));
    }

    /** Writes the lines of all counted failures. */
    void reportAllRepeats() {
        repeats.reportAll((failure, times) -> line(failure, failure.what() + " " + times));
    }
}
