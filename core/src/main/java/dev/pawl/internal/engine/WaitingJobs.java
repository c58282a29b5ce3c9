package dev.pawl.internal.engine;

import dev.pawl.internal.quota.Limiter;
import dev.pawl.internal.quota.LocalLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a buffer: in the order in which they came, except that those which may not start now hold up no others, and that those
 * which need many places are passed for a while, see {@link Places}. Not thread-safe.
 */
final class WaitingJobs {
    private final LocalLimits localLimits;
    private final Places places;
    /** Those that pass no gate and need one place: where there is nothing else, this is all. */
    private final Deque<Waiting> free = new ArrayDeque<>();

    private final Lines lines = new Lines();
    private long came;
    /** As {@link LocalLimits#newGates} told when all that wait got theirs. */
    private long sorted;

    private int size;

    WaitingJobs(LocalLimits localLimits, Places places) {
        this.localLimits = localLimits;
        this.places = places;
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
        Limiter last = null;
        int cost = 1;
        int count = 0;
        Line line = new Line(null, 1, null);
        for (Waiting one : all) {
            Limiter limiter = localLimits.limiter(one.job().job());
            int weight = places.weight(one.job().job());
            Chunking chunk = places.chunk(one.job().job());
            if (!line.is(limiter, weight, chunk)) {
                line = new Line(limiter, weight, chunk);
            }
            if (line.isFree()) {
                free.add(one);
            } else {
                lines.add(line, one);
            }
            if (count > 0 && (limiter != last || one.job().cost() != cost)) {
                tell(last, cost, count);
                count = 0;
            }
            last = limiter;
            cost = one.job().cost();
            count++;
        }
        tell(last, cost, count);
        size += all.size();
    }

