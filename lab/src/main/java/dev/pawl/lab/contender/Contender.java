package dev.pawl.lab.contender;

import org.jspecify.annotations.Nullable;

/** A queue to measure: jobs, numbered from zero, go in, and workers run them. One per trial, on an empty database. */
public interface Contender extends AutoCloseable {
    /** {@return how it is set up, in words, for the report} */
    String settings();

    /**
     * Enqueues jobs, as fast as this queue can.
     *
     * @param from number of the first
     * @param to after the last
     * @throws Exception if it cannot
     */
    void enqueue(int from, int to) throws Exception;

    /**
     * Enqueues jobs that are due in an hour.
     *
     * @param jobs how many
     * @throws Exception if it cannot
     */
    default void enqueueDelayed(int jobs) throws Exception {
        throw new UnsupportedOperationException("no delayed jobs here");
    }

    /**
     * Starts the workers; they run until closed.
     *
     * @param handler what to do with each job
     * @return the running workers
     * @throws Exception if they do not start
     */
    Running start(Handler handler) throws Exception;

    /**
     * {@return how many jobs are not done yet, without delayed ones, according to the queue's own store}
     *
     * @throws Exception if it cannot be asked
     */
    long unfinished() throws Exception;

    @Override
    default void close() {}

    /** What is done with a job. Thread-safe. */
    interface Handler {
        /** The handler itself: runs the job. */
        void run(int job) throws Exception;

        /** The queue has recorded that it is done or, if the queue does not report that, the handler has returned. */
        void done(int job);
    }

    /** Running workers. */
    interface Running extends AutoCloseable {
        /** {@return their counts so far} */
        default Counts counts() {
            return Counts.UNKNOWN;
        }

        /**
         * {@return how many seconds the jobs took by a clock of the contender's own; null if it has none. Waits until they are
         * done}
         */
        default @Nullable Double secondsByItsOwnClock() {
            return null;
        }

        /**
         * Stops them and waits for them to end; throws an error that has ended one of them as an IllegalStateException.
         */
        @Override
        void close();
    }

    /**
     * What the workers themselves have seen; null is what they do not tell.
     *
     * @param claims jobs that were claimed
     * @param claimsLost attempts to take a job that another worker took first
     * @param deadlocks errors of that sort
     * @param lockTimeouts errors of that sort, and of a busy file
     */
    record Counts(
            @Nullable Long claims,
            @Nullable Long claimsLost,
            @Nullable Long deadlocks,
            @Nullable Long lockTimeouts) {
        /** They tell nothing. */
        public static final Counts UNKNOWN = new Counts(null, null, null, null);
    }
}
