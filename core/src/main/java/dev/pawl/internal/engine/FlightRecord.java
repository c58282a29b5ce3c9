package dev.pawl.internal.engine;

import dev.pawl.internal.store.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A run in Java's flight recorder. Without an active recording this costs the check of a flag. Java may have been built without the
 * recorder.
 */
final class FlightRecord {
    private static final boolean THERE = isThere();

    private FlightRecord() {}

    private static boolean isThere() {
        try {
            return Class.forName("jdk.jfr.Event") != null;
        } catch (ClassNotFoundException | LinkageError without) {
            return false;
        }
    }

    /** Registers the event type, which takes a tenth of a second of CPU or more. */
    static void load() {
        JobRunEvent unused = begin(); // never committed
    }

    /** {@return the begun event of a run; null if no recording wants it} */
    static @Nullable JobRunEvent begin() {
        if (!THERE) {
            return null;
        }
        JobRunEvent event = new JobRunEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    static void end(@Nullable JobRunEvent event, HeldJob held, @Nullable Verdict verdict) {
        if (event != null) {
            event.ended(held.job(), outcome(held, verdict));
        }
    }

    private static String outcome(HeldJob held, @Nullable Verdict verdict) {
        if (held.stopped() == HeldJob.Stop.LEASE_LOST) {
            return "lease lost";
        }
        if (verdict == null) {
            return "handed off";
        }
        return switch (verdict.kind()) {
            case COMPLETED -> "completed";
            case RETRY -> "failed";
            case SNOOZE -> "snoozed";
            case RELEASE -> "released";
            case PAUSE -> "paused";
            case CANCELLED -> "cancelled";
            case DISCARDED -> "discarded";
        };
    }
}
