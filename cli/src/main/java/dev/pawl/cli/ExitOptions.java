package dev.pawl.cli;

import dev.pawl.JobQueue;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that make a program that runs jobs exit by itself. */
final class ExitOptions {
    /** Exit code if jobs are left at the time limit. */
    static final int TIME_LIMIT = 3;

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    @Option(
            names = "--until-empty",
            description =
                    "Exit when no job can run any more. Keeps waiting for jobs delayed by a limit and reports them;"
                            + " 'pawl manage' also waits until a worker can run the kinds of --kinds. Ignores jobs in paused"
                            + " queues, jobs of kinds without a live worker and scheduled jobs, and reports their number.")
    private boolean untilEmpty;

    @Option(
            names = "--within",
            paramLabel = "DURATION",
            description =
                    "With --until-empty: exit with code 3 if jobs are left after this time, such as 10m; 1ms or more."
                            + " Default: wait as long as it takes")
    private @Nullable String within;

    /** Waits until the program is idle. */
    interface Idleness {
        /** {@return whether the program is idle; false after the timeout} */
        boolean await(Duration timeout) throws InterruptedException;
    }

    /** Refuses contradictory options before anything begins. */
    void check() {
        if (within != null && !untilEmpty) {
            throw new UsageException("--within requires --until-empty");
        }
        if (within != null && limitNanos() <= 0) {
            throw new UsageException("--within '" + within + "' is not valid: use more than 0, such as 10m");
        }
    }

    private long limitNanos() {
        Duration limit = within == null ? null : Texts.duration("--within", within);
        return limit == null || limit.compareTo(Duration.ofDays(36_500)) > 0 ? Long.MAX_VALUE : limit.toNanos();
    }

    /**
     * Waits until the program should exit.
     *
     * @param isRunning false if the program has ended for another reason
     * @param onPoll called at each check
     * @return the exit code
     */
    int await(
            Idleness idleness,
            BooleanSupplier isRunning,
            Runnable onPoll,
            JobQueue queue,
            String[] queues,
            Set<String> kinds,
            PrintWriter err)
            throws InterruptedException {
        if (!untilEmpty) {
            while (isRunning.getAsBoolean()) {
                TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
                onPoll.run();
            }
            return 0;
        }
        WaitReport waiting = new WaitReport(queue, queues, kinds, err);
        long began = System.nanoTime();
        long limit = limitNanos();
        while (isRunning.getAsBoolean()) {
            long left = limit - (System.nanoTime() - began);
            if (left <= 0) {
                waiting.gaveUp(Texts.length(Duration.ofNanos(limit)));
                return TIME_LIMIT;
            }
            boolean idle = idleness.await(left < POLL_INTERVAL.toNanos() ? Duration.ofNanos(left) : POLL_INTERVAL);
            onPoll.run();
            if (idle) {
                waiting.end();
                return 0;
            }
            waiting.check();
        }
        return 0;
    }
}
