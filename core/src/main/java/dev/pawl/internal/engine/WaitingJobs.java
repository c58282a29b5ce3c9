package dev.pawl.internal.engine;

import dev.pawl.internal.quota.Gate;
import dev.pawl.internal.quota.Quotas;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a buffer: in the order in which they came, except that those which may not start now hold up no others, and that those
 * which need many places are passed for a while, see {@link Places}. Not thread-safe.
 */
final class WaitingJobs {
    private final Quotas quotas;
    private final Places places;
    /** Those that pass no gate and need one place: where there is nothing else, this is all. */
    private final Deque<Waiting> free = new ArrayDeque<>();

    private final Map<Line, Deque<Waiting>> lines = new LinkedHashMap<>();
    private long came;
    private int size;

    WaitingJobs(Quotas quotas, Places places) {
        this.quotas = quotas;
        this.places = places;
    }

    /** @param number of its arrival */
    private record Waiting(HeldJob job, long number) {}

    /**
     * Jobs that wait for the same.
     *
     * @param gate what they must pass; null for nothing
     * @param weight of each
     * @param chunk how many of them go together; null if each goes alone
     */
    private record Line(
            @Nullable Gate gate, int weight, @Nullable Chunking chunk) {
        boolean is(@Nullable Gate ofGate, int ofWeight, @Nullable Chunking ofChunk) {
            return gate == ofGate && weight == ofWeight && Objects.equals(chunk, ofChunk);
        }

        /** {@return how long these wait for others to go with them; zero or less for no longer} */
        long waits(Deque<Waiting> jobs, long now) {
            return chunk == null || chunk.waitNanos() == 0 || jobs.size() >= chunk.size()
                    ? 0
                    : chunk.waitNanos() - jobs.element().job.sinceClaim(now);
        }

        boolean isReady(Deque<Waiting> jobs) {
            return chunk == null || chunk.waitNanos() == 0 || waits(jobs, System.nanoTime()) <= 0;
        }

        /** {@return the places of so many} */
        int places(int jobs, int needs) {
            return chunk == null || needs == 1 ? jobs * needs : (jobs + chunk.size() - 1) / chunk.size() * needs;
        }

        /** {@return how many like that one, its first, may enter} */
        int free(HeldJob first) {
            return gate == null ? Integer.MAX_VALUE : gate.free(first.cost());
        }

        /** {@return how many like that one may enter in the next moment, so that it is worth while to wait for them} */
        int near(HeldJob first) {
            return gate == null ? Integer.MAX_VALUE : gate.near(first.cost());
        }

        /** {@return what the job costs for which several starts were dealt together, so that it goes first; 1 if there is none} */
        int dear() {
            return gate == null ? 1 : gate.dear();
        }

        int soon() {
            return gate == null ? Integer.MAX_VALUE : gate.soon();
        }

        void waitsNoMore(HeldJob job) {
            if (gate != null) {
                gate.waitsNoMore(job.cost());
            }
        }

        boolean enters(HeldJob job) {
            if (gate == null) {
                return true;
            }
            long startEnd = gate.enter(job.cost());
            if (startEnd == Gate.REFUSED) {
                return false;
            }
            job.entered(gate, startEnd);
            return true;
        }
    }

    void addAll(Collection<HeldJob> jobs) {
        List<Waiting> all = new ArrayList<>(jobs.size());
        for (HeldJob job : jobs) {
            all.add(new Waiting(job, came++));
        }
        add(all);
    }

    /** Those that wait at the same gate and cost the same are announced to it together. */
    private void add(List<Waiting> all) {
        Gate last = null;
        int cost = 1;
        int count = 0;
        Line same = new Line(null, 1, null);
        Deque<Waiting> line = free;
        for (Waiting one : all) {
            Gate gate = quotas.gate(one.job.job());
            int weight = places.weight(one.job.job());
            Chunking chunk = places.chunk(one.job.job());
            if (!same.is(gate, weight, chunk)) {
                same = new Line(gate, weight, chunk);
                line = same.is(null, 1, null) ? free : lines.computeIfAbsent(same, each -> new ArrayDeque<>());
            }
            line.add(one);
            if (count > 0 && (gate != last || one.job.cost() != cost)) {
                tell(last, cost, count);
                count = 0;
            }
            last = gate;
            cost = one.job.cost();
            count++;
        }
        tell(last, cost, count);
        size += all.size();
    }

    private static void tell(@Nullable Gate gate, int cost, int count) {
        if (gate != null) {
            gate.joined(cost, count);
        }
    }

