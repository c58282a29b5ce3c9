package dev.pawl.manager;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The managers that a worker can call: those that gave it a job or polled it, most recent first. Bounded: the managers seen least recently
 * are dropped. Thread-safe.
 */
final class Managers {
    private static final int MAX = 20;

    private final Map<String, Long> lastSeen = new HashMap<>();

    /** Records that this manager is alive. */
    synchronized void heardFrom(String url) {
        lastSeen.put(url, System.nanoTime());
        if (lastSeen.size() > MAX) {
            lastSeen.remove(inOrder().get(MAX));
        }
    }

    /** {@return all managers, in the order in which to try them} */
    synchronized List<String> inOrder() {
        long now = System.nanoTime();
        List<String> all = new ArrayList<>(lastSeen.keySet());
        all.sort(Comparator.comparingLong(url -> now - lastSeen.getOrDefault(url, now)));
        return all;
    }
}