    private static void tell(@Nullable Limiter limiter, int cost, int count) {
        if (limiter != null) {
            limiter.enqueue(cost, count);
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
        for (Lines.Standing each : lines.inOrder()) {
            Line line = each.line;
            Waiting head = each.first();
            if (first != null && first.number() < head.number()) {
                break;
            }
            int needs = places.needs(line.weight());
            if (head.job().isExpired()) { // it will not run, so it needs no room
                line.dequeue(head.job());
                return remove(each, head, 1);
            } else if (needs > room && each.isReady()) {
                if (each.near() > 0) {
                    if (!places.mayPass()) {
                        return null;
                    }
                    passes = true;
                }
            } else if (each.isReady()) {
                if (each.free() == 0) {
                    continue;
                }
                Waiting chosen = chosen(each);
                if (line.tryAcquire(chosen.job())) {
                    count(passes, needs);
                    HeldJob next = remove(each, chosen, needs);
                    Chunking chunk = line.chunk();
                    if (chunk != null) {
                        next.together(others(each, chunk.size() - 1));
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
        places.take(first.job(), 1);
        return free.remove().job();
    }

    private void count(boolean passes, int needs) {
        if (passes) {
            places.passed(needs);
        } else if (needs > 1) {
            places.reached();
        }
    }

    /** Cheaper ones before it would use up the starts that it has waited for. */
    private static Waiting chosen(Lines.Standing standing) {
        int maxCost = standing.line.maxCost();
        if (maxCost > 1) {
            for (Waiting one : standing.jobs()) {
                if (one.job().cost() == maxCost) {
                    return one;
                }
            }
        }
        return standing.first();
    }

    /** {@return those that may start with the first one, which have entered their gate, taken out} */
    private List<HeldJob> others(Lines.Standing standing, int most) {
        List<HeldJob> others = new ArrayList<>();
        while (others.size() < most && standing.size() > 0) {
            Waiting next = standing.first();
            if (next.job().isExpired() || !standing.line.tryAcquire(next.job())) {
                break;
            }
            lines.remove(standing, next);
            others.add(next.job());
        }
        size -= others.size();
        return others;
    }

    /** {@return how long until jobs that wait for others go without them; {@link Long#MAX_VALUE} if there are none} */
    long untilReady() {
        long least = Long.MAX_VALUE;
        if (places.anyChunks()) {
            long now = System.nanoTime();
            for (Lines.Standing each : lines.inOrder()) {
                long left = each.waits(now);
                least = left > 0 ? Math.min(least, left) : least;
            }
        }
        return least;
    }

    /** {@return how many of a kind are here} */
    int of(String kind) {
        int count = 0;
        for (Lines.Standing each : lines.inOrder()) {
            Chunking chunk = each.line.chunk();
            count += chunk != null && chunk.kind().equals(kind) ? each.size() : 0;
        }
        return count;
    }

    private HeldJob remove(Lines.Standing standing, Waiting one, int needs) {
        lines.remove(standing, one);
        size--;
        places.take(one.job(), needs);
        return one.job();
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
        for (Lines.Standing each : lines.inOrder()) {
            if (each.isReady()) {
                count += each.free();
            }
        }
        return count;
    }

    /** {@return the places of those that need no more than places to start now, or in the next moment} */
    int free() {
        int count = free.size();
        for (Lines.Standing each : lines.inOrder()) {
            if (each.isReady()) {
                count += each.line.places(each.near(), places.needs(each.line.weight()));
            }
        }
        return count;
    }

    /** {@return how many wait for a limit, and will not start in the next moment} */
    int limited() {
        int count = 0;
        for (Lines.Standing each : lines.inOrder()) {
            count += each.size() - each.near();
        }
        return count;
    }

    /**
     * @param room free places
     * @return the first one that needs more, and nothing else, to start; null for none
     */
    @Nullable
    HeldJob large(int room) {
        for (Lines.Standing each : lines.inOrder()) {
            int weight = each.line.weight();
            if (weight > 1 && each.isReady() && places.needs(weight) > room && each.near() > 0) {
                return each.first().job();
            }
        }
        return null;
    }

    /** {@return the next ones, which stay here, for so many places} */
    List<HeldJob> first(int most) {
        List<Waiting> next = new ArrayList<>();
        addFirst(next, free, most);
        for (Lines.Standing each : lines.inOrder()) {
            addFirst(next, each.jobs(), Math.min(most, each.line.soon()));
        }
        next.sort(Comparator.comparingLong(Waiting::number));
        List<HeldJob> first = next.stream().limit(most).map(Waiting::job).toList();
        return places.isCounted() ? first.subList(0, fitting(first, most)) : first;
    }

    private static void addFirst(List<Waiting> next, Collection<Waiting> jobs, int most) {
        if (most >= jobs.size()) {
            next.addAll(jobs);
            return;
        }
        Iterator<Waiting> each = jobs.iterator();
        for (int i = 0; i < most; i++) {
            next.add(each.next());
        }
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
        free.forEach(one -> startable.add(one.job()));
        for (Lines.Standing each : lines.inOrder()) {
            if (each.line.chunk() == null) { // they go together
                each.jobs().stream().limit(each.near()).forEach(one -> startable.add(one.job()));
            }
        }
        List<Waiting> kept = new ArrayList<>();
        List<HeldJob> removed = new ArrayList<>();
        List<Lines.Standing> before = lines.takeOut();
        int left = most;
        for (Waiting one : all(before)) {
            boolean isStartable = startable.contains(one.job());
            if (isStartable) {
                left -= places.needs(places.weight(one.job().job()));
            }
            if (left >= 0 || kept.isEmpty() || !isStartable) {
                kept.add(one);
            } else {
                removed.add(one.job());
            }
        }
        add(kept);
        forget(before);
        return removed;
    }

    /** {@return all but one, taken out} */
    List<HeldJob> removeAllBut(HeldJob one) {
        List<HeldJob> removed = new ArrayList<>(size);
        List<Lines.Standing> before = lines.takeOut();
        for (Waiting each : all(before)) {
            if (each.job() == one) {
                add(List.of(each));
            } else {
                removed.add(each.job());
            }
        }
        forget(before);
        return removed;
    }

    List<HeldJob> removeAll() {
        List<Lines.Standing> before = lines.takeOut();
        List<HeldJob> all = all(before).stream().map(Waiting::job).toList();
        forget(before);
        return all;
    }

    /** {@return those, and all that stand in no line, in the order in which they came} The gates are still told that they wait. */
    private List<Waiting> all(List<Lines.Standing> standing) {
        List<Waiting> all = new ArrayList<>(free);
        standing.forEach(each -> all.addAll(each.jobs()));
        all.sort(Comparator.comparingLong(Waiting::number));
        free.clear();
        size = 0;
        return all;
    }

    private static void forget(List<Lines.Standing> waited) {
        waited.forEach(each -> each.jobs().forEach(one -> each.line.dequeue(one.job())));
    }

    /** There may be new limits, or some may be gone. Gates that have been waited at go on counting for how long. */
    void sortAgain() {
        if (sorted != localLimits.limiterChanges()) {
            sorted = localLimits.limiterChanges();
            List<Lines.Standing> before = lines.takeOut();
            add(all(before));
            forget(before);
        }
    }

    boolean remove(HeldJob job) {
        if (free.removeIf(one -> one.job() == job)) {
            size--;
            return true;
        }
        for (Lines.Standing each : lines.inOrder()) {
            for (Waiting one : each.jobs()) {
                if (one.job() == job) {
                    lines.remove(each, one);
                    size--;
                    each.line.dequeue(job);
                    return true;
                }
            }
        }
        return false;
    }

    /** {@return those that will not start for a while, taken out} */
    List<HeldJob> removeExhausted() {
        List<Lines.Standing> exhausted = lines.takeOutExhausted();
        forget(exhausted);
        List<HeldJob> jobs = exhausted.stream()
                .flatMap(each -> each.jobs().stream())
                .map(Waiting::job)
                .toList();
        size -= jobs.size();
        return jobs;
    }
}
