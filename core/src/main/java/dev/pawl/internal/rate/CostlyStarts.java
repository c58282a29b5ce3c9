package dev.pawl.internal.rate;

import dev.pawl.internal.store.JsonScanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Recent starts, kept while some jobs cost several starts at once, or some workers need starts that are valid for longer than usual. In
 * these cases, equal intervals between starts do not ensure a rate, because an expensive job uses several consecutive starts at once, and a
 * job may start long after its start was allocated. Times are microseconds since 1970.
 *
 * @param until when the entries may be dropped, unless more such jobs start
 * @param reserved number of starts reserved for a waiting job that needs them together; otherwise cheaper jobs could
 *     starve it
 * @param reservedUntil when the reservation expires unless it is renewed
 * @param entries the starts, oldest first
 */
record CostlyStarts(long until, int reserved, long reservedUntil, List<Entry> entries) {
    /** Approximate maximum number of entries. Starts that are close to each other share an entry. */
    private static final int MAX = 64;

    private static final long RESERVED = 3_000_000;

    /**
     * By how many microseconds the time of an entry may be in the future. Starts that are valid for longer than usual are recorded as if
     * they were allocated later.
     */
    private static final long LATER = Bucket.LONGEST_VALIDITY.toNanos() / 1000;

    /** @param at time of the last of these starts */
    record Entry(long at, int starts) {}

    /**
     * The initial state: it assumes that all jobs so far cost one start, and started when the rate allowed it.
     *
     * @param rateSchedule of the rate
     * @param next the next permitted start
     * @param now the current time
     */
    static CostlyStarts first(RateSchedule rateSchedule, long next, long now) {
        List<Entry> entries = new ArrayList<>();
        long interval = rateSchedule.interval();
        long last = Math.min(now, next - interval);
        long count = Math.min(
                rateSchedule.maxStarts(),
                last > now - rateSchedule.windowMicros()
                        ? (last - now + rateSchedule.windowMicros()) / interval + 1
                        : 0);
        long size = Math.max(1, (count + MAX - 1) / MAX);
        for (long done = 0; done < count; done += size) {
            entries.add(0, new Entry(last - done * interval, (int) Math.min(size, count - done)));
        }
        return new CostlyStarts(now + rateSchedule.windowMicros(), 0, 0, entries);
    }

    /** {@return the value that {@link #toString} has written; null for null} */
    static @Nullable CostlyStarts parse(@Nullable String json) {
        if (json == null) {
            return null;
        }
        Map<String, Long> numbers = new HashMap<>();
        List<Entry> entries = new ArrayList<>();
        JsonScanner scanner = new JsonScanner(json);
        scanner.object(field -> {
            if (field.equals("starts")) {
                scanner.array(() -> entries.add(entry(scanner)));
            } else {
                numbers.put(field, scanner.number());
            }
        });
        return new CostlyStarts(
                numbers.getOrDefault("until", 0L),
                Math.toIntExact(numbers.getOrDefault("reserved", 0L)),
                numbers.getOrDefault("reserved_until", 0L),
                entries);
    }

    private static Entry entry(JsonScanner scanner) {
        List<Long> numbers = new ArrayList<>(2);
        scanner.array(() -> numbers.add(scanner.number()));
        return new Entry(numbers.get(0), Math.toIntExact(numbers.get(1)));
    }

    /** {@return a copy in which times that are too far in the future, because the clock was set back, are moved back} */
    CostlyStarts at(RateSchedule rateSchedule, long now) {
        long end = now + rateSchedule.windowMicros();
        boolean isAhead = until > end + LATER
                || reservedUntil > now + RESERVED
                || entries.stream().anyMatch(one -> one.at > now + LATER);
        return !isAhead
                ? this
                : new CostlyStarts(
                        Math.min(until, end),
                        reserved,
                        Math.min(reservedUntil, now + RESERVED),
                        entries.stream()
                                .map(one -> new Entry(Math.min(one.at, now), one.starts))
                                .toList());
    }

    /**
     * @param rateSchedule of the rate
     * @param now the current time
     * @param cost of the most expensive job of the requesting worker
     * @return how many starts are allowed now
     */
    int room(RateSchedule rateSchedule, long now, int cost) {
        long used = 0;
        for (Entry one : entries) {
            used += one.at + rateSchedule.windowMicros() > now ? one.starts : 0;
        }
        int kept = Math.min(reserved, rateSchedule.maxStarts());
        return (int) Math.max(0, rateSchedule.maxStarts() - used - (reservedUntil > now && cost < kept ? kept : 0));
    }

    /** {@return how many microseconds until enough starts have expired for a job of this cost, if no job starts until then} */
    long untilRoom(RateSchedule rateSchedule, long now, int cost) {
        long used = entries.stream().mapToLong(Entry::starts).sum();
        long wait = 0;
        for (Entry one : entries) {
            if (rateSchedule.maxStarts() - used >= cost) {
                break;
            }
            used -= one.starts;
            wait = Math.max(wait, one.at + rateSchedule.windowMicros() - now);
        }
        return Math.max(0, wait);
    }

    /**
     * Adds an allocation. A job that needs fewer starts than the reservation neither ends nor prolongs it.
     *
     * @param rateSchedule of the rate
     * @param now the current time
     * @param starts that are allocated now
     * @param cost of the most expensive job of the requesting worker
     * @param wanted how many starts the worker could use
     * @return the new state
     */
    CostlyStarts with(RateSchedule rateSchedule, long now, int starts, int cost, int wanted) {
        List<Entry> all = new ArrayList<>(entries);
        all.removeIf(one -> one.at + rateSchedule.windowMicros() <= now);
        if (starts > 0) {
            add(all, new Entry(now + rateSchedule.extra(), starts), Math.max(1, rateSchedule.windowMicros() / MAX));
        }
        int live = reservedUntil > now ? Math.min(reserved, rateSchedule.maxStarts()) : 0;
        boolean costly = wanted > 0 && cost > 1;
        boolean largest = costly && cost >= live;
        boolean waits = largest && starts < cost;
        return new CostlyStarts(
                costly || (starts > 0 && rateSchedule.extra() > 0)
                        ? Math.max(until, now + rateSchedule.windowMicros() + rateSchedule.extra())
                        : until,
                waits ? cost : largest ? 0 : live,
                waits ? now + RESERVED : largest ? 0 : reservedUntil,
                all);
    }

    /** Adds an entry. Entries in the same part of the window are merged, and count until the last of them expires. */
    private static void add(List<Entry> all, Entry one, long part) {
        Entry last = all.isEmpty() ? null : all.get(all.size() - 1);
        if (last != null && last.at / part == one.at / part) {
            all.set(all.size() - 1, new Entry(Math.max(last.at, one.at), last.starts + one.starts));
        } else {
            all.add(one);
        }
    }

    /**
     * {@return JSON: {@code {"until":…,"reserved":…,"reserved_until":…,"starts":[[at,number],…]}}, with times in
     * microseconds since 1970}
     */
    @Override
    public String toString() {
        return entries.stream()
                .map(one -> "[" + one.at + "," + one.starts + "]")
                .collect(Collectors.joining(
                        ",",
                        "{\"until\":" + until + ",\"reserved\":" + reserved + ",\"reserved_until\":" + reservedUntil
                                + ",\"starts\":[",
                        "]}"));
    }
}
