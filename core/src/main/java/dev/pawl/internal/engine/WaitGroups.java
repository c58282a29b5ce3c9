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
 * Jobs that wait for more than a handler, those that wait for the same behind each other. The lines are kept in the order of their first
 * jobs, because there may be thousands: each key that has a rate makes one. Not thread-safe.
 */
final class Lines {
    private final Map<Line, Standing> byLine = new HashMap<>();
    private final NavigableMap<Long, Standing> byFirst = new TreeMap<>();

    /** A line and who stands there. */
    static final class Standing {
        final Line line;
        private final Deque<Waiting> jobs = new ArrayDeque<>();

        Standing(Line line) {
            this.line = line;
        }

        Waiting first() {
            return jobs.element();
        }

        int size() {
            return jobs.size();
        }

        /** {@return in the order of their arrival} */
        Collection<Waiting> jobs() {
            return jobs;
        }

        /** {@return how long these wait for others to go with them; zero or less for no longer} */
        long waits(long now) {
            Chunking chunk = line.chunk();
            return chunk == null || chunk.waitNanos() == 0 || jobs.size() >= chunk.size()
                    ? 0
                    : chunk.waitNanos() - first().job().sinceClaim(now);
        }

        boolean isReady() {
            Chunking chunk = line.chunk();
            return chunk == null || chunk.waitNanos() == 0 || waits(System.nanoTime()) <= 0;
        }

        /** {@return how many may enter in the next moment} */
        int near() {
            return Math.min(jobs.size(), line.near(first().job()));
        }

        /** {@return how many may enter} */
        int free() {
            return Math.min(jobs.size(), line.free(first().job()));
        }
    }

    boolean isEmpty() {
        return byLine.isEmpty();
    }

    /** {@return by their first jobs} */
    Collection<Standing> inOrder() {
        return byFirst.values();
    }

    /**
     * @param line that may be new
     * @param one that has come after all that stand there
     */
    void add(Line line, Waiting one) {
        Standing standing = byLine.computeIfAbsent(line, Standing::new);
        standing.jobs.add(one);
        if (standing.jobs.size() == 1) {
            byFirst.put(one.number(), standing);
        }
    }

    void remove(Standing standing, Waiting one) {
        long first = standing.first().number();
        if (!standing.jobs.remove(one) || first != one.number()) { // nearly always the first
            return;
        }
        byFirst.remove(first);
        if (standing.jobs.isEmpty()) {
            byLine.remove(standing.line);
        } else {
            byFirst.put(standing.first().number(), standing);
        }
    }

    /** {@return all of them, with what they have waited for} */
    List<Standing> takeOut() {
        List<Standing> all = new ArrayList<>(byFirst.values());
        byLine.clear();
        byFirst.clear();
        return all;
    }

    /** {@return those that will not start for a while, taken out} */
    List<Standing> takeOutExhausted() {
        List<Standing> exhausted = new ArrayList<>();
        byFirst.values().removeIf(standing -> {
            boolean isExhausted = standing.line.isExhausted();
            if (isExhausted) {
                byLine.remove(standing.line);
                exhausted.add(standing);
            }
            return isExhausted;
        });
        return exhausted;
    }
}
