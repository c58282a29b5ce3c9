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
final class EndOptions {
    /** Exit code: its time was over, and jobs were left. */
    static final int TIME_IS_OVER = 3;

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

    /** What waits until there is nothing to do, for a time. */
    interface Idleness {
        boolean await(Duration timeout) throws InterruptedException;
    }

    /** Refuses what cannot be, before anything begins. */
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
     * @param goesOn false if it has ended for another reason
     * @param onLook called now and then
     * @return the exit code
     */
    int await(
            Idleness idleness,
            BooleanSupplier goesOn,
            Runnable onLook,
            JobQueue queue,
            String[] queues,
            Set<String> kinds,
            PrintWriter err)
            throws InterruptedException {
        if (!untilEmpty) {
            while (goesOn.getAsBoolean()) {
                TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
                onLook.run();
            }
            return 0;
        }
        Waiting waiting = new Waiting(queue, queues, kinds, err);
        long began = System.nanoTime();
        long most = mostNanos();
        while (goesOn.getAsBoolean()) {
            long left = most - (System.nanoTime() - began);
            if (left <= 0) {
                waiting.gaveUp(Texts.length(Duration.ofNanos(most)));
                return TIME_IS_OVER;
            }
            boolean idle = idleness.await(left < LOOK.toNanos() ? Duration.ofNanos(left) : LOOK);
            onLook.run();
            if (idle) {
                waiting.isOver();
                return 0;
            }
            waiting.look();
        }
        return 0;
    }
}
