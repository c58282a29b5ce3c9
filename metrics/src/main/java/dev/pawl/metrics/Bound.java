package dev.pawl.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the values of a label to so many: those that come first. All others are one, {@code other}. Thread-safe. */
final class Bound {
    static final String OTHER = "other";

    private final int most;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    Bound(int most) {
        this.most = most;
    }

    String of(String name) {
        if (known.contains(name)) {
            return name;
        }
        synchronized (this) {
            return known.size() < most && (known.add(name) || known.contains(name)) ? name : OTHER;
        }
    }
}
