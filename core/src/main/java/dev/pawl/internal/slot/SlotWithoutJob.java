package dev.pawl.internal.slot;

import dev.pawl.api.Slot;
import java.time.Duration;
import java.util.concurrent.Future;

/** A slot for work that is not a job. */
public final class SlotWithoutJob {
    private SlotWithoutJob() {}

    /** Work with a slot. */
    public interface Work<R> {
        /** {@return the result} */
        R apply(Slot slot) throws Exception;
    }

    /** See {@link dev.pawl.SlotSeries#with}. */
    public static <R> R run(Reservations reservations, SeriesOptions options, Work<R> work) throws Exception {
        Duration ttl = reservations.ttl(options, null);
        ReservedSlot slot = reservations.reserve(options, null, ttl);
        Future<?> heartbeat = options.ttl().until() == null ? slot.keepAlive(ttl) : null;
        boolean done = false;
        try {
            R result = work.apply(slot);
            slot.useUnlessEnded();
            done = true;
            return result;
        } finally {
            if (heartbeat != null) {
                heartbeat.cancel(false);
            }
            if (!done && !options.holdOnFailure()) {
                slot.release();
            }
        }
    }
}
