package dev.pawl.internal.store;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Histograms of run times by kind, with two buckets for each power of two, from 65 microseconds to about thirteen days. The text has a line
 * for each kind: its name, a blank, the number of the first non-empty bucket, a colon, and the counts to the base of 36, separated by
 * commas.
 */
public final class RunTimes {
    /** Name for all kinds that are not counted separately; no kind has this name. */
    public static final String OTHERS = "*";
    /** Number of buckets. */
    public static final int BUCKETS = 70;

    private static final int FIRST_POWER = 16;
    private static final int RADIX = 36;

    private RunTimes() {}

    /** {@return the bucket of a run of this length} */
    public static int bucket(long nanos) {
        if (nanos < 1L << FIRST_POWER) {
            return 0;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        int half = (int) (nanos >>> (power - 1)) & 1;
        return Math.min(BUCKETS - 1, 1 + 2 * (power - FIRST_POWER) + half);
    }

    /** {@return the lower bound of a bucket, in nanoseconds; for the number after the last, the upper bound of the last} */
    public static long from(int bucket) {
        if (bucket == 0) {
            return 0;
        }
        long power = 1L << (FIRST_POWER + (bucket - 1) / 2);
        return (bucket - 1) % 2 == 0 ? power : power + power / 2;
    }

    /** {@return the lower bounds of all buckets, and the upper bound of the last} */
    public static long[] bounds() {
        long[] bounds = new long[BUCKETS + 1];
        for (int i = 0; i < bounds.length; i++) {
            bounds[i] = from(i);
        }
        return bounds;
    }

    /** {@return the counts of each kind as text; null if there are none} */
    public static @Nullable String text(Map<String, long[]> kinds) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(kinds).forEach((kind, counts) -> append(text, kind, counts));
        return text.isEmpty() ? null : text.toString();
    }

    private static void append(StringBuilder text, String kind, long[] counts) {
        int first = 0;
        int end = counts.length;
        while (end > 0 && counts[end - 1] == 0) {
            end--;
        }
        while (first < end && counts[first] == 0) {
            first++;
        }
        if (first == end) {
            return;
        }
        text.append(kind).append(' ').append(first);
        for (int i = first; i < end; i++) {
            text.append(i == first ? ':' : ',');
            if (counts[i] != 0) {
                text.append(Long.toString(counts[i], RADIX));
            }
        }
        text.append('\n');
    }

    /** {@return the counts of each kind; skips lines in other formats, as newer programs may add} */
    public static Map<String, long[]> read(@Nullable String text) {
        Map<String, long[]> kinds = new TreeMap<>();
        if (text != null) {
            text.lines().forEach(line -> read(line, kinds));
        }
        return kinds;
    }

    private static void read(String line, Map<String, long[]> kinds) {
        int blank = line.indexOf(' ');
        int colon = line.indexOf(':', blank + 1);
        if (blank <= 0 || colon < 0 || line.indexOf(' ', blank + 1) >= 0) {
            return;
        }
        try {
            int bucket = Integer.parseInt(line, blank + 1, colon, 10);
            long[] counts = new long[BUCKETS];
            // Not split: a chart of a week reads forty thousand of these lines.
            for (int begin = colon + 1; begin <= line.length(); bucket++) {
                if (bucket < 0 || bucket >= BUCKETS) {
                    return;
                }
                int comma = line.indexOf(',', begin);
                int end = comma < 0 ? line.length() : comma;
                counts[bucket] = begin == end ? 0 : Long.parseLong(line, begin, end, RADIX);
                begin = end + 1;
            }
            kinds.put(line.substring(0, blank), counts);
        } catch (NumberFormatException notOurs) {
            return; // one line less in a chart
        }
    }
}
