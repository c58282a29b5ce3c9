package dev.pawl.cli;

import dev.pawl.JobQueue;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** When a program that runs jobs ends by itself. */
final class ExitOptions {
    /** Exit code: the time limit was reached with jobs left. */
    static final int TIME_LIMIT = 3;

    private static final Duration LOOK = Duration.ofMillis(500);

    @Option(
            names = "--until-empty",
            description =
                    "Exit when there is nothing left to run now. It waits for jobs that a limit holds back, and says so;"
                            + " 'pawl manage' also waits for a worker that can run its kinds. It leaves jobs of a paused"
                            + " queue, of kinds that no live worker runs, and for later, and says how many.")
    private boolean untilEmpty;

    @Option(
            names = "--within",
            paramLabel = "DURATION",
            description =
                    "With --until-empty: exit with code 3 if jobs are left after this time, such as 10m: 1ms or more."
                            + " Default: wait as long as it takes")
    private @Nullable String within;

    /** Waits until the program is idle, with a timeout. */
    interface Idleness {
        boolean await(Duration timeout) throws InterruptedException;
    }

    /** Refuses contradictory options before anything begins. */
    void check() {
        if (within != null && !untilEmpty) {
            throw new UsageException("--within belongs to --until-empty");
        }
        if (within != null && mostNanos() <= 0) {
            throw new UsageException("--within '" + within + "' is not valid: use more than 0, such as 10m");
        }
    }

    private long mostNanos() {
        Duration most = within == null ? null : Texts.duration("--within", within);
        return most == null || most.compareTo(Duration.ofDays(36_500)) > 0 ? Long.MAX_VALUE : most.toNanos();
    }

    /**
     * Waits for the end.
     *
     * @param isRunning false if it has ended for another reason
     * @param onLook called at each check
     * @return the exit code
     */
    int await(
            Idleness idleness,
            BooleanSupplier isRunning,
            Runnable onLook,
            JobQueue queue,
            String[] queues,
            Set<String> kinds,
            PrintWriter err)
            throws InterruptedException {
        if (!untilEmpty) {
            while (isRunning.getAsBoolean()) {
                TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
                onLook.run();
            }
            return 0;
        }
        WaitReport waiting = new WaitReport(queue, queues, kinds, err);
        long began = System.nanoTime();
        long most = mostNanos();
        while (isRunning.getAsBoolean()) {
            long left = most - (System.nanoTime() - began);
            if (left <= 0) {
                waiting.gaveUp(Texts.length(Duration.ofNanos(most)));
                return TIME_LIMIT;
            }
            boolean idle = idleness.await(left < LOOK.toNanos() ? Duration.ofNanos(left) : LOOK);
            onLook.run();
            if (idle) {
                waiting.end();
                return 0;
            }
            waiting.check();
        }
        return 0;
    }
}
