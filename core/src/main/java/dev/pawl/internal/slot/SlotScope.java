package dev.pawl.internal.slot;

import dev.pawl.api.JobRun;
import dev.pawl.internal.engine.Scoped;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a slot reserved during its run. Afterwards, releases the slot if the handler was skipped, or if the run failed and {@code
 * holdOnFailure} is false.
 */
final class SlotScope implements Scoped.Scope {
    private final SlotRun run;
    private final ReservedSlot slot;
    private final boolean holdOnFailure;
    private final @Nullable Future<?> heartbeat;

    SlotScope(SlotRun run, ReservedSlot slot, @Nullable Duration ttl, boolean holdOnFailure) {
        this.run = run;
        this.slot = slot;
        this.holdOnFailure = holdOnFailure;
        this.heartbeat = ttl == null ? null : slot.keepAlive(ttl);
    }

    @Override
    public JobRun run() {
        return run;
    }

    @Override
    public void close(boolean completed) {
        if (heartbeat != null) {
            heartbeat.cancel(false);
        }
        boolean wasPassedOver = completed && run.isUnused(); // because an interceptor skipped the handler
        if (wasPassedOver || (!completed && !holdOnFailure)) {
            slot.release();
        }
    }
}
