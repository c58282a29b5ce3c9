package dev.pawl.internal.settle;

import dev.pawl.api.JobState;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * /**
 * What a verdict writes. A job either ends in a state, or waits again: after a delay, or as before its claim, perhaps
 * paused.
 *
 * @param state the final state, or the one in which it waits
 * @param reason kept with a job that ends
 * @param delay until the job is available; null: as before the claim
 * @param refund attempts that are taken back
 * @param error recorded as a failed attempt; null for none
 * @param ifCancelled reason of the cancellation that replaces a delay if it was requested during the run
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
        return verdict.choose(OF_EACH);
    }

    private static Effect end(JobState state, @Nullable String reason, @Nullable String error) {
        return new Effect(state, reason, null, 0, error, WHILE_RUNNING);
    }

    private static Effect unstarted(JobState state) {
        return new Effect(state, null, null, 1, null, "cancelled before its handler started");
    }

    private static final Verdict.Cases<Effect> OF_EACH = new Verdict.Cases<>() {
        @Override
        public Effect completed() {
            return end(JobState.COMPLETED, null, null);
        }

        @Override
        public Effect retry(Verdict.Retry retry) {
            return new Effect(JobState.AVAILABLE, null, retry.delay(), 0, retry.error(), WHILE_RUNNING);
        }

        @Override
        public Effect snooze(Verdict.Snooze snooze) {
            return new Effect(JobState.AVAILABLE, null, snooze.delay(), 1, null, WHILE_RUNNING);
        }

        @Override
        public Effect giveBack() {
            return unstarted(JobState.AVAILABLE);
        }

        @Override
        public Effect pause() {
            return unstarted(JobState.PAUSED);
        }

        @Override
        public Effect cancelled(Verdict.Cancelled cancelled) {
            return end(JobState.CANCELLED, cancelled.reason(), null);
        }

        @Override
        public Effect discarded(Verdict.Discarded discarded) {
            return end(JobState.DISCARDED, discarded.reason(), discarded.error());
        }
    };
}
