package dev.pawl.specification.concurrent;

import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.Slot;
import dev.pawl.api.WorkerEvent;
import dev.pawl.servers.Delay;
import dev.pawl.specification.concurrent.History.Ended;
import dev.pawl.specification.concurrent.History.Lease;
import dev.pawl.specification.concurrent.History.Run;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Handlers with random outcomes, which record when they ran. */
final class Handling {
    /** Jobs whose payload is this number or a larger one always complete. */
    static final int SMOOTH = 1_000_000;

    private final long seed;
    private final History history;

    Handling(long seed, History history) {
        this.seed = seed;
        this.history = history;
    }

    /** Handles a kind of job, most of whose runs take some milliseconds. */
    Outcome handle(int marker, JobRun run) throws Exception {
        long from = System.nanoTime();
        Random drawn = new Random(seed * 31 + marker * 1_000L + run.attempt() + run.leaseToken() % 7);
        AtomicLong committed = new AtomicLong(Long.MAX_VALUE);
        try {
            Delay.work(drawn.nextInt(10) == 0 ? 20 : drawn.nextInt(3));
            return marker >= SMOOTH ? Outcome.completed() : ended(drawn.nextInt(100), run, committed);
        } finally {
            Span span = new Span(from, Math.min(committed.get(), System.nanoTime()));
            history.runs.add(
                    new Run(span, run.job(), run.slot().map(Slot::number).orElse(null)));
        }
    }

    /**
     * Ends the run with the outcome that a random number selects. From the fifth attempt on the job completes, so every job ends.
     *
     * @param committed set to a time before the commit, if a transaction of the run ends the job
     */
    private static Outcome ended(int drawn, JobRun run, AtomicLong committed) throws Exception {
        if (drawn < 55 || run.attempt() > 4) {
            return Outcome.completed();
        } else if (drawn < 65) {
            throw new IllegalStateException("as drawn");
        } else if (drawn < 75) {
            return Outcome.retryAfter(Duration.ofMillis(10), "as drawn");
        } else if (drawn < 82) {
            return Outcome.snoozeFor(Duration.ofMillis(10));
        } else if (drawn < 86) {
            return Outcome.snoozeFor(Duration.ZERO);
        } else if (drawn < 89) {
            return Outcome.cancel("as drawn");
        } else if (drawn < 93) {
            return Outcome.discard("as drawn");
        }
        run.transaction(connection -> committed.set(System.nanoTime()));
        return Outcome.completed();
    }

    /** Writes the name of a person everywhere a job can write something. */
    Outcome confided(String name, JobRun run) throws Exception {
        long from = System.nanoTime();
        Random drawn = new Random(seed * 31 + name.hashCode() + run.attempt());
        try {
            run.log("about " + name);
            if (drawn.nextBoolean()) {
                run.step("ask", String.class, () -> name);
            }
            if (drawn.nextInt(3) == 0) {
                throw new IllegalStateException("does not like " + name);
            }
            run.result(name);
            return Outcome.completed();
        } finally {
            history.runs.add(new Run(Span.since(from), run.job(), null));
        }
    }

    /** A callback of a batch. */
    void called(String payload, JobRun run) throws Exception {
        long from = System.nanoTime();
        history.runs.add(new Run(Span.since(from), run.job(), null));
    }

    void hear(WorkerEvent event) {
        JobState state = event instanceof WorkerEvent.Completed
                ? JobState.COMPLETED
                : event instanceof WorkerEvent.Cancelled
                        ? JobState.CANCELLED
                        : event instanceof WorkerEvent.Discarded
                                ? JobState.DISCARDED
                                : event instanceof WorkerEvent.Failed || event instanceof WorkerEvent.Snoozed
                                        ? JobState.AVAILABLE
                                        : null;
        if (state != null) {
            Job job = event.job();
            history.ended.add(new Ended(System.nanoTime(), new Lease(job.id(), job.leaseToken()), state));
        }
    }
}
