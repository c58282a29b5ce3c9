package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.admin.SlotGap;
import dev.pawl.admin.SlotSeriesInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Series of numbers from 1: each is reserved by one owner at a time and used once. */
final class ModelSlots {
    /** The duration of a reservation that is not extended. */
    static final Duration TTL = Duration.ofSeconds(60);

    /** The state of a number. */
    private enum State {
        RESERVED,
        USED,
        CLEARED
    }

    /** An issued number, with its last owner. */
    private record Slot(State state, long owner, Instant until) {}

    private Map<String, TreeMap<Long, Slot>> series = new HashMap<>();
    private long owners;

    ModelSlots copy() {
        ModelSlots copy = new ModelSlots();
        copy.owners = owners;
        series.forEach((name, slots) -> copy.series.put(name, new TreeMap<>(slots)));
        return copy;
    }

    /** Continues the numbers of owners after those of another model, so they stay unique even if operations are undone. */
    void goesOnAfter(ModelSlots other) {
        owners = Math.max(owners, other.owners);
    }

    /**
     * {@return the owner of a number that was just reserved} It must be the smallest free number if the series is gapless, and otherwise
     * the next one.
     */
    long reserve(String name, boolean gapless, long number, Instant now) {
        NavigableMap<Long, Slot> slots = create(name);
        same("number of series " + name, next(slots, gapless, now), number);
        owners++;
        slots.put(number, new Slot(State.RESERVED, owners, now.plus(TTL)));
        return owners;
    }

    /** A number is reserved, and the reply with it is lost. */
    void reserveWithLostReply(String name, boolean gapless, Instant now) {
        long unused = reserve(name, gapless, next(create(name), gapless, now), now);
    }

    /** {@return the numbers of a series} The first reservation creates the series, even if it then fails before it issues a number. */
    NavigableMap<Long, Slot> create(String name) {
        return series.computeIfAbsent(name, any -> new TreeMap<>());
    }

    private static long next(NavigableMap<Long, Slot> slots, boolean gapless, Instant now) {
        Optional<Long> free = !gapless
                ? Optional.empty()
                : slots.entrySet().stream()
                        .filter(each -> isFree(each.getValue(), now))
                        .map(Map.Entry::getKey)
                        .findFirst();
        return free.orElse(slots.isEmpty() ? 1 : slots.lastKey() + 1);
    }

    private static boolean isFree(Slot slot, Instant now) {
        return slot.state == State.CLEARED || (slot.state == State.RESERVED && !now.isBefore(slot.until));
    }

    /** {@return the slot if this owner has it; an owner keeps even an expired slot until another owner reserves it} */
    private @Nullable Slot owned(String name, long number, long owner) {
        Slot slot = series.getOrDefault(name, new TreeMap<>()).get(number);
        return slot != null && slot.state == State.RESERVED && slot.owner == owner ? slot : null;
    }

    private void put(String name, long number, Slot slot) {
        series.getOrDefault(name, new TreeMap<>()).put(number, slot);
    }

    void use(String name, long number, long owner, boolean used) {
        Slot slot = owned(name, number, owner);
        same("slot " + number + " of " + name + " used", slot != null, used);
        if (slot != null) {
            put(name, number, new Slot(State.USED, owner, slot.until));
        }
    }

    void clear(String name, long number, long owner, boolean cleared) {
        Slot slot = owned(name, number, owner);
        same("slot " + number + " of " + name + " cleared", slot != null, cleared);
        if (slot != null) {
            put(name, number, new Slot(State.CLEARED, owner, slot.until));
        }
    }

    void extend(String name, long number, long owner, Duration ttl, boolean extended, Instant now) {
        Slot slot = owned(name, number, owner);
        same("slot " + number + " of " + name + " extended", slot != null, extended);
        if (slot != null) {
            put(name, number, new Slot(State.RESERVED, owner, now.plus(ttl)));
        }
    }

    void free(String name, long number, boolean freed) {
        Slot slot = series.getOrDefault(name, new TreeMap<>()).get(number);
        same("slot " + number + " of " + name + " freed", slot != null && slot.state == State.RESERVED, freed);
        if (slot != null && freed) {
            put(name, number, new Slot(State.CLEARED, slot.owner, slot.until));
        }
    }

    void flush(String name, boolean flushed) {
        same("series " + name + " flushed", series.remove(name) != null, flushed);
    }

    boolean any() {
        return !series.isEmpty();
    }

    /**
     * Compares with the queue.
     *
     * @param gaps the numbers that the queue reports as skipped in a series
     */
    void compare(List<SlotSeriesInfo> seen, Function<String, List<SlotGap>> gaps, Instant now) {
        require(seen.size() == series.size(), "the model has %s series, the queue %s", series.size(), seen.size());
        for (SlotSeriesInfo info : seen) {
            TreeMap<Long, Slot> slots = series.getOrDefault(info.name(), new TreeMap<>());
            String name = "series " + info.name() + ": ";
            same(name + "issued", (long) slots.size(), info.issued());
            same(name + "used", count(slots, State.USED), info.used());
            same(name + "cleared", count(slots, State.CLEARED), info.cleared());
            same(
                    name + "expired",
                    slots.values().stream()
                            .filter(slot -> slot.state == State.RESERVED && !now.isBefore(slot.until))
                            .count(),
                    info.expired());
            same(
                    name + "left out",
                    leftOut(slots, now),
                    gaps.apply(info.name()).stream()
                            .map(gap -> gap.ordinal() + " " + gap.state())
                            .toList());
        }
    }

    /** {@return the unused numbers before the last used one} */
    private static List<String> leftOut(NavigableMap<Long, Slot> slots, Instant now) {
        List<String> leftOut = new ArrayList<>();
        List<String> since = new ArrayList<>();
        slots.forEach((number, slot) -> {
            if (slot.state == State.USED) {
                leftOut.addAll(since);
                since.clear();
            } else {
                boolean isExpired = slot.state == State.RESERVED && !now.isBefore(slot.until);
                since.add(number + " " + (isExpired ? SlotGap.State.EXPIRED.name() : slot.state.name()));
            }
        });
        return leftOut;
    }

    private static long count(Map<Long, Slot> slots, State state) {
        return slots.values().stream().filter(slot -> slot.state == state).count();
    }
}
