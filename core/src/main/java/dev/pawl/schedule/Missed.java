package dev.pawl.schedule;

/**
 * How many missed ticks are run later. If more were missed, only the latest are run. A tick that has just become due counts towards the
 * maximum, but runs even with {@link #SKIP}. A tick is missed if a later tick has also passed, or if it is more than a minute late.
 *
 * @param most the maximum number, 0 to 1,000
 */
public record Missed(int most) {
    /** Skips all missed ticks. */
    public static final Missed SKIP = new Missed(0);
    /** Runs the latest missed tick. */
    public static final Missed ONCE = new Missed(1);

    /** @throws IllegalArgumentException if it is outside the range */
    public Missed {
        if (most < 0 || most > 1000) {
            throw new IllegalArgumentException("missed " + most + " is not valid: use 0 to 1000");
        }
    }

    /**
     * Runs all missed ticks up to a maximum. More than one needs {@link Overlap#ALLOW}.
     *
     * @param most the maximum number, 1 to 1,000; the latest missed ticks are run
     * @return the policy
     * @throws IllegalArgumentException if it is outside the range
     */
    public static Missed all(int most) {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "missed " + most + " is not valid: use 1 to 1000, or Missed.SKIP for none");
        }
        return new Missed(most);
    }
}
