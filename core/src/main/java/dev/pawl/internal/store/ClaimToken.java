package dev.pawl.internal.store;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The fencing tokens of claims. A token is a multiple of 2^32, which grows with each claim of its job, plus a number below 2^32 that is
 * drawn for the claim. The claiming program draws this number, not the database, because a database that has lost its last commits repeats
 * its counts, and may repeat its ids. With the drawn number, the token of a new claim still differs from that of a lost claim. Within a
 * process, 2^32 consecutive claims draw different numbers; claims of two processes draw the same one with a probability of 1 in 2^32.
 *
 * <p>The tokens of a job's first two million claims are below 2^53, so programs that read numbers as doubles read them exactly.
 */
public final class ClaimToken {
    /** Growth of a token with each claim, without the drawn number. */
    private static final long CLAIM = 1L << 32;

    /** The token of a job that no worker has claimed. */
    public static final long UNCLAIMED = 1;

    private static final AtomicInteger LAST = new AtomicInteger();

    static {
        beginAtRandom();
    }

    private ClaimToken() {}

    /**
     * Continues the numbers at a random one. Called when a queue is opened, because processes that start from the same memory image would
     * otherwise draw the same numbers.
     */
    public static void beginAtRandom() {
        int unused = LAST.addAndGet(new SecureRandom().nextInt());
    }

    /** {@return 2^32 plus a newly drawn number, which is the token of a job's first claim} */
    public static long draw() {
        return CLAIM + Integer.toUnsignedLong(LAST.incrementAndGet());
    }

    /**
     * @param before the token of the row that is claimed
     * @param drawn the result of {@link #draw} for this claim
     * @return the token under which it is claimed
     */
    public static long after(long before, long drawn) {
        return before - before % CLAIM + drawn;
    }

    /**
     * Computes {@link #after} in SQL, for the column {@code lease_token}.
     *
     * @param drawn an SQL expression for the result of {@link #draw}
     */
    public static String sqlAfter(String drawn) {
        return "lease_token - lease_token % " + CLAIM + " + " + drawn;
    }
}
