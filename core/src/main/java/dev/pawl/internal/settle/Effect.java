package dev.pawl.internal.settle;

import dev.pawl.api.JobState;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a verdict changes in the row of a job. The job either ends in a final state or waits again. It then waits for a delay, waits as it
 * did before its claim, or is paused.
 *
 * @param state the final state, or the state in which the job waits
 * @param reason stored with a job that ends
 * @param delay until the job is available; null to wait as before the claim
 * @param refund attempts that are taken back
 * @param error to record as a failed attempt; null for none
 * @param ifCancelled reason to store if a cancellation was requested during the run. In this case, the job is cancelled instead of waiting
 *     again
 */
record Effect(
        JobState state,
        @Nullable String reason,
        @Nullable Duration delay,
        int refund,
        @Nullable String error,
        String ifCancelled) {
    private static final String WHILE_RUNNING = "cancelled while it was running";

    static Effect of(Verdict verdict) {
        return switch (verdict.kind()) {
            case COMPLETED -> end(JobState.COMPLETED, null, null);
            case RETRY -> new Effect(JobState.AVAILABLE, null, verdict.delay(), 0, verdict.error(), WHILE_RUNNING);
            case SNOOZE -> new Effect(JobState.AVAILABLE, null, verdict.delay(), 1, null, WHILE_RUNNING);
            case RELEASE -> unstarted(JobState.AVAILABLE);
            case PAUSE -> unstarted(JobState.PAUSED);
            case CANCELLED -> end(JobState.CANCELLED, verdict.reason(), null);
            case DISCARDED -> end(JobState.DISCARDED, verdict.reason(), verdict.error());
        };
    }

    private static Effect end(JobState state, @Nullable String reason, @Nullable String error) {
        return new Effect(state, reason, null, 0, error, WHILE_RUNNING);
    }

    private static Effect unstarted(JobState state) {
        return new Effect(state, null, null, 1, null, "cancelled before its handler started");
    }
}
