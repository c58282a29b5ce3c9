package dev.pawl.internal.store;

/**
 * The place of a parked job in the line of its key: its priority, and among equals its id. One that waits for its time stands behind
 * all of those, at that moment; when it has come, a turn gives the job the place of its priority. So neither are delayed jobs read to
 * find the next one, nor the others to find who is due. Programs of before step 24 read the whole line and see both.
 */
public final class KeyPlace {
    /** The last one of jobs that do not wait for their time: the greatest priority. */
    public static final int LAST = Short.MAX_VALUE;

    private KeyPlace() {}

    /**
     * @param priority of the job
     * @param due the moment for which it waits, in microseconds since 1970; 0 if it does not wait for one
     * @return its place
     */
    public static long of(int priority, long due) {
        return due > LAST ? due : priority;
    }

    /** {@return the place, as SQL, of a job that does not wait for its time any more: the next turn gives it that of its priority} */
    public static String waitsNoMore() {
        return "CASE WHEN priority > " + LAST + " THEN " + (LAST + 1) + " ELSE priority END";
    }
}
