package dev.pawl.manager;

import java.util.OptionalInt;

/**
 * An estimate of a remote worker's free capacity: its last report, adjusted by the jobs assigned and finished since.
 * Other managers assign jobs too, so the worker may still refuse; then it gets no further offer until one of its jobs
 * has ended or its state has been polled. Thread-safe.
 */
final class Capacity {
    private int capacity;
    private int running;
    private int posting;
    private int since;
    private boolean full;

    synchronized int free() {
        return full ? 0 : Math.max(0, capacity - Math.max(0, running + since));
    }

    /** Records the worker's reported state; {@code said} is empty if it does not report its number of jobs. */
    synchronized void reported(int jobsAtOnce, OptionalInt said) {
        capacity = jobsAtOnce;
        running = said.orElse(0);
        since = said.isPresent() ? 0 : posting;
        full = false;
    }

    /** Records that the worker cannot be reached. */
    synchronized void unreachable() {
        capacity = 0;
    }

    synchronized void offer() {
        posting++;
        since++;
    }

    /**
     * Records the answer to an offer.
     *
     * @param taken whether the worker accepted the job
     */
    synchronized void answered(boolean taken) {
        posting--;
        if (!taken) {
            since--;
        }
    }

    synchronized void refused() {
        full = true;
    }

    /** Records that the worker has answered an offer with the job's outcome. {@link #answered} follows. */
    synchronized void done() {
        full = false;
    }

    /** Records that one of the worker's jobs has ended. */
    synchronized void ended() {
        since--;
        full = false;
    }
}
