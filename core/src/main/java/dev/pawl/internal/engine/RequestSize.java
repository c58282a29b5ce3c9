package dev.pawl.internal.engine;

import java.util.concurrent.TimeUnit;

/**
 * For how many keys to ask in one transaction what their rates allow. It costs a commit; but others wait for the rows of these keys, and what is
 * dealt is good for a tenth of a second from when it was asked for. One thread.
 */
final class RequestSize {
    private static final int FEWEST = 10;
    private static final int FIRST = 100;
    private static final int MOST = 500;

    private static final long QUICK = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SLOW = TimeUnit.MILLISECONDS.toNanos(40);

    private final int most;
    private int keys;

    /**
     * @param most that are quickly read together
     */
    RequestSize(int most) {
        this.most = Math.min(MOST, most);
        this.keys = Math.min(FIRST, this.most);
    }

    int keys() {
        return keys;
    }

    /**
     * @param of how many keys
     * @param nanos how long it took
     */
    void sent(int of, long nanos) {
        if (nanos > SLOW) {
            keys = Math.max(FEWEST, Math.min(keys, of) / 2);
        } else if (nanos < QUICK && of == keys) {
            keys = Math.min(most, keys * 2);
        }
    }
}
