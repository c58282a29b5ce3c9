package dev.pawl.internal.store;

/**
 * The position of a blocked job in the queue of its key: its priority, and among equals its id. A delayed job has the moment when it is due
 * as its position, behind all that are due; a release then gives it the position of its priority. So the next job is found without reading
 * delayed ones, and due ones without reading the others.
 */
public final class KeyPosition {
    /** The largest position of jobs that are not delayed: the greatest priority. */
    public static final int LAST = Short.MAX_VALUE;

    private KeyPosition() {}

    /**
     * @param priority of the job
     * @param due when a delayed job is due, in microseconds since 1970; 0 if it is not delayed
     * @return its position
     */
    public static long of(int priority, long due) {
        return due > LAST ? due : priority;
    }

    /** {@return an SQL expression for the position of a job that is delayed no longer; the next release gives it that of its priority} */
    public static String waitsNoMore() {
        return "CASE WHEN priority > " + LAST + " THEN " + (LAST + 1) + " ELSE priority END";
    }
}
