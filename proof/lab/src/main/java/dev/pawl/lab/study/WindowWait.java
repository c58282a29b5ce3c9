package dev.pawl.lab.study;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The measured E[X]: the mean number of rounds that a job waits in the window, derived from the order of executions. */
public final class WindowWait {
    private WindowWait() {}

    /**
     * Computes the mean wait. A job is in the window while fewer than {@code window} older ones are left. There are as many workers as the
     * window has jobs. In a round each worker picks once, so a round has {@code window} picks.
     *
     * @param executedJobs numbers from zero, in the order in which they were taken; of repeated jobs the first execution counts
     * @param window size
     * @return the mean number of rounds; 1 if every job was picked in its first round
     */
    public static double meanRounds(List<Long> executedJobs, int window) {
        Set<Long> taken = new HashSet<>();
        long[] entered = new long[executedJobs.size() + window];
        long inside = window; // number of jobs that have entered
        long picks = 0;
        double rounds = 0;
        for (long job : executedJobs) {
            if (!taken.add(job) || job >= entered.length) {
                continue;
            }
            long waited = picks - (job < inside ? entered[(int) job] : picks);
            rounds += Math.floor((double) waited / window) + 1;
            picks++;
            // One job has left, so the next one enters.
            if (inside < entered.length) {
                entered[(int) inside++] = picks;
            }
        }
        return picks == 0 ? 1 : rounds / picks;
    }
}
