package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.LeaseLostException;
import dev.pawl.api.Outcome;
import dev.pawl.internal.store.ClaimToken;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.StartedLeases;
import dev.pawl.internal.store.Verdict;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Before the first claim, loads the classes that the first run would otherwise load while its lease and timeout run: the flight
 * recorder, the log's context, the codec, the classes of a run. {@code FirstRunTest} fails if a class is missing here.
 */
final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** Once per process. */
    private static final AtomicBoolean DONE = new AtomicBoolean();

    private static final List<Class<?>> OF_A_RUN = List.of(
            ActiveItem.class,
            ActiveRun.class,
            ActiveSteps.class,
            CalledJob.class,
            StartedLeases.class,
            ClaimToken.class,
            Conflicts.class,
            FinishedRun.class,
            ErrorText.class,
            EventLog.class,
            FlightRecord.class,
            Grant.class,
            HandlerCalls.class,
            HeldJob.class,
            HeldJob.Stop.class,
            LeaseClock.class,
            HeldJobs.Unrecorded.class,
            JobRun.class,
            Lease.class,
            LeaseLostException.class,
            WaitGroup.class,
            LogNames.class,
            Outcome.class,
            Results.class,
            RunNotes.class,
            Scoped.class,
            Settled.class,
            Settlement.class,
            SharedCall.class,
            TooLate.class,
            Verdict.class,
            Verdict.Cancelled.class,
            Verdict.Completed.class,
            Verdict.Discarded.class,
            Verdict.Release.class,
            Verdict.Retry.class,
            Verdict.Snooze.class,
            Waiting.class);

    private WarmUp() {}

    /**
     * Loads the classes once per process, and the codec of these handlers. Failures are ignored: if they recur in a run, they are reported
     * there.
     */
    static void run(Handlers handlers) {
        try {
            if (!DONE.getAndSet(true)) {
                OF_A_RUN.forEach(WarmUp::initialize);
                Handlers.classes().forEach(WarmUp::initialize);
                Job job = Job.builder(1, "warm-up", "warm-up").build();
                boolean unusedTimeout = job.timeout().isEmpty();
                boolean unusedRetry = job.retryPolicy().isEmpty();
                LogNames.of("warm-up").close();
                FlightRecord.load();
            }
            handlers.load();
        } catch (Throwable failed) { // such as an incompatible library on the class path
            LOG.debug("not everything could be loaded before the first claim", failed);
        }
    }

    private static void initialize(Class<?> type) {
        try {
            Class<?> unused = Class.forName(type.getName(), true, type.getClassLoader());
        } catch (ClassNotFoundException cannotBe) {
            throw new IllegalStateException(cannotBe);
        }
    }
}
