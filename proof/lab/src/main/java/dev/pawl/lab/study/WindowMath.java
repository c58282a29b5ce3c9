package dev.pawl.lab.study;

import java.util.random.RandomGenerator;

/**
 * How many rounds a job waits in a window of N when N workers each pick one of the N at random, all at once. The
 * study's printed formula has a wrong exponent; both versions are here.
 */
public final class WindowMath {
    private static final int TERMS = 200;

    private WindowMath() {}

    /** {@return the probability that a given job is not picked in a round} */
    public static double missed(int window) {
        return Math.pow((window - 1.0) / window, window);
    }

    /** {@return the expected number of rounds until a job is picked: 1 / (1 - missed)} */
    public static double expectedRounds(int window) {
        return 1 / (1 - missed(window));
    }

    /** {@return the value of the printed formula, with the exponent N^(i-1) instead of N (i-1)} */
    public static double printedFormula(int window) {
        double sum = 0;
        double notYet = (window - 1.0) / window;
        for (int i = 1; i <= TERMS; i++) {
            sum += i * Math.pow(notYet, Math.pow(window, i - 1)) * (1 - missed(window));
        }
        return sum;
    }

    /** {@return the mean number of rounds over simulated jobs} */
    public static double simulate(int window, int jobs, RandomGenerator random) {
        long rounds = 0;
        for (int job = 0; job < jobs; job++) {
            boolean picked = false;
            while (!picked) {
                rounds++;
                for (int worker = 0; worker < window; worker++) {
                    picked |= random.nextInt(window) == 0;
                }
            }
        }
        return (double) rounds / jobs;
    }

    /** {@return about how far a job may be out of order: the longest wait of J jobs is near N ln J picks} */
    public static double expectedFurthest(int window, int jobs) {
        return window * Math.log(jobs);
    }
}
