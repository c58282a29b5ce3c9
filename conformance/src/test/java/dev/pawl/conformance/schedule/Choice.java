package dev.pawl.conformance.schedule;

import java.util.List;
import java.util.Random;

/**
 * Who goes next. Mostly the one who goes already; a few times at most somebody else although that one could go on. Most
 * bugs of concurrency need no more, and so few preemptions leave few schedules to try.
 */
final class Choice {
    private static final int MOST_PREEMPTIONS = 3;
    private static final int[] ODDS = {2, 4, 8, 16};
    /** Who has read and is about to write is worth stopping; who is about to read has seldom anything to lose. */
    private static final int READS = 4;

    private final Random random;
    private final int odds;
    private final boolean isLong;
    private int left;

    Choice(long seed) {
        random = new Random(seed);
        left = 1 + random.nextInt(MOST_PREEMPTIONS);
        isLong = random.nextInt(4) > 0;
        odds = ODDS[random.nextInt(ODDS.length)]; // early ones or late ones: how long a schedule is nobody knows before
    }

    /** {@return whether the one who goes has to let others go before this call, although it could go on} */
    boolean preempts(String call) {
        boolean reads = call.startsWith("SELECT") && !call.contains("FOR UPDATE");
        if (left == 0 || random.nextInt(reads ? READS * odds : odds) > 0) {
            return false;
        }
        left--;
        return true;
    }

    /** {@return whether whoever was preempted stays away until nobody else can go on, as one does that was stopped for long} */
    boolean isLong() {
        return isLong;
    }

    <T> T among(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }
}
