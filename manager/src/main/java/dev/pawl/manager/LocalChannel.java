package dev.pawl.manager;

import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs on threads of the manager's own process, behind the same interface as remote workers. A run that exceeds
 * the maximum run time of its kind is interrupted and fails; it is retried only after its handler has returned, so a
 * handler that ignores its interrupt never runs twice at the same time. Thread-safe.
 */
public final class LocalChannel implements WorkerChannel {
    private static final Logger LOG = LoggerFactory.getLogger(LocalChannel.class);
    private static final ScheduledExecutorService CLOCK = clock();

    private static final int LONGEST_NAME = 200;

    private final String name;
    private final Semaphore permits;
    private final Map<String, JobHandler.WithOutcome<String>> handlers;

    /**
     * @param name shown in lists; at most 200 characters
     * @param capacity maximum number of concurrent jobs, 1 to 10,000
     * @param handlers by kind; they receive the payload as text
     * @throws IllegalArgumentException if the name is too long, or the capacity is outside its range
     */
    public LocalChannel(String name, int capacity, Map<String, JobHandler.WithOutcome<String>> handlers) {
        if (capacity < 1 || capacity > 10_000) {
            throw new IllegalArgumentException("capacity " + capacity + " is not valid: use 1 to 10000");
        }
        if (name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("the name of a worker has " + name.length()
                    + " characters, the maximum is " + LONGEST_NAME + ": shorten it");
        }
        this.name = name;
        this.permits = new Semaphore(capacity);
        this.handlers = Map.copyOf(handlers);
    }

    private static ScheduledExecutorService clock() {
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "pawl-local-clock");
            thread.setDaemon(true);
            return thread;
        });
        clock.setRemoveOnCancelPolicy(true); // otherwise each short run would leave its timers for its maxRunTime
        return clock;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int free() {
        return permits.availablePermits();
    }

    @Override
    public Set<String> kinds() {
        return handlers.keySet();
    }

    @Override
    public Optional<Outcome> run(Assignment assignment, JobRun run) throws Exception {
        JobHandler.WithOutcome<String> handler = handlers.get(assignment.job().kind());
        if (handler == null) {
            throw new NotTaken("there is no handler for " + assignment.job().kind());
        }
        if (!permits.tryAcquire()) {
            throw new NotTaken(name + " is full");
        }
        try {
            run.assignedTo(name);
            return Optional.of(within(assignment.options(), handler, run));
        } finally {
            permits.release();
        }
    }

    private static String seconds(Duration time) {
        return BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString();
    }

    private Outcome within(KindOptions options, JobHandler.WithOutcome<String> handler, JobRun run) throws Exception {
        Duration longest = options.maxRunTime();
        LocalRun local = new LocalRun(run, longest);
        Future<?> timeout = CLOCK.schedule(local::timeOut, longest.toNanos(), TimeUnit.NANOSECONDS);
        Future<?> complaint =
                CLOCK.schedule(() -> complain(run), options.longest().toNanos(), TimeUnit.NANOSECONDS);
        try {
            return handler.handle(run.job().payload(), local);
        } catch (Exception | Error e) {
            if (local.isTimedOut()) {
                throw new RunFailed("the run did not end within " + seconds(longest) + " s, and was interrupted", e);
            }
            throw e;
        } finally {
            local.end();
            timeout.cancel(false);
            complaint.cancel(false);
        }
    }

    private void complain(JobRun run) {
        LOG.error(
                "job {} of kind {} was interrupted and still runs on {}: its handler does not heed interrupts",
                run.job().id(),
                run.job().kind(),
                name);
    }
}
