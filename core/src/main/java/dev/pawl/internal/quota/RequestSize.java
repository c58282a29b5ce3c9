package dev.pawl.internal.quota;

import java.util.concurrent.TimeUnit;

/**
 * Adapts the number of keys for which one transaction requests starts. A larger number saves commits, but other transactions wait longer
 * for the rows of the keys, and the starts may expire a tenth of a second after the request. Confined to one thread.
 */
final class RequestSize {
    private static final int MIN_KEYS = 10;
    private static final int FIRST = 100;
    private static final int MAX = 500;

    private static final long QUICK = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SLOW = TimeUnit.MILLISECONDS.toNanos(40);

    private final int most;
    private int keys;

    /**
     * @param most the largest number of keys whose rows are read quickly
     */
    RequestSize(int most) {
        this.most = Math.min(MAX, most);
        this.keys = Math.min(FIRST, this.most);
    }

    int keys() {
        return keys;
    }

    /**
     * @param keyCount number of keys
     * @param nanos duration of the request
     */
    void sent(int keyCount, long nanos) {
        if (nanos > SLOW) {
            keys = Math.max(MIN_KEYS, Math.min(keys, keyCount) / 2);
        } else if (nanos < QUICK && keyCount == keys) {
            keys = Math.min(most, keys * 2);
        }
    }
}
