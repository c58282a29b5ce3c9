package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.Outcome;
import dev.pawl.internal.quota.Gate;
import dev.pawl.internal.quota.Quotas;
import org.jspecify.annotations.Nullable;

/** What limits learn of runs: that they have ended, and whether what they needed was available. Thread-safe. */
final class Gates {
    private final Quotas quotas;
    private final Buffer buffer;
    private final FetchSignal signal;
    private final KeyKeeper keys;

    Gates(Quotas quotas, Buffer buffer, FetchSignal signal, KeyKeeper keys) {
        this.keys = keys;
        this.quotas = quotas;
        this.buffer = buffer;
        this.signal = signal;
    }

    /** Another job may start in its place. Once for each job. */
    void leave(HeldJob held) {
        Gate gate = held.takeGate();
        if (gate != null) {
            boolean more = gate.leave();
            buffer.left();
            if (more) {
                signal.look();
            }
        }
    }

    /**
     * @param job whose handler has ended
     * @param outcome null if it has failed, or it does not matter any more
     */
    void ended(Job job, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Unavailable unavailable) {
            quotas.unavailable(job.kind(), unavailable.delay(), ErrorText.clean(unavailable.reason()));
            buffer.limitsChanged();
        } else if (outcome instanceof Outcome.KeyUnavailable unavailable) {
            String reason = ErrorText.clean(unavailable.reason());
            job.key().ifPresent(key -> keys.unavailable(job.queue(), key, unavailable.delay(), reason));
        } else {
            quotas.available(job.queue(), job.kind());
        }
    }
}
