package dev.pawl.manager;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a worker can reach managers: those that have given it a job or looked at it, most recent first. Any of them
 * will do. Bounded: those not heard from for longest are forgotten. Thread-safe.
 */
final class Managers {
    private static final int MOST = 20;

    private final Map<String, Long> heard = new HashMap<>();

    /** This manager is alive. */
    synchronized void heardOf(String url) {
        heard.put(url, System.nanoTime());
        if (heard.size() > MOST) {
            heard.remove(inOrder().get(MOST));
        }
    }

    /** {@return all of them, in the order in which to try them} */
    synchronized List<String> inOrder() {
        long now = System.nanoTime();
        List<String> all = new ArrayList<>(heard.keySet());
        all.sort(Comparator.comparingLong(url -> now - heard.getOrDefault(url, now)));
        return all;
    }
}
