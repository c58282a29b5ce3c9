package dev.pawl.conformance;

import dev.pawl.servers.Tier;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the tests that the quick tier runs. It chooses the same tests in each run, unless {@code PAWL_DRAW} in the environment gives
 * another seed, or is {@code random}. The reason of a skipped test contains the seed.
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

    /** {@return a generator that yields the same values for the same group in each call of this run} */
    public static Random of(String group) {
        return new Random(SEED * 0x9E3779B97F4A7C15L + group.hashCode());
    }

    /** {@return whether the variable requests all tests} */
    public static boolean isAll(String variable) {
        return Tier.ofThisBuild().isAll(variable);
    }

    /** {@return the reason why a test does not run} */
    public static String notDrawn(String all) {
        return "not drawn by " + VARIABLE + "=" + SEED + "; " + Tier.notInQuick(all);
    }
}
