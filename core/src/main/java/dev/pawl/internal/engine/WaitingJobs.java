package dev.pawl.internal.engine;

import dev.pawl.internal.store.Admission;
import dev.pawl.internal.store.Admission.Limiter;
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
 * The buffered jobs in the order of their arrival. Jobs that may not start now do not block others, and jobs that need much capacity may be
 * overtaken for a while, see {@link Capacity}. Not thread-safe.
 */
final class WaitingJobs {
    private final Admission admission;
    private final Capacity capacity;
    /** Jobs that need only a handler. Without limits, weights and chunks, all jobs are here. */
    private final Deque<Waiting> free = new ArrayDeque<>();

    private final WaitGroups groups = new WaitGroups();
    private long arrived;
    /** Value of {@link Admission#limiterChanges} when all waiting jobs were grouped. */
    private long sorted;

    private int size;

    WaitingJobs(Admission admission, Capacity capacity) {
        this.admission = admission;
        this.capacity = capacity;
    }

    void addAll(Collection<HeldJob> jobs) {
        List<Waiting> all = new ArrayList<>(jobs.size());
        for (HeldJob job : jobs) {
            all.add(new Waiting(job, arrived++));
        }
        add(all);
    }

    /** Adds jobs to their groups. Successive jobs with the same limiter and cost are enqueued at the limiter in one call. */
    private void add(List<Waiting> all) {
        Limiter last = null;
        int cost = 1;
        int count = 0;
        WaitGroup group = WaitGroup.FREE;
        for (Waiting one : all) {
            Limiter limiter = admission.limiter(one.job().job());
            group = capacity.group(group, one.job().job(), limiter);
            if (group.isFree()) {
                free.add(one);
            } else {
                groups.add(group, one);
            }
            if (count > 0 && (limiter != last || one.job().cost() != cost)) {
                enqueue(last, cost, count);
                count = 0;
            }
            last = limiter;
            cost = one.job().cost();
            count++;
        }
        enqueue(last, cost, count);
        size += all.size();
    }

    private static void enqueue(@Nullable Limiter limiter, int cost, int count) {
        if (limiter != null) {
            limiter.enqueue(cost, count);
        }
    }

    /**
     * {@return the first job, or the jobs of the first chunk, that may start; empty if there is none} Removes them, acquires their limiter,
     * and takes capacity.
     */
    List<HeldJob> next() {
        int room = capacity.isCounted() ? capacity.free() : Integer.MAX_VALUE;
        Waiting first = free.peek();
        if (room == 0 || (first == null && groups.isEmpty())) {
            return List.of();
        }
        boolean passes = false;
        for (WaitGroups.Entry each : groups.inOrder()) {
            WaitGroup group = each.group;
            Waiting head = each.first();
            if (first != null && first.number() < head.number()) {
                break;
            }
            int needs = capacity.needs(group.weight());
            if (head.job().isExpired()) { // it will not run, so it needs no capacity
                group.dequeue(head.job());
                return List.of(remove(each, head, 1));
            } else if (needs > room && each.isReady()) {
                if (each.near() > 0) {
                    if (!capacity.mayPass()) {
                        return List.of();
                    }
                    passes = true;
                }
            } else if (each.isReady()) {
                if (each.free() == 0) {
                    continue;
                }
                Waiting chosen = chosen(each);
                if (group.tryAcquire(chosen.job())) {
                    count(passes, needs);
                    HeldJob next = remove(each, chosen, needs);
                    int most = group.most();
                    return most == 1 ? List.of(next) : filled(next, each, most);
                }
            }
        }
        if (first == null) {
            return List.of();
        }
        count(passes, 1);
        size--;
        capacity.take(first.job(), 1);
        return List.of(free.remove().job());
    }

    private void count(boolean passes, int needs) {
        if (passes) {
            capacity.passed(needs);
        } else if (needs > 1) {
            capacity.reached();
        }
    }

    /** Takes the most expensive job first if starts were collected for it, because cheaper jobs would use them up. */
    private static Waiting chosen(WaitGroups.Entry entry) {
        int maxCost = entry.group.maxCost();
        if (maxCost > 1) {
            for (Waiting one : entry.jobs()) {
                if (one.job().cost() == maxCost) {
                    return one;
                }
            }
        }
        return entry.first();
    }

    /** {@return the first job and more jobs for the same call} Removes the additional jobs and acquires their limiter. */
    private List<HeldJob> filled(HeldJob first, WaitGroups.Entry entry, int most) {
        List<HeldJob> together = new ArrayList<>();
        together.add(first);
        while (together.size() < most && entry.size() > 0) {
            Waiting next = entry.first();
            if (next.job().isExpired() || !entry.group.tryAcquire(next.job())) {
                break;
            }
            groups.remove(entry, next);
            size--;
            together.add(next.job());
        }
        return together;
    }

    /** {@return how long until some jobs no longer wait for more jobs of their kind; {@link Long#MAX_VALUE} if no jobs wait for that} */
    long untilReady() {
        long least = Long.MAX_VALUE;
        if (capacity.takesSeveral()) {
            long now = System.nanoTime();
            for (WaitGroups.Entry each : groups.inOrder()) {
                long left = each.waits(now);
                least = left > 0 ? Math.min(least, left) : least;
            }
        }
        return least;
    }

    /** {@return the number of buffered jobs of a kind whose handler takes several in one call; zero for other kinds} */
    int of(String kind) {
        int count = 0;
        for (WaitGroups.Entry each : groups.inOrder()) {
            count += each.group.staysTogether(kind) ? each.size() : 0;
        }
        return count;
    }

