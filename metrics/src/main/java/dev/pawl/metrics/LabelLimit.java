package dev.pawl.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Limits a label to a number of values, first come first served. All others become {@code other}. Thread-safe. */
final class LabelLimit {
    static final String OTHER = "other";

    private final int most;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    LabelLimit(int most) {
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
