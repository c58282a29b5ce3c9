package dev.pawl.internal.engine;

import dev.pawl.internal.store.KeyTurns.JobKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keys whose turns are to be taken, and when. Those that are due are taken in the order of their names, each time from where the last time has
 * ended: the rows of neighbours share pages, which a turn then writes once instead of one for each key, and nobody is passed by for ever. Not
 * thread-safe.
 */
final class DueKeys {
    /** The sweep finds what is forgotten. */
    private static final int MOST = 10_000;

    private static final Comparator<JobKey> ORDER =
            Comparator.comparing(JobKey::queue).thenComparing(JobKey::key);

    private final NavigableMap<JobKey, Long> nanos = new TreeMap<>(ORDER);
    private @Nullable JobKey last;
    /** Of this lap through the names. */
    private @Nullable JobKey end;

    /** The earlier moment holds. */
    void remember(JobKey key, long dueNanos) {
        if (nanos.size() < MOST || nanos.containsKey(key)) {
            nanos.merge(key, dueNanos, (one, other) -> one - other < 0 ? one : other);
        }
    }

    /** {@return some that are due; they are remembered no longer} */
    List<JobKey> take(long now, int most) {
        List<JobKey> due = new ArrayList<>();
        if (last != null && end != null && ORDER.compare(last, end) < 0) {
            take(nanos.subMap(last, false, end, true), now, most, due);
        }
        if (due.size() < most
                && !nanos.isEmpty()) { // a new lap, which ends where it would end now: names may grow for ever
            end = nanos.lastKey();
            take(nanos, now, most, due);
        }
        if (!due.isEmpty()) {
            last = due.get(due.size() - 1);
        }
        return due;
    }

    private static void take(Map<JobKey, Long> some, long now, int most, List<JobKey> due) {
        for (Iterator<Map.Entry<JobKey, Long>> each = some.entrySet().iterator();
                each.hasNext() && due.size() < most; ) {
            Map.Entry<JobKey, Long> key = each.next();
            if (key.getValue() - now <= 0) {
                due.add(key.getKey());
                each.remove();
            }
        }
    }

    /** {@return for how many nanoseconds none is due: none if one is, and as many as there can be if there is no key} */
    long untilNext(long now) {
        long wait = Long.MAX_VALUE;
        for (long due : nanos.values()) {
            if (due - now <= 0) {
                return 0; // there may be thousands
            }
            wait = Math.min(wait, due - now);
        }
        return wait;
    }
}
