package dev.pawl.conformance;

import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What this run of the tests has drawn. The seed is in the reason of each test that is skipped; with it in the environment as
 * {@code PAWL_DRAW}, the same is drawn again.
 */
public final class Draw {
    private static final String VARIABLE = "PAWL_DRAW";
    private static final long SEED = seed(System.getenv(VARIABLE));

    private Draw() {}

    private static long seed(@Nullable String given) {
        return given == null ? new SplittableRandom().nextLong(1_000_000) : Long.parseLong(given);
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
