package dev.pawl.internal.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Counts failures that have the same cause as a failure that was logged within the last minute, and makes one line of them. Thread-safe.
 *
 * @param <K> what failed, and the cause
 */
public final class Repeats<K> {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final int MAX_CAUSES = 200;
    private static final int NAMED = 5;

    private final LongSupplier nanos;
    private final Map<K, Minute> open = new LinkedHashMap<>();

    /** What the caller does with a failure. */
    public enum Answer {
        /** Log the failure in full, because it is the first one of its cause. */
        FIRST,
        /** Log nothing, because the failure is counted. */
        REPEATED,
        /** Log the failure in short, because too many causes are counted already. */
        UNCOUNTED
    }

    /** The failures of a cause within a minute, after the first. */
    private static final class Minute {
        final long begunNanos;
        long lastNanos;
        long count;
        String error = "";
        final Set<Long> jobs = new LinkedHashSet<>();

        Minute(long begunNanos) {
            this.begunNanos = begunNanos;
        }
    }

    /**
     * @param nanos clock for durations
     */
    public Repeats(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Adds a failure. Call {@link #report} first, so that the line of an expired minute is logged before the next
     * minute begins.
     *
     * @param key what failed, and the cause
     * @param error the error in one line
     * @param jobs that failed
     * @return what to do with the failure
     */
    public synchronized Answer add(K key, String error, List<Long> jobs) {
        Minute minute = open.get(key);
        if (minute == null) {
            if (open.size() >= MAX_CAUSES) {
                return Answer.UNCOUNTED;
            }
            open.put(key, new Minute(nanos.getAsLong()));
            return Answer.FIRST;
        }
        minute.count += jobs.size();
        minute.error = error;
        minute.lastNanos = nanos.getAsLong();
        jobs.stream().limit(NAMED).filter(job -> minute.jobs.size() < NAMED).forEach(minute.jobs::add);
        return Answer.REPEATED;
    }

    /**
     * @param key what failed, and the cause
     * @return whether a failure was logged in full within the last minute
     */
    public synchronized boolean isOpen(K key) {
        return open.containsKey(key);
    }

    /**
     * Reports and forgets the causes whose minute has expired.
     *
     * @param log receives the key and the end of a line for each cause with further failures
     */
    public void report(BiConsumer<K, String> log) {
        report(log, MINUTE);
    }

    /**
     * Reports and forgets all causes.
     *
     * @param log receives the key and the end of a line for each cause with further failures
     */
    public void reportAll(BiConsumer<K, String> log) {
        report(log, 0);
    }

    private void report(BiConsumer<K, String> log, long length) {
        List<Map.Entry<K, Minute>> over = new ArrayList<>();
        synchronized (this) {
            long now = nanos.getAsLong();
            // the oldest comes first
            for (Iterator<Map.Entry<K, Minute>> all = open.entrySet().iterator(); all.hasNext(); ) {
                Map.Entry<K, Minute> each = all.next();
                if (now - each.getValue().begunNanos < length) {
                    break;
                }
                all.remove();
                if (each.getValue().count > 0) {
                    over.add(Map.entry(each.getKey(), each.getValue()));
                }
            }
        }
        over.forEach(each -> log.accept(each.getKey(), text(each.getValue())));
    }

    private static String text(Minute minute) {
        long seconds = Math.max(
                1, Duration.ofNanos(minute.lastNanos - minute.begunNanos).toSeconds());
        String jobs = minute.jobs.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (minute.count == 1
                        ? "once more within "
                        : String.format(Locale.ROOT, "%,d times more within ", minute.count))
                + seconds + " s, for the same cause: " + minute.error
                + (minute.count == minute.jobs.size() ? " (" : " (the first: ")
                + (minute.jobs.size() == 1 ? "job " : "jobs ") + jobs + ")";
    }
}