    /** {@return the first one that may start, which has entered its gate and taken its places; null if there is none} */
    @Nullable
    HeldJob next() {
        int room = places.isCounted() ? places.free() : Integer.MAX_VALUE;
        Waiting first = free.peek();
        if (room == 0 || (first == null && lines.isEmpty())) {
            return null;
        }
        boolean passes = false;
        for (Map.Entry<Line, Deque<Waiting>> each : inOrder()) {
            Line line = each.getKey();
            Waiting head = each.getValue().element();
            if (first != null && first.number < head.number) {
                break;
            }
            int needs = places.needs(line.weight);
            if (head.job.isExpired()) { // it will not run, so it needs no room
                line.waitsNoMore(head.job);
                return remove(line, each.getValue(), head, 1);
            } else if (needs > room && line.isReady(each.getValue())) {
                if (line.near(head.job) > 0) {
                    if (!places.mayPass()) {
                        return null;
                    }
                    passes = true;
                }
            } else if (line.isReady(each.getValue())) {
                Waiting chosen = chosen(line, each.getValue());
                if (line.enters(chosen.job)) {
                    count(passes, needs);
                    HeldJob next = remove(line, each.getValue(), chosen, needs);
                    if (line.chunk != null) {
                        next.together(others(line, line.chunk.size() - 1));
                    }
                    return next;
                }
            }
        }
        if (first == null) {
            return null;
        }
        count(passes, 1);
        size--;
        places.take(first.job, 1);
        return free.remove().job;
    }

    private void count(boolean passes, int needs) {
        if (passes) {
            places.passed(needs);
        } else if (needs > 1) {
            places.reached();
        }
    }

    /** By their first jobs. */
    private Collection<Map.Entry<Line, Deque<Waiting>>> inOrder() {
        if (lines.size() <= 1) {
            return lines.entrySet();
        }
        List<Map.Entry<Line, Deque<Waiting>>> inOrder = new ArrayList<>(lines.entrySet());
        inOrder.sort(Comparator.comparingLong(each -> each.getValue().element().number));
        return inOrder;
    }

    /** Cheaper ones before it would use up the starts that it has waited for. */
    private static Waiting chosen(Line line, Deque<Waiting> jobs) {
        int dear = line.dear();
        if (dear > 1) {
            for (Waiting one : jobs) {
                if (one.job.cost() == dear) {
                    return one;
                }
            }
        }
        return jobs.element();
    }

    /** {@return those that may start with the first one, which have entered their gate, taken out} */
    private List<HeldJob> others(Line line, int most) {
        List<HeldJob> others = new ArrayList<>();
        Deque<Waiting> jobs = lines.getOrDefault(line, new ArrayDeque<>());
        while (others.size() < most && !jobs.isEmpty()) {
            HeldJob job = jobs.element().job;
            if (job.isExpired() || !line.enters(job)) {
                break;
            }
            others.add(jobs.remove().job);
        }
        size -= others.size();
        if (jobs.isEmpty()) {
            lines.remove(line);
        }
        return others;
    }

    /** {@return how long until jobs that wait for others go without them; {@link Long#MAX_VALUE} if there are none} */
    long untilReady() {
        long least = Long.MAX_VALUE;
        if (places.anyChunks()) {
            long now = System.nanoTime();
            for (Map.Entry<Line, Deque<Waiting>> each : lines.entrySet()) {
                long left = each.getKey().waits(each.getValue(), now);
                least = left > 0 ? Math.min(least, left) : least;
            }
        }
        return least;
    }

    /** {@return how many of a kind are here} */
    int of(String kind) {
        int count = 0;
        for (Map.Entry<Line, Deque<Waiting>> each : lines.entrySet()) {
            Chunking chunk = each.getKey().chunk;
            count +=
                    chunk != null && chunk.kind().equals(kind) ? each.getValue().size() : 0;
        }
        return count;
    }

    private HeldJob remove(Line line, Deque<Waiting> jobs, Waiting one, int needs) {
        HeldJob job = one.job;
        boolean unused = jobs.remove(one); // nearly always the first
        size--;
        places.take(job, needs);
        if (jobs.isEmpty()) {
            lines.remove(line);
        }
        return job;
    }

    int size() {
        return size;
    }

    /** {@return whether some wait for more than a handler} */
    boolean anyInLines() {
        return !lines.isEmpty();
    }

    /** {@return how many need no more than places to start now} */
    int waiting() {
        int count = free.size();
        for (Map.Entry<Line, Deque<Waiting>> each : lines.entrySet()) {
            if (each.getKey().isReady(each.getValue())) {
                count += Math.min(
                        each.getValue().size(),
                        each.getKey().free(each.getValue().element().job));
            }
        }
        return count;
    }

    /** {@return the places of those that need no more than places to start now, or in the next moment} */
    int free() {
        int count = free.size();
        for (Map.Entry<Line, Deque<Waiting>> each : lines.entrySet()) {
            if (each.getKey().isReady(each.getValue())) {
                int jobs = Math.min(
                        each.getValue().size(),
                        each.getKey().near(each.getValue().element().job));
                count += each.getKey().places(jobs, places.needs(each.getKey().weight));
            }
        }
        return count;
    }

    /** {@return how many wait for a limit, and will not start in the next moment} */
    int gated() {
        int count = 0;
        for (Map.Entry<Line, Deque<Waiting>> each : lines.entrySet()) {
            count += Math.max(
                    0,
                    each.getValue().size() - each.getKey().near(each.getValue().element().job));
        }
        return count;
    }

