package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.internal.look.Looks;

/**
 * How many jobs there are, as far as it is known.
 *
 * @param jobs how many
 * @param sure how far that is right
 */
public record Amount(long jobs, Sure sure) {
    /** How far a number is right. */
    public enum Sure {
        /** Counted. */
        EXACT,
        /** As the last sample says. */
        ABOUT,
        /** Counting stopped there. */
        AT_LEAST
    }

    /**
     * @param counted up to {@link Looks#MOST_COUNTED}
     * @param together what was counted up to that, if it is more than this number alone
     * @param sampled as the last sample says; 0 for nothing
     */
    static Amount of(long counted, long together, long sampled) {
        if (together < Looks.MOST_COUNTED) {
            return new Amount(counted, Sure.EXACT);
        }
        return sampled > counted ? new Amount(sampled, Sure.ABOUT) : new Amount(counted, Sure.AT_LEAST);
    }

    static Amount of(long counted, long sampled) {
        return of(counted, counted, sampled);
    }

    Amount plus(Amount other) {
        return new Amount(jobs + other.jobs, sure.compareTo(other.sure) > 0 ? sure : other.sure);
    }

    /** {@return 12,345; about 12,345; or, where counting stopped, 10,000+} */
    public String text() {
        return switch (sure) {
            case EXACT -> Words.number(jobs);
            case ABOUT -> "about " + Words.number(jobs);
            case AT_LEAST -> jobs == 0 ? "not counted" : Words.number(jobs) + "+";
        };
    }
}
