package dev.pawl.internal.key;

/**
 * Adapts how many keys one transaction releases. Many keys share the cost of a transaction: its commit and some ten statements. But a
 * transaction releases a bounded number of jobs. A key with more jobs is cut short and needs another transaction, although a key costs as
 * much for one job as for ten. So the number of keys grows while few keys are cut short, and shrinks while many are. Thread-safe.
 */
final class ReleaseSize {
    /** The initial number, and the minimum. */
    static final int MIN_KEYS = 100;

    /** If at least one key in four is cut short, the number of keys shrinks. */
    private static final int CUT_SHORT_DIVISOR = 4;

    private final int most;
    private volatile int keys;

    /**
     * @param most the largest number, which is limited because the keys are locked until the commit
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
     * Adapts the number after a transaction, which may be one of two parallel ones that share the keys.
     *
     * @param keyCount number of keys in the transaction
     * @param cutShort number of keys with more jobs to release
     */
    synchronized void taken(int keyCount, int cutShort) {
        if (keyCount * 2 < MIN_KEYS) {
            return; // too few to learn from
        }
        if (cutShort * CUT_SHORT_DIVISOR >= keyCount) {
            keys = Math.min(most, Math.max(MIN_KEYS, Math.min(keys, keyCount / 2)));
        } else if (keyCount * 2 >= keys) {
            keys = Math.min(most, keys * 2);
        }
    }
}
