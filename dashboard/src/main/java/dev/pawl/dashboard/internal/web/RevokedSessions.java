package dev.pawl.dashboard.internal.web;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;

/**
 * Sessions that were logged out before their expiry. If there are too many to remember, the sessions that expire first are forgotten. Every
 * session that expires no later than a forgotten one is refused, so some users must log in again, but no session is accepted after its
 * logout. Thread-safe.
 */
final class RevokedSessions {
    /** Maximum number of remembered sessions. */
    static final int MAX = 10_000;

    private final TreeMap<Long, Set<String>> byEnd = new TreeMap<>();
    private int size;
    private long refusedUntil = Long.MIN_VALUE;

    /**
     * @param nonce of the session
     * @param end of the session, in seconds since the epoch
     * @param now in seconds since the epoch
     */
    synchronized void add(String nonce, long end, long now) {
        while (!byEnd.isEmpty() && byEnd.firstKey() < now) {
            size -= byEnd.pollFirstEntry().getValue().size();
        }
        if (byEnd.computeIfAbsent(end, unused -> new HashSet<>()).add(nonce)) {
            size++;
        }
        while (size > MAX) {
            refusedUntil = byEnd.firstKey();
            size -= byEnd.pollFirstEntry().getValue().size();
        }
    }

    synchronized boolean isRefused(String nonce, long end) {
        return end <= refusedUntil || byEnd.getOrDefault(end, Set.of()).contains(nonce);
    }
}
