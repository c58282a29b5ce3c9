package dev.pawl.cli.importer;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the peer: a job that waits, or something recurring, or a refusal.
 *
 * @param isSchedule whether it recurs
 * @param key the values of its key in the peer's table, and of what must not have changed when it is taken over
 * @param id by which people know it, and by which it is imported once
 * @param peerName what the peer would run: a class, a task, a method; mapped to a kind
 * @param payload JSON
 * @param priority ours: smallest first
 * @param due when it is due; null for at once, and for what recurs
 * @param timetable if it recurs
 * @param refusal why it cannot be mapped; null if it can
 * @param covers the schedule whose next tick it is; null if it is a job of its own
 */
record Found(
        boolean isSchedule,
        List<Object> key,
        String id,
        String peerName,
        String payload,
        int priority,
        @Nullable Instant due,
        @Nullable Timetable timetable,
        @Nullable String refusal,
        @Nullable String covers) {
    Found {
        key = List.copyOf(key);
    }

    static Found job(
            List<Object> key, String id, String peerName, String payload, int priority, @Nullable Instant due) {
        return new Found(false, key, id, peerName, payload, priority, due, null, null, null);
    }

    static Found schedule(
            List<Object> key, String id, String peerName, String payload, int priority, Timetable timetable) {
        return new Found(true, key, id, peerName, payload, priority, null, timetable, null, null);
    }

    static Found refused(boolean isSchedule, String id, String peerName, String why) {
        return new Found(isSchedule, List.of(), id, peerName, "{}", 0, null, null, why, null);
    }

    /** {@return the same, as a tick that its schedule will see to} */
    Found coveredBy(String schedule) {
        return new Found(isSchedule, key, id, peerName, payload, priority, due, timetable, refusal, schedule);
    }
}
