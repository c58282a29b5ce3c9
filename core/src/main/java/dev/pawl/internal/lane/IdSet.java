package dev.pawl.internal.lane;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a range, ascending. Their text lists the differences between neighbours, beginning at the end of the previous range: {@code 3
 * 1*998 5} contains 998 differences of 1. The text of consecutive ids is null.
 */
public final class IdSet {
    private final long[] ids;

    private IdSet(long[] ids) {
        this.ids = ids;
    }

    static IdSet ofOwned(List<Long> ids) {
        return ofOwned(ids.stream().mapToLong(Long::longValue).toArray());
    }

    /** Takes ownership of the array: callers must not change it. */
    static IdSet ofOwned(long... ids) {
        return new IdSet(ids);
    }

    /**
     * @param after the end of the previous range
     * @param last the last id
     * @param jobs the number of ids
     * @param steps as stored; null for consecutive ids
     */
    static IdSet read(long after, long last, int jobs, @Nullable String steps) {
        long[] ids = new long[jobs];
        if (steps == null) {
            for (int i = 0; i < jobs; i++) {
                ids[i] = last - jobs + 1 + i;
            }
            return new IdSet(ids);
        }
        int next = 0;
        long id = after;
        for (String entry : steps.split(" ", -1)) {
            int star = entry.indexOf('*');
            long step = Long.parseLong(star < 0 ? entry : entry.substring(0, star));
            int times = star < 0 ? 1 : Integer.parseInt(entry.substring(star + 1));
            for (int i = 0; i < times; i++) {
                id += step;
                ids[next++] = id;
            }
        }
        return new IdSet(ids);
    }

    /**
     * @param after the end of the previous range
     * @return the ids as text; null if they are consecutive
     */
    public @Nullable String steps(long after) {
        if (last() - first() + 1 == ids.length) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        long from = after;
        for (int i = 0; i < ids.length; ) {
            long step = ids[i] - from;
            int times = 1;
            while (i + times < ids.length && ids[i + times] - ids[i + times - 1] == step) {
                times++;
            }
            text.append(text.isEmpty() ? "" : " ").append(step);
            if (times > 1) {
                text.append('*').append(times);
            }
            i += times;
            from = ids[i - 1];
        }
        return text.toString();
    }

    /** {@return the number of ids} */
    public int size() {
        return ids.length;
    }

    long id(int place) {
        return ids[place];
    }

    long first() {
        return ids[0];
    }

    /** {@return the last id} */
    public long last() {
        return ids[ids.length - 1];
    }

    /**
     * @param after the end of the previous range
     * @return whether the ids follow {@code after} and one another without a gap, so that no job can be committed late
     */
    public boolean fills(long after) {
        return last() - after == ids.length;
    }

    /** {@return the position of the id; negative if it is not in the set} */
    int positionOf(long id) {
        long step = id - ids[0];
        if (step >= 0 && step < ids.length && ids[(int) step] == id) {
            return (int) step; // the usual case: no gaps before it
        }
        return Arrays.binarySearch(ids, id);
    }

    /** {@return all ids} */
    List<Long> all() {
        return Arrays.stream(ids).boxed().toList();
    }
}
