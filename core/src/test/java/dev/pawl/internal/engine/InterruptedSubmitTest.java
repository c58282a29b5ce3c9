package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.JobState;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A thread that is interrupted while it waits for space in the buffer of outcomes still submits its verdict. */
class InterruptedSubmitTest extends PartsFixture {
    private static final int FULL = 4 * Outcomes.BATCH;

    private final WorkerParts parts = parts();

    /** Interrupts the submit while there is no room, then records all outcomes. */
    private boolean interrupt(HeldJob last, List<HeldJob> others, Runnable submit) throws Exception {
        for (HeldJob held : others) {
            parts.completer.submit(held, new Verdict.Completed());
        }
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread waiting = new Thread(() -> {
            submit.run();
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        waiting.start();
        awaitWaiting(waiting);
        waiting.interrupt();
        parts.completer.stop();
        parts.completer.run();
        waiting.join();
        parts.completer.run();
        assertThat(parts.heldJobs.holds(last)).isFalse();
        return interrupted.get();
    }

    private List<HeldJob> jobs() throws Exception {
        return new ArrayList<>(held(parts, FULL + 1));
    }

    @Test
    void theVerdictOfAFilterIsRecorded() throws Exception {
        List<HeldJob> jobs = jobs();
        HeldJob last = jobs.remove(FULL);
        DatabaseHealth health = new DatabaseHealth("test", () -> "here", store::isTransient);
        ClaimFilters filters = new ClaimFilters(List.of(), parts.heldJobs, parts.completer, health);
        Map<Long, Verdict> refused = Map.of(last.job().id(), new Verdict.Cancelled("its batch was stopped"));
        assertThat(interrupt(last, jobs, () -> filters.withoutRefused(List.of(last), refused)))
                .isTrue();
        assertThat(store.row(FULL + 1).state).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void theVerdictOnAStuckHandlerIsRecorded() throws Exception {
        List<HeldJob> jobs = jobs();
        HeldJob last = jobs.remove(FULL);
        StuckHandlers stuck = new StuckHandlers(
                Duration.ZERO,
                parts.heldJobs,
                parts.completer,
                new OutcomePolicy(policy),
                config(1, (payload, run) -> {
                            throw new AssertionError("must not run");
                        })
                        .handlers(),
                (left, handler) -> true);
        last.begin(Thread.currentThread(), 0, null);
        last.stop(HeldJob.Stop.CANCELLED);
        boolean unused = Thread.interrupted();
        assertThat(interrupt(last, jobs, stuck::check)).isTrue();
        assertThat(store.row(FULL + 1).state).isEqualTo(JobState.CANCELLED);
    }
}
