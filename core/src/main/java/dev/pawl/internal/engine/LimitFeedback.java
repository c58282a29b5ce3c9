package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.internal.quota.LocalLimits;
import org.jspecify.annotations.Nullable;

/** Reports to the limits whether the resources of a run were available. Thread-safe. */
final class LimitFeedback {
    private final LocalLimits localLimits;
    private final Buffer buffer;
    private final KeyKeeper keys;

    LimitFeedback(LocalLimits localLimits, Buffer buffer, KeyKeeper keys) {
        this.keys = keys;
        this.localLimits = localLimits;
        this.buffer = buffer;
    }

    /**
     * @param job whose handler has ended
     * @param outcome null if it has failed, or is irrelevant
     */
    void ended(Job job, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Unavailable unavailable) {
            localLimits.unavailable(job.kind(), unavailable.delay(), ErrorText.clean(unavailable.reason()));
            buffer.limitsChanged();
        } else if (outcome instanceof Outcome.KeyUnavailable unavailable) {
            String reason = ErrorText.clean(unavailable.reason());
            job.key().ifPresent(key -> keys.unavailable(job.queue(), key, unavailable.delay(), reason));
        } else {
            localLimits.available(job.queue(), job.kind());
        }
    }
}