    /**
     * @param room free places
     * @return the first one that needs more, and nothing else, to start; null for none
     */
    @Nullable
    HeldJob large(int room) {
        for (Map.Entry<Line, Deque<Waiting>> each : inOrder()) {
            if (each.getKey().weight > 1
                    && each.getKey().isReady(each.getValue())
                    && places.needs(each.getKey().weight) > room
                    && each.getKey().near(each.getValue().element().job) > 0) {
                return each.getValue().element().job;
            }
        }
        return null;
    }

    /** {@return the next ones, which stay here, for so many places} */
    List<HeldJob> first(int most) {
        Stream<Waiting> all = free.stream();
        if (!lines.isEmpty()) {
            for (Map.Entry<Line, Deque<Waiting>> each : lines.entrySet()) {
                all = Stream.concat(
                        all, each.getValue().stream().limit(each.getKey().soon()));
            }
            all = all.sorted(Comparator.comparingLong(Waiting::number));
        }
        List<HeldJob> first = all.limit(most).map(Waiting::job).toList();
        return places.isCounted() ? first.subList(0, fitting(first, most)) : first;
    }

    /** {@return how many of them need no more than so many places together} */
    private int fitting(List<HeldJob> jobs, int most) {
        int fitting = 0;
        for (int left = most; fitting < jobs.size(); fitting++) {
            left -= places.needs(places.weight(jobs.get(fitting).job()));
            if (left < 0) {
                break;
            }
        }
        return fitting;
    }

    /** {@return the last ones that are more than so many places need, taken out; never all, and none that waits for more than places} */
    List<HeldJob> removeBeyond(int most) {
        if (free() <= most) {
            return List.of();
        }
        Set<HeldJob> startable = new HashSet<>();
        free.forEach(one -> startable.add(one.job));
        lines.forEach((line, jobs) -> {
            if (line.chunk == null) { // they go together
                jobs.stream().limit(line.near(jobs.element().job)).forEach(one -> startable.add(one.job));
            }
        });
        List<Waiting> kept = new ArrayList<>();
        List<HeldJob> removed = new ArrayList<>();
        Map<Line, Deque<Waiting>> before = new LinkedHashMap<>(lines);
        int left = most;
        for (Waiting one : takeOut()) {
            if (startable.contains(one.job)) {
                left -= places.needs(places.weight(one.job.job()));
            }
            if (left >= 0 || kept.isEmpty() || !startable.contains(one.job)) {
                kept.add(one);
            } else {
                removed.add(one.job);
            }
        }
        add(kept);
        forget(before);
        return removed;
    }

    /** {@return all but one, taken out} */
    List<HeldJob> removeAllBut(HeldJob one) {
        List<HeldJob> removed = new ArrayList<>(size);
        Map<Line, Deque<Waiting>> before = new LinkedHashMap<>(lines);
        for (Waiting each : takeOut()) {
            if (each.job == one) {
                add(List.of(each));
            } else {
                removed.add(each.job);
            }
        }
        forget(before);
        return removed;
    }

    List<HeldJob> removeAll() {
        List<HeldJob> all = new ArrayList<>(size);
        drain().forEach(one -> all.add(one.job));
        return all;
    }

    private List<Waiting> drain() {
        Map<Line, Deque<Waiting>> before = new LinkedHashMap<>(lines);
        List<Waiting> all = takeOut();
        forget(before);
        return all;
    }

    /** In the order in which they came. The gates are still told that they wait. */
    private List<Waiting> takeOut() {
        List<Waiting> all = new ArrayList<>(free);
        lines.values().forEach(all::addAll);
        all.sort(Comparator.comparingLong(Waiting::number));
        free.clear();
        lines.clear();
        size = 0;
        return all;
    }

    private static void forget(Map<Line, Deque<Waiting>> waited) {
        waited.forEach((line, jobs) -> jobs.forEach(one -> line.waitsNoMore(one.job)));
    }

    /** There may be new limits, or some may be gone. Gates that have been waited at go on counting for how long. */
    void sortAgain() {
        if (!quotas.none() || !lines.isEmpty()) {
            Map<Line, Deque<Waiting>> before = new LinkedHashMap<>(lines);
            add(takeOut());
            forget(before);
        }
    }

    boolean remove(HeldJob job) {
        if (free.removeIf(one -> one.job == job)) {
            size--;
            return true;
        }
        for (Iterator<Map.Entry<Line, Deque<Waiting>>> each = lines.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Line, Deque<Waiting>> line = each.next();
            if (line.getValue().removeIf(one -> one.job == job)) {
                size--;
                line.getKey().waitsNoMore(job);
                if (line.getValue().isEmpty()) {
                    each.remove();
                }
                return true;
            }
        }
        return false;
    }

    /** {@return those that will not start for a while, taken out} */
    List<HeldJob> removeShut() {
        List<HeldJob> shut = new ArrayList<>();
        lines.entrySet().removeIf(each -> {
            Gate gate = each.getKey().gate;
            if (gate == null || !gate.isShut()) {
                return false;
            }
            each.getValue().forEach(one -> {
                shut.add(one.job);
                gate.waitsNoMore(one.job.cost());
            });
            return true;
        });
        size -= shut.size();
        return shut;
    }
}
