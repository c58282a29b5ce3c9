package dev.pawl.importer;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the peer: a waiting job, a recurring one, or a refused one.
 *
 * @param isSchedule whether it recurs
 * @param key its key in the peer's table, and the values that must be unchanged when it is taken over
 * @param id shown to people; identifies the row if it is imported again
 * @param peerName what the peer would run: a class, a task, a method; mapped to a kind
 * @param payload JSON
 * @param priority translated: smallest first
 * @param due when it is due; null if it is due at once, or recurs
 * @param timetable its timing if it recurs; otherwise null
 * @param refusal why it cannot be mapped; null if it can
 * @param covers the schedule whose next tick this job is; null if it belongs to no schedule
 */
record PeerRow(
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
    PeerRow {
        key = List.copyOf(key);
    }

    static PeerRow job(
            List<Object> key, String id, String peerName, String payload, int priority, @Nullable Instant due) {
        return new PeerRow(false, key, id, peerName, payload, priority, due, null, null, null);
    }

    static PeerRow schedule(
            List<Object> key, String id, String peerName, String payload, int priority, Timetable timetable) {
        return new PeerRow(true, key, id, peerName, payload, priority, null, timetable, null, null);
    }

    static PeerRow refused(boolean isSchedule, String id, String peerName, String why) {
        return new PeerRow(isSchedule, List.of(), id, peerName, "{}", 0, null, null, why, null);
    }

    /** {@return a copy marked as a tick that its schedule will enqueue} */
    PeerRow coveredBy(String schedule) {
        return new PeerRow(isSchedule, key, id, peerName, payload, priority, due, timetable, refusal, schedule);
    }
}
