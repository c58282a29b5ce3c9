package dev.pawl.internal.key;

import dev.pawl.internal.store.JobKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The concurrency keys to release, and when. Due keys are taken in the order of their names, each time beginning after the last key taken.
 * So no key starves; and the rows of neighbours share pages, which a release then writes once instead of once per key. Not thread-safe.
 */
final class KeySchedule {
    /** Maximum number of keys; the sweep finds keys that were not added. */
    private static final int MAX = 10_000;

    private static final Comparator<JobKey> ORDER =
            Comparator.comparing(JobKey::queue).thenComparing(JobKey::key);

    private final NavigableMap<JobKey, Long> nanos = new TreeMap<>(ORDER);
    private @Nullable JobKey last;
    /** The last key of the current pass through the names. */
    private @Nullable JobKey end;

    /** Adds a key; if it is known, the earlier moment counts. */
    void remember(JobKey key, long dueNanos) {
        if (nanos.size() < MAX || nanos.containsKey(key)) {
            nanos.merge(key, dueNanos, (one, other) -> one - other < 0 ? one : other);
        }
    }

    /** {@return due keys, removed} */
    List<JobKey> take(long now, int most) {
        List<JobKey> due = new ArrayList<>();
        if (last != null && end != null && ORDER.compare(last, end) < 0) {
            take(nanos.subMap(last, false, end, true), now, most, due);
        }
        if (due.size() < most
                // a new pass, which ends at the current last key, because new names may arrive forever
                && !nanos.isEmpty()) {
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

    /** {@return the nanoseconds until a key is due: 0 if a key is due, {@link Long#MAX_VALUE} if there are no keys} */
    long untilNext(long now) {
        long wait = Long.MAX_VALUE;
        for (long due : nanos.values()) {
            if (due - now <= 0) {
                return 0; // returns early, because there may be thousands
            }
            wait = Math.min(wait, due - now);
        }
        return wait;
    }
}
