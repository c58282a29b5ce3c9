package dev.pawl.internal.engine;

import dev.pawl.internal.quota.Gate;
import dev.pawl.internal.quota.Quotas;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
     */
    private record Line(@Nullable Gate gate, int weight) {
        /** {@return how many like that one, its first, may enter} */
        int free(HeldJob first) {
            return gate == null ? Integer.MAX_VALUE : gate.free(first.cost());
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
        for (Waiting one : all) {
            Gate gate = quotas.gate(one.job.job().queue(), one.job.job().kind());
            int weight = places.weight(one.job.job());
            if (gate == null && weight == 1) {
                free.add(one);
            } else {
                lines.computeIfAbsent(new Line(gate, weight), each -> new ArrayDeque<>())
                        .add(one);
            }
            if (last != null && (gate != last || one.job.cost() != cost)) {
                last.joined(cost, count);
                count = 0;
            }
            last = gate;
            cost = one.job.cost();
            count++;
        }
        if (last != null) {
            last.joined(cost, count);
        }
        size += all.size();
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
            if (head.job.isExpired(System.nanoTime())) { // it will not run, so it needs no room
                line.waitsNoMore(head.job);
                return removeHead(line, each.getValue(), 1);
            } else if (needs > room) {
                if (line.free(head.job) > 0) {
                    if (!places.mayPass()) {
                        return null;
                    }
                    passes = true;
                }
            } else if (line.enters(head.job)) {
                count(passes, needs);
                return removeHead(line, each.getValue(), needs);
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

    private HeldJob removeHead(Line line, Deque<Waiting> jobs, int needs) {
        HeldJob job = jobs.remove().job;
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
            count += Math.min(
                    each.getValue().size(), each.getKey().free(each.getValue().element().job));
        }
        return count;
    }

    /** {@return the places of those that need no more than places to start now} */
    int free() {
        int count = free.size();
        for (Map.Entry<Line, Deque<Waiting>> each : lines.entrySet()) {
            count += Math.min(
                            each.getValue().size(),
                            each.getKey().free(each.getValue().element().job))
                    * places.needs(each.getKey().weight);
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
                    && places.needs(each.getKey().weight) > room
                    && each.getKey().free(each.getValue().element().job) > 0) {
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

    /** {@return the last ones that are more than so many places need, taken out; never all} */
    List<HeldJob> removeBeyond(int most) {
        if (free() <= most) {
            return List.of();
        }
        List<Waiting> all = drain();
        int kept = Math.max(1, fitting(all.stream().map(Waiting::job).toList(), most));
        add(all.subList(0, kept));
        return all.subList(kept, all.size()).stream().map(Waiting::job).toList();
    }

    /** {@return all but one, taken out} */
    List<HeldJob> removeAllBut(HeldJob one) {
        List<HeldJob> removed = new ArrayList<>(size);
        for (Waiting each : drain()) {
            if (each.job == one) {
                add(List.of(each));
            } else {
                removed.add(each.job);
            }
        }
        return removed;
    }

    List<HeldJob> removeAll() {
        List<HeldJob> all = new ArrayList<>(size);
        drain().forEach(one -> all.add(one.job));
        return all;
    }

    private List<Waiting> drain() {
        List<Waiting> all = new ArrayList<>(free);
        lines.forEach((line, jobs) -> {
            all.addAll(jobs);
            jobs.forEach(one -> line.waitsNoMore(one.job));
        });
        all.sort(Comparator.comparingLong(Waiting::number));
        free.clear();
        lines.clear();
        size = 0;
        return all;
    }

    /** There may be new limits, or some may be gone. */
    void sortAgain() {
        if (!quotas.none() || !lines.isEmpty()) {
            add(drain());
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
