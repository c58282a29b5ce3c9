package dev.pawl.lab.contender;

import org.jspecify.annotations.Nullable;

/** A queue to measure: jobs, numbered from zero, are enqueued, and workers run them. One instance per trial, on an empty database. */
public interface Contender extends AutoCloseable {
    /** {@return its configuration as text, for the report} */
    String settings();

    /**
     * Enqueues jobs as fast as this queue can.
     *
     * @param from the number of the first job
     * @param to the number after that of the last job
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
     * {@return the number of unfinished jobs, without delayed ones, according to the queue's own store}
     *
     * @throws Exception if the store cannot be queried
     */
    long unfinished() throws Exception;

    /**
     * {@return how many claims have got jobs; null if the store does not tell}
     *
     * @throws Exception if the store cannot be queried
     */
    default @Nullable Long claims() throws Exception {
        return null;
    }

    @Override
    default void close() {}

    /** Handles a job. Thread-safe. */
    interface Handler {
        /** The handler itself: runs the job. */
        void run(int job) throws Exception;

        /** Called when the queue has recorded the job as done or, if the queue does not report that, when the handler has returned. */
        void done(int job);

        /** {@return what worker processes record, since they have no handler of the lab} */
        default RemoteRecording remoteRecording() {
            return RemoteRecording.FIRST_JOB;
        }

        /** Called with the times of a job that ran in another process, by System.nanoTime. A job's times may come more than once. */
        default void ran(int job, long startedNanos, long doneNanos) {}
    }

    /** What a worker process records of its jobs. */
    enum RemoteRecording {
        /** Each job in the {@link Protocol}. */
        EVERY_JOB,
        /** Its first job in the {@link Protocol}, which shows when that job began. */
        FIRST_JOB,
        /** The times of each job in its output. */
        TIMES
    }

    /** Running workers. */
    interface Running extends AutoCloseable {
        /** {@return their counts so far} */
        default Counts counts() {
            return Counts.UNKNOWN;
        }

        /** {@return how many seconds the jobs took by the contender's own clock; null if it has none} Waits until the jobs are done. */
        default @Nullable Double secondsByItsOwnClock() {
            return null;
        }

        /** Reports to the handler what other processes have run so far. */
        default void collect() {}

        /** Stops the workers and waits for them to end. If an error has ended a worker, throws this error as an IllegalStateException. */
        @Override
        void close();
    }

    /**
     * The workers' own counts; null if unknown.
     *
     * @param claims claimed jobs
     * @param claimsLost attempts to claim a job that another worker claimed first
     * @param deadlocks deadlock errors
     * @param lockTimeouts lock timeouts, including busy files
     */
    record Counts(
            @Nullable Long claims,
            @Nullable Long claimsLost,
            @Nullable Long deadlocks,
            @Nullable Long lockTimeouts) {
        /** No counts are available. */
        public static final Counts UNKNOWN = new Counts(null, null, null, null);
    }
}
