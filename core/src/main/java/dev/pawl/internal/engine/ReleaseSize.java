package dev.pawl.internal.engine;

/**
 * Of how many keys the turns are taken at once. A turn has a commit and some ten statements of its own, so many keys share them; but it lets
 * only so many jobs go, and keys of which more might go have another turn. So as long as few of them are cut short there are more keys, and
 * fewer where many are: a turn of a key costs as much for one job as for ten. Thread-safe.
 */
final class TurnSize {
    /** As before anything is known. */
    static final int FEWEST = 100;

    /** Which part of the keys at least. */
    private static final int MANY = 4;

    private final int most;
    private volatile int keys;

    /**
     * @param most at most: nobody else takes turns of these keys meanwhile
     */
    TurnSize(int most) {
        this.most = most;
        this.keys = Math.min(FEWEST, most);
    }

    /** {@return of how many} */
    int keys() {
        return keys;
    }

    /**
     * A turn was taken, or one of two that share the keys.
     *
     * @param of how many keys
     * @param cutShort of them might let more go at once
     */
    synchronized void taken(int of, int cutShort) {
        if (of * 2 < FEWEST) {
            return; // says little
        }
        if (cutShort * MANY >= of) {
            keys = Math.min(most, Math.max(FEWEST, Math.min(keys, of / 2)));
        } else if (of * 2 >= keys) {
            keys = Math.min(most, keys * 2);
        }
    }
}
