package dev.pawl.schedule;

import dev.pawl.InvalidJobException;

/**
 * How many of the ticks that passed while no worker was there are made up for, the latest ones. A tick counts as missed if
 * another has passed since, or if it is more than a minute late.
 *
 * @param most 0 to 1,000
 */
public record Missed(int most) {
    /** None: the next tick is the next. */
    public static final Missed SKIP = new Missed(0);
    /** The latest one. */
    public static final Missed ONCE = new Missed(1);

    /** @throws InvalidJobException if it is outside the range */
    public Missed {
        if (most < 0 || most > 1000) {
            throw new InvalidJobException("missed " + most + " is not valid: use 0 to 1000");
        }
    }

    /**
     * All of them; needs {@link Overlap#ALLOW} if there may be more than one.
     *
     * @param most up to so many, the latest ones; 1 to 1,000
     * @return that
     * @throws InvalidJobException if it is outside the range
     */
    public static Missed all(int most) {
        if (most < 1) {
            throw new InvalidJobException("missed " + most + " is not valid: use 1 to 1000, or Missed.SKIP for none");
        }
        return new Missed(most);
    }
}
