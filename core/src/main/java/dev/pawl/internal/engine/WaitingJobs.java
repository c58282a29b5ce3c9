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
 * The jobs of a buffer: in the order in which they came, except that those which may not start now hold up no others. Not
 * thread-safe.
 */
final class WaitingJobs {
    private final Quotas quotas;
    private final Deque<Waiting> free = new ArrayDeque<>();
    private final Map<Gate, Deque<Waiting>> gated = new LinkedHashMap<>();
    private long came;
    private int size;

    WaitingJobs(Quotas quotas) {
        this.quotas = quotas;
    }

    /** @param number of its arrival */
    private record Waiting(HeldJob job, long number) {}

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
            if (gate == null) {
                free.add(one);
            } else {
                gated.computeIfAbsent(gate, each -> new ArrayDeque<>()).add(one);
                if (last != null && (gate != last || one.job.cost() != cost)) {
                    last.joined(cost, count);
                    count = 0;
                }
                last = gate;
                cost = one.job.cost();
                count++;
            }
        }
        if (last != null) {
            last.joined(cost, count);
        }
        size += all.size();
    }

    /** {@return the first one that may start, which has entered its gate; null if there is none} */
    @Nullable
    HeldJob next() {
        Waiting first = free.peek();
        for (Map.Entry<Gate, Deque<Waiting>> each : inOrder()) {
            Waiting head = each.getValue().element();
            if (first != null && first.number < head.number) {
                break;
            }
            if (head.job.isExpired(System.nanoTime())) { // it will not run, so it needs no place
                each.getKey().waitsNoMore(head.job.cost());
                removeHead(each.getKey(), each.getValue());
                return head.job;
            }
            long startEnd = each.getKey().enter(head.job.cost());
            if (startEnd != Gate.REFUSED) {
                head.job.entered(each.getKey(), startEnd);
                removeHead(each.getKey(), each.getValue());
                return head.job;
            }
        }
        return first == null ? null : removeFree();
    }

    /** By their first jobs. */
    private Collection<Map.Entry<Gate, Deque<Waiting>>> inOrder() {
        if (gated.size() <= 1) {
            return gated.entrySet();
        }
        List<Map.Entry<Gate, Deque<Waiting>>> inOrder = new ArrayList<>(gated.entrySet());
        inOrder.sort(Comparator.comparingLong(each -> each.getValue().element().number));
        return inOrder;
    }

    private HeldJob removeFree() {
        size--;
        return free.remove().job;
    }

    private void removeHead(Gate gate, Deque<Waiting> jobs) {
        jobs.remove();
        size--;
        if (jobs.isEmpty()) {
            gated.remove(gate);
        }
    }

    int size() {
        return size;
    }

    boolean anyGated() {
        return !gated.isEmpty();
    }

    /** {@return how many may start now} */
    int free() {
        int count = free.size();
        for (Map.Entry<Gate, Deque<Waiting>> each : gated.entrySet()) {
            count += Math.min(
                    each.getValue().size(),
                    each.getKey().free(each.getValue().element().job.cost()));
        }
        return count;
    }

    /** {@return the next ones, which stay here} */
    List<HeldJob> first(int most) {
        Stream<Waiting> all = free.stream();
        if (!gated.isEmpty()) {
            for (Map.Entry<Gate, Deque<Waiting>> each : gated.entrySet()) {
                all = Stream.concat(
                        all, each.getValue().stream().limit(each.getKey().soon()));
            }
            all = all.sorted(Comparator.comparingLong(Waiting::number));
        }
        return all.limit(most).map(Waiting::job).toList();
    }

    List<HeldJob> removeAll() {
        List<HeldJob> all = new ArrayList<>(size);
        drain().forEach(one -> all.add(one.job));
        return all;
    }

    private List<Waiting> drain() {
        List<Waiting> all = new ArrayList<>(free);
        gated.forEach((gate, jobs) -> {
            all.addAll(jobs);
            jobs.forEach(one -> gate.waitsNoMore(one.job.cost()));
        });
        all.sort(Comparator.comparingLong(Waiting::number));
        free.clear();
        gated.clear();
        size = 0;
        return all;
    }

    /** There may be new limits, or some may be gone. */
    void sortAgain() {
        if (!quotas.none() || !gated.isEmpty()) {
            add(drain());
        }
    }

    boolean remove(HeldJob job) {
        if (free.removeIf(one -> one.job == job)) {
            size--;
            return true;
        }
        for (Iterator<Map.Entry<Gate, Deque<Waiting>>> gates = gated.entrySet().iterator(); gates.hasNext(); ) {
            Map.Entry<Gate, Deque<Waiting>> each = gates.next();
            if (each.getValue().removeIf(one -> one.job == job)) {
                size--;
                each.getKey().waitsNoMore(job.cost());
                if (each.getValue().isEmpty()) {
                    gates.remove();
                }
                return true;
            }
        }
        return false;
    }

    /** {@return those that will not start for a while, taken out} */
    List<HeldJob> removeShut() {
        List<HeldJob> shut = new ArrayList<>();
        gated.entrySet().removeIf(each -> {
            if (!each.getKey().isShut()) {
                return false;
            }
            each.getValue().forEach(one -> {
                shut.add(one.job);
                each.getKey().waitsNoMore(one.job.cost());
            });
            return true;
        });
        size -= shut.size();
        return shut;
    }
}
