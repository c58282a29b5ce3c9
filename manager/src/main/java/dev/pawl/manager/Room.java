package dev.pawl.manager;

import java.util.OptionalInt;

/**
 * How many more jobs a worker elsewhere would take, as far as this manager can know: what the worker last reported, and
 * what has been given to it and heard from it since. Others give it jobs as well, so it may still refuse; then it is
 * not asked again until one of its jobs has ended or it has been looked at. Thread-safe.
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

    /** The worker has reported its state; {@code said} is empty if it does not count its jobs. */
    synchronized void looked(int jobsAtOnce, OptionalInt said) {
        capacity = jobsAtOnce;
        running = said.orElse(0);
        since = said.isPresent() ? 0 : posting;
        full = false;
    }

    /** The worker cannot be reached. */
    synchronized void lost() {
        capacity = 0;
    }

    synchronized void offer() {
        posting++;
        since++;
    }

    /**
     * The offer has been answered.
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

    /** One of its jobs has ended. */
    synchronized void ended() {
        since--;
        full = false;
    }
}
