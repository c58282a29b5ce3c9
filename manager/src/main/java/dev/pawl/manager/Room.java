package dev.pawl.manager;

import java.util.OptionalInt;

/**
 * How many more jobs a worker elsewhere would take, as far as this manager can know: what the worker said last, and what was
 * given to it and heard of it since. Others give it jobs, too, so it may say no all the same; then nobody asks it again until
 * something has ended or it was looked at. Thread-safe.
 */
final class Room {
    private int capacity;
    private int running;
    private int posting;
    private int since;
    private boolean full;

    synchronized int free() {
        return full ? 0 : Math.max(0, capacity - Math.max(0, running + since));
    }

    /** The worker said how it is; {@code said} is empty if it does not count its jobs. */
    synchronized void looked(int jobsAtOnce, OptionalInt said) {
        capacity = jobsAtOnce;
        running = said.orElse(0);
        since = said.isPresent() ? 0 : posting;
        full = false;
    }

    /** It is not there. */
    synchronized void lost() {
        capacity = 0;
    }

    synchronized void offer() {
        posting++;
        since++;
    }

    /**
     * The offer is answered.
     *
     * @param taken whether the worker goes on with the job
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

    /** A job that it had has ended. */
    synchronized void ended() {
        since--;
        full = false;
    }
}
