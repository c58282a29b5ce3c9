package dev.pawl.internal.admin;

import java.time.Duration;

/**
 * How many ids a statement covers: more while statements are quick, fewer after a slow one. Statements over ranges with few jobs are quick,
 * so without the maximum, the first statement after them could cover far too many jobs. Confined to one thread.
 */
final class RangeWidth {
    static final long FIRST = 20_000;
    static final long MIN = 1_000;
    static final long MAX = 1_000_000;

    /** The maximum time that a statement should take. */
    static final Duration QUICK = Duration.ofMillis(200);

    private long ids = FIRST;

    /** {@return how many ids the next statement covers} */
    long ids() {
        return ids;
    }

    /** Adapts the width to the time that the last statement took. */
    void took(Duration time) {
        long quick = QUICK.toNanos();
        long nanos = time.toNanos();
        ids = nanos < quick ? Math.min(MAX, ids * 2) : Math.max(MIN, (long) (ids * ((double) quick / nanos)));
    }
}
