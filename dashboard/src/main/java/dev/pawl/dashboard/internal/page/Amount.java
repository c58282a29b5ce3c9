package dev.pawl.dashboard.internal.page;

import dev.pawl.dashboard.internal.snapshot.Snapshots;

/**
 * A number of jobs and its accuracy.
 *
 * @param jobs the number
 * @param accuracy of it
 */
public record Amount(long jobs, Accuracy accuracy) {
    /** Accuracy of a number. */
    public enum Accuracy {
        /** Counted. */
        EXACT,
        /** Taken from the last sample. */
        ABOUT,
        /** A lower bound, because counting stopped there. */
        AT_LEAST
    }

    /**
     * @param counted up to {@link Snapshots#MOST_COUNTED}
     * @param together the sum counted up to that limit, if it includes other numbers
     * @param sampled from the last sample; 0 for none
     */
    static Amount of(long counted, long together, long sampled) {
        if (together < Snapshots.MOST_COUNTED) {
            return new Amount(counted, Accuracy.EXACT);
        }
        return sampled > counted ? new Amount(sampled, Accuracy.ABOUT) : new Amount(counted, Accuracy.AT_LEAST);
    }

    static Amount of(long counted, long sampled) {
        return of(counted, counted, sampled);
    }

    Amount plus(Amount other) {
        return new Amount(jobs + other.jobs, accuracy.compareTo(other.accuracy) > 0 ? accuracy : other.accuracy);
    }

    /** {@return 12,345; about 12,345; or, where counting stopped, 10,000+} */
    public String text() {
        return switch (accuracy) {
            case EXACT -> Formats.number(jobs);
            case ABOUT -> "about " + Formats.number(jobs);
            case AT_LEAST -> jobs == 0 ? "not counted" : Formats.number(jobs) + "+";
        };
    }
}
