package dev.pawl.internal.store;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Histograms of run times by kind, with two buckets for each power of two, from 65 microseconds to about thirteen days. Stored as JSON, as
 * in {@code {"mail.send":{"4195":12,"6292":3}}}: for each kind, the lower bound of each bucket with runs, in microseconds, and the number
 * of these runs.
 */
public final class RunTimes {
    /** The name under which all kinds without a count of their own are counted; no kind has this name. */
    public static final String OTHERS = "*";
    /** Number of buckets. */
    public static final int BUCKETS = 70;

    private static final int FIRST_POWER = 16;
    private static final long[] MICROS = micros();

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

    /** {@return the lower bound of a bucket, in nanoseconds; for {@link #BUCKETS}, the upper bound of the last bucket} */
    public static long from(int bucket) {
        if (bucket == 0) {
            return 0;
        }
        long power = 1L << (FIRST_POWER + (bucket - 1) / 2);
        return (bucket - 1) % 2 == 0 ? power : power + power / 2;
    }

    /** {@return the lower bounds of all buckets, and the upper bound of the last one, in nanoseconds} */
    public static long[] bounds() {
        long[] bounds = new long[BUCKETS + 1];
        for (int i = 0; i < bounds.length; i++) {
            bounds[i] = from(i);
        }
        return bounds;
    }

    /** {@return the lower bounds in microseconds, rounded up so that each is within its bucket} */
    private static long[] micros() {
        long[] micros = new long[BUCKETS];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = (from(i) + 999) / 1000;
        }
        return micros;
    }

    /** {@return the counts of each kind as JSON; null if there are none} */
    public static @Nullable String json(Map<String, long[]> kinds) {
        StringBuilder json = new StringBuilder("{");
        new TreeMap<>(kinds).forEach((kind, counts) -> {
            if (Arrays.stream(counts).anyMatch(count -> count != 0)) {
                append(
                        json.append(json.length() == 1 ? "\"" : ",\"")
                                .append(kind)
                                .append("\":{"),
                        counts);
            }
        });
        return json.length() == 1 ? null : json.append('}').toString();
    }

    private static void append(StringBuilder json, long[] counts) {
        String separator = "\"";
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] != 0) {
                json.append(separator).append(MICROS[i]).append("\":").append(counts[i]);
                separator = ",\"";
            }
        }
        json.append('}');
    }

    /** {@return the counts of each kind, without values that cannot be read, because newer programs may have written them} */
    public static Map<String, long[]> read(@Nullable String json) {
        Map<String, long[]> kinds = new TreeMap<>();
        if (json != null) {
            try {
                read(new JsonScanner(json), kinds);
            } catch (IllegalArgumentException notOurs) {
                return kinds; // a chart without some kinds is acceptable
            }
        }
        return kinds;
    }

    /** Reads the next value, as {@link #read(String)} does. */
    public static void read(JsonScanner json, Map<String, long[]> kinds) {
        json.object(kind -> {
            long[] counts = new long[BUCKETS];
            json.object(
                    micros -> counts[bucket(TimeUnit.MICROSECONDS.toNanos(Long.parseLong(micros)))] += json.number());
            kinds.put(kind, counts);
        });
    }
}
