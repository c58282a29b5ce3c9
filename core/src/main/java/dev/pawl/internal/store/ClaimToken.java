package dev.pawl.internal.store;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The fencing tokens of claims. A token is a multiple of 2^32, which grows with each claim of its job, and a number below 2^32, which the
 * claim has drawn. The drawn part comes from the program that claims and never from the database: one that has lost its last commits
 * counts the same claims a second time, and may give ids out a second time, but no claim draws again what a lost one had drawn. Within a
 * process no two of 2^32 claims draw the same; of two processes, two claims draw the same once in 2^32 times.
 *
 * <p>Up to two million claims of one job its tokens are below 2^53, so that programs that take each number for a double have them exactly.
 */
public final class ClaimToken {
    /** How much a token grows at least by a claim. */
    private static final long CLAIM = 1L << 32;

    /** Of a row whose job no worker has claimed. */
    public static final long UNCLAIMED = 1;

    private static final AtomicInteger LAST = new AtomicInteger();

    static {
        beginElsewhere();
    }

    private ClaimToken() {}

    /**
     * Goes on at an unpredictable number. Called when a queue is opened: the image of a process, started several times, would
     * draw the same in each.
     */
    public static void beginElsewhere() {
        int unused = LAST.addAndGet(new SecureRandom().nextInt());
    }

    /** {@return what a claim draws; the token of a job that had none before} */
    public static long draw() {
        return CLAIM + Integer.toUnsignedLong(LAST.incrementAndGet());
    }

    /** {@return whether its job had no claim before, by a program that draws} */
    static boolean isFirst(long token) {
        return token / CLAIM == 1;
    }

    /**
     * @param before the token of the row that is claimed
     * @param drawn by the claim
     * @return the token under which it is claimed
     */
    public static long after(long before, long drawn) {
        return before - before % CLAIM + drawn;
    }

    /**
     * The same in SQL, of the column {@code lease_token}.
     *
     * @param drawn stands for the drawn number
     */
    public static String sqlAfter(String drawn) {
        return "lease_token - lease_token % " + CLAIM + " + " + drawn;
    }
}
