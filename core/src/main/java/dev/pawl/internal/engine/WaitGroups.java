package dev.pawl.internal.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Jobs that wait for more than a handler, grouped by what they wait for. There may be thousands of groups, because each key with a rate
 * limit has its own. So the groups are kept in the order of their first jobs, and need no sorting. Not thread-safe.
 */
final class WaitGroups {
    private final Map<WaitGroup, Entry> byGroup = new HashMap<>();
    private final NavigableMap<Long, Entry> byFirst = new TreeMap<>();

    /** A group with its jobs. */
    static final class Entry {
        final WaitGroup group;
        private final Deque<Waiting> jobs = new ArrayDeque<>();

        Entry(WaitGroup group) {
            this.group = group;
        }

        Waiting first() {
            return jobs.element();
        }

        int size() {
            return jobs.size();
        }

        /** {@return the jobs in the order of their arrival} */
        Collection<Waiting> jobs() {
            return jobs;
        }

        /** {@return how long the group still waits for more jobs; zero or less if it does not} */
        long waits(long now) {
            long fill = group.fillNanos();
            return fill == 0 || jobs.size() >= group.most()
                    ? 0
                    : fill - first().job().sinceClaim(now);
        }

        boolean isReady() {
            return group.fillNanos() == 0 || waits(System.nanoTime()) <= 0;
        }

        /** {@return how many jobs may start within a moment} */
        int near() {
            return Math.min(jobs.size(), group.near(first().job()));
        }

        /** {@return how many jobs may start now} */
        int free() {
            return Math.min(jobs.size(), group.free(first().job()));
        }
    }

    boolean isEmpty() {
        return byGroup.isEmpty();
    }

    /** {@return the groups, ordered by their first jobs} */
    Collection<Entry> inOrder() {
        return byFirst.values();
    }

    /**
     * @param group existing or new
     * @param one a job that arrived after all jobs of the group
     */
    void add(WaitGroup group, Waiting one) {
        Entry entry = byGroup.computeIfAbsent(group, Entry::new);
        entry.jobs.add(one);
        if (entry.jobs.size() == 1) {
            byFirst.put(one.number(), entry);
        }
    }

    void remove(Entry entry, Waiting one) {
        long first = entry.first().number();
        if (!entry.jobs.remove(one) || first != one.number()) { // nearly always the first
            return;
        }
        byFirst.remove(first);
        if (entry.jobs.isEmpty()) {
            byGroup.remove(entry.group);
        } else {
            byFirst.put(entry.first().number(), entry);
        }
    }

    /** {@return all groups, removed} */
    List<Entry> takeOut() {
        List<Entry> all = new ArrayList<>(byFirst.values());
        byGroup.clear();
        byFirst.clear();
        return all;
    }

    /** {@return groups that cannot start for a while because of a limit, removed} */
    List<Entry> takeOutExhausted() {
        List<Entry> exhausted = new ArrayList<>();
        byFirst.values().removeIf(entry -> {
            boolean isExhausted = entry.group.isExhausted();
            if (isExhausted) {
                byGroup.remove(entry.group);
                exhausted.add(entry);
            }
            return isExhausted;
        });
        return exhausted;
    }
}
