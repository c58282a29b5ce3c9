package dev.pawl.internal.key;

/**
 * How many keys one transaction releases. A transaction has a commit and some ten statements of its own, which many keys share; but it
 * releases a bounded number of jobs, and keys with more jobs need a further one, although a key costs as much for one job as for ten. So
 * the number grows while few keys are cut short, and shrinks while many are. Thread-safe.
 */
final class ReleaseSize {
    /** The initial number, and the minimum. */
    static final int MIN_KEYS = 100;

    /** Fraction of the keys that counts as many: one in four. */
    private static final int CUT_SHORT_DIVISOR = 4;

    private final int most;
    private volatile int keys;

    /**
     * @param most the largest number: these keys are locked until the commit
     */
    ReleaseSize(int most) {
        this.most = most;
        this.keys = Math.min(MIN_KEYS, most);
    }

    /** {@return the current number} */
    int keys() {
        return keys;
    }

    /**
     * Learns from a transaction, or from one of two parallel ones that share the keys.
     *
     * @param of number of its keys
     * @param cutShort those with more jobs to release
     */
    synchronized void taken(int of, int cutShort) {
        if (of * 2 < MIN_KEYS) {
            return; // too few to learn from
        }
        if (cutShort * CUT_SHORT_DIVISOR >= of) {
            keys = Math.min(most, Math.max(MIN_KEYS, Math.min(keys, of / 2)));
        } else if (of * 2 >= keys) {
            keys = Math.min(most, keys * 2);
        }
    }
}
