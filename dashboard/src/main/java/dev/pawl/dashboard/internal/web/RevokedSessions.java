package dev.pawl.dashboard.internal.web;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;

/**
 * Sessions that somebody has logged out of, until they would have ended by themselves. If they are too many to remember, those that end
 * first are forgotten and every session that ends as early is refused: people log in again, and nobody comes in who has left. Thread-safe.
 */
final class EndedSessions {
    /** That are remembered. */
    static final int MOST = 10_000;

    private final TreeMap<Long, Set<String>> byEnd = new TreeMap<>();
    private int size;
    private long refusedUntil = Long.MIN_VALUE;

    /**
     * @param nonce of the session
     * @param end of the session, in seconds of the epoch
     * @param now in seconds of the epoch
     */
    synchronized void add(String nonce, long end, long now) {
        while (!byEnd.isEmpty() && byEnd.firstKey() < now) {
            size -= byEnd.pollFirstEntry().getValue().size();
        }
        if (byEnd.computeIfAbsent(end, unused -> new HashSet<>()).add(nonce)) {
            size++;
        }
        while (size > MOST) {
            refusedUntil = byEnd.firstKey();
            size -= byEnd.pollFirstEntry().getValue().size();
        }
    }

    synchronized boolean isRefused(String nonce, long end) {
        return end <= refusedUntil || byEnd.getOrDefault(end, Set.of()).contains(nonce);
    }
}
