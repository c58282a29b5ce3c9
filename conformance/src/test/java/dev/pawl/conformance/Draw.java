package dev.pawl.conformance;

import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Which tests this run has drawn: the same in each run, unless {@code PAWL_DRAW} in the environment gives another seed, or is
 * {@code random}. The seed is in the reason of each test that is skipped.
 */
public final class Draw {
    private static final String VARIABLE = "PAWL_DRAW";
    private static final long SEED = seed(System.getenv(VARIABLE));

    private Draw() {}

    private static long seed(@Nullable String given) {
        if (given == null) {
            return 0;
        }
        return given.equals("random") ? new SplittableRandom().nextLong(1_000_000) : Long.parseLong(given);
    }

    /** {@return the same each time it is asked about the same group in this run} */
    public static Random of(String group) {
        return new Random(SEED * 0x9E3779B97F4A7C15L + group.hashCode());
    }

    /** {@return whether everything of that variable is to run} */
    public static boolean isAll(String variable) {
        return "all".equals(System.getenv(variable));
    }

    /** {@return why a test does not run} */
    public static String notDrawn(String all) {
        return "not drawn by " + VARIABLE + "=" + SEED + "; " + all + "=all runs it";
    }
}
