package dev.pawl.dashboard.internal.page;

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
     * @param counted how many were counted
     * @param isAtLeast whether there may be more
     * @param sampled from the last sample; 0 for none
     */
    static Amount of(long counted, boolean isAtLeast, long sampled) {
        if (!isAtLeast) {
            return new Amount(counted, Accuracy.EXACT);
        }
        return sampled > counted ? new Amount(sampled, Accuracy.ABOUT) : new Amount(counted, Accuracy.AT_LEAST);
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