    private HeldJob remove(WaitGroups.Entry entry, Waiting one, int needs) {
        groups.remove(entry, one);
        size--;
        capacity.take(one.job(), needs);
        return one.job();
    }

    int size() {
        return size;
    }

    /** {@return whether some jobs wait for more than a handler} */
    boolean anyInGroups() {
        return !groups.isEmpty();
    }

    /** {@return how many jobs need only capacity to start now} */
    int waiting() {
        int count = free.size();
        for (WaitGroups.Entry each : groups.inOrder()) {
            if (each.isReady()) {
                count += each.free();
            }
        }
        return count;
    }

    /** {@return the capacity for all jobs that could start now or within a moment if they had capacity} */
    int free() {
        int count = free.size();
        for (WaitGroups.Entry each : groups.inOrder()) {
            if (each.isReady()) {
                count += each.group.capacity(each.near(), capacity.needs(each.group.weight()));
            }
        }
        return count;
    }

    /** {@return how many jobs wait for a limit and cannot start within a moment} */
    int limited() {
        int count = 0;
        for (WaitGroups.Entry each : groups.inOrder()) {
            count += each.size() - each.near();
        }
        return count;
    }

    /**
     * @param room free capacity
     * @return the first job that needs more capacity than this, but nothing else, to start; null for none
     */
    @Nullable
    HeldJob large(int room) {
        for (WaitGroups.Entry each : groups.inOrder()) {
            int weight = each.group.weight();
            if (weight > 1 && each.isReady() && capacity.needs(weight) > room && each.near() > 0) {
                return each.first().job();
            }
        }
        return null;
    }

    /** {@return the next jobs that fit this capacity, not removed} */
    List<HeldJob> first(int most) {
        List<Waiting> next = new ArrayList<>();
        addFirst(next, free, most);
        for (WaitGroups.Entry each : groups.inOrder()) {
            addFirst(next, each.jobs(), Math.min(most, each.group.soon()));
        }
        next.sort(Comparator.comparingLong(Waiting::number));
        List<HeldJob> first = next.stream().limit(most).map(Waiting::job).toList();
        return capacity.isCounted() ? first.subList(0, fitting(first, most)) : first;
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

    /** {@return how many of the jobs fit this capacity together} */
    private int fitting(List<HeldJob> jobs, int most) {
        int fitting = 0;
        for (int left = most; fitting < jobs.size(); fitting++) {
            left -= capacity.needs(capacity.weight(jobs.get(fitting).job()));
            if (left < 0) {
                break;
            }
        }
        return fitting;
    }

    /**
     * {@return the last jobs that this capacity does not suffice for, removed} Keeps at least one job, and the jobs that wait for more than
     * capacity.
     */
    List<HeldJob> removeBeyond(int most) {
        if (free() <= most) {
            return List.of();
        }
        Set<HeldJob> startable = new HashSet<>();
        free.forEach(one -> startable.add(one.job()));
        for (WaitGroups.Entry each : groups.inOrder()) {
            if (!each.group.staysTogether()) {
                each.jobs().stream().limit(each.near()).forEach(one -> startable.add(one.job()));
            }
        }
        List<Waiting> kept = new ArrayList<>();
        List<HeldJob> removed = new ArrayList<>();
        List<WaitGroups.Entry> before = groups.takeOut();
        int left = most;
        for (Waiting one : all(before)) {
            boolean isStartable = startable.contains(one.job());
            if (isStartable) {
                left -= capacity.needs(capacity.weight(one.job().job()));
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

    /** {@return all jobs but one, removed} */
    List<HeldJob> removeAllBut(HeldJob one) {
        List<HeldJob> removed = new ArrayList<>(size);
        List<WaitGroups.Entry> before = groups.takeOut();
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
        List<WaitGroups.Entry> before = groups.takeOut();
        List<HeldJob> all = all(before).stream().map(Waiting::job).toList();
        forget(before);
        return all;
    }

    /** {@return the jobs of these groups and the free jobs, in the order of their arrival} They stay enqueued at their limiters. */
    private List<Waiting> all(List<WaitGroups.Entry> entry) {
        List<Waiting> all = new ArrayList<>(free);
        entry.forEach(each -> all.addAll(each.jobs()));
        all.sort(Comparator.comparingLong(Waiting::number));
        free.clear();
        size = 0;
        return all;
    }

    private static void forget(List<WaitGroups.Entry> waited) {
        waited.forEach(each -> each.jobs().forEach(one -> each.group.dequeue(one.job())));
    }

    /** Regroups the jobs if limits were added or removed. Limiters keep measuring how long jobs have waited. */
    void sortAgain() {
        if (sorted != admission.limiterChanges()) {
            sorted = admission.limiterChanges();
            List<WaitGroups.Entry> before = groups.takeOut();
            add(all(before));
            forget(before);
        }
    }

    boolean remove(HeldJob job) {
        if (free.removeIf(one -> one.job() == job)) {
            size--;
            return true;
        }
        for (WaitGroups.Entry each : groups.inOrder()) {
            for (Waiting one : each.jobs()) {
                if (one.job() == job) {
                    groups.remove(each, one);
                    size--;
                    each.group.dequeue(job);
                    return true;
                }
            }
        }
        return false;
    }

    /** {@return jobs that cannot start for a while because of a limit, removed} */
    List<HeldJob> removeExhausted() {
        List<WaitGroups.Entry> exhausted = groups.takeOutExhausted();
        forget(exhausted);
        List<HeldJob> jobs = exhausted.stream()
                .flatMap(each -> each.jobs().stream())
                .map(Waiting::job)
                .toList();
        size -= jobs.size();
        return jobs;
    }
}
