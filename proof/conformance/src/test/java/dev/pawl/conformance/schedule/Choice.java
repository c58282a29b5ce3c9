package dev.pawl.conformance.schedule;

import java.util.List;
import java.util.Random;

/**
 * Chooses the next actor. Usually this is the current actor. At most a few times it preempts the current actor, that is, it chooses another
 * actor although the current one could go on. Most concurrency bugs need no more preemptions, and few preemptions leave few schedules to
 * try.
 */
final class Choice {
    private static final int MAX_PREEMPTIONS = 3;
    private static final int[] ODDS = {2, 4, 8, 16};
    /**
     * Before a read, a preemption is this many times less likely. An actor between its read and its write is worth preempting, while an
     * actor before a read rarely has anything to lose.
     */
    private static final int READS = 4;

    private final Random random;
    private final int odds;
    private final boolean isLong;
    private int left;

    Choice(long seed) {
        random = new Random(seed);
        left = 1 + random.nextInt(MAX_PREEMPTIONS);
        isLong = random.nextInt(4) > 0;
        odds = ODDS[random.nextInt(ODDS.length)]; // early or late, because the length of a schedule is not known
    }

    /** {@return whether the current actor has to yield before this call, although it could go on} */
    boolean preempts(String call) {
        boolean reads = call.startsWith("SELECT") && !call.contains("FOR UPDATE");
        if (left == 0 || random.nextInt(reads ? READS * odds : odds) > 0) {
            return false;
        }
        left--;
        return true;
    }

    /** {@return whether the preempted actor stays stopped until no other actor can go on, as after a long stall} */
    boolean isLong() {
        return isLong;
    }

    <T> T among(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }
}
