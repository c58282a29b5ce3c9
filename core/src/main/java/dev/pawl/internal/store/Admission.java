package dev.pawl.internal.store;

import dev.pawl.api.Job;
import dev.pawl.limit.Subject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bounds how many jobs a worker claims and starts. Each worker has its own. Thread-safe. */
public interface Admission {
    /** {@return the lock of all limiters, which also guards the waiting jobs, so that starting or ending a job takes a single lock} */
    Mutex lock();

    /** {@return whether nothing is bounded, so that every job may be claimed and start} */
    boolean none();

    /**
     * @param job that waits
     * @return its limiter; null if it may start at any time
     */
    @Nullable
    Limiter limiter(Job job);

    /** {@return how often the limiters of jobs have changed} Guarded by {@link #lock()}. */
    long limiterChanges();

    /**
     * Plans the claims of a queue.
     *
     * @param queue the queue
     * @param kinds that the worker can handle now
     * @param limit maximum number of jobs
     * @param ahead how many jobs the handlers will finish within a moment
     * @return the claims
     */
    Claims plan(String queue, List<String> kinds, int limit, int ahead);

    /**
     * @param part that was claimed
     * @param all whether the claim was full
     */
    void claimed(Part part, boolean all);

    /** {@return whether jobs may have to wait for a start even if handlers are free} */
    boolean anyRated();

    /** Called when the worker has an idle handler for which it can claim jobs. */
    void idle();

    /** Called when the number of handlers has changed. */
    void scaled();

    /**
     * A part of a claim.
     *
     * @param kinds to claim
     * @param limit maximum number of jobs
     * @param ofRows whether to claim only jobs with rows of their own. Lanes are left out for a part with only some of the kinds, because a
     *     search of a lane for these would move jobs of the other kinds out of the lane
     * @param subjects whose limits determine the maximum; after a full claim, there may be more jobs of these subjects
     */
    record Part(List<String> kinds, int limit, boolean ofRows, List<Subject> subjects) {
        /** A part whose only bound is its maximum number of jobs. */
        public Part(List<String> kinds, int limit) {
            this(kinds, limit, false, List.of());
        }

        /**
         * @param most maximum number of jobs
         * @return a copy for fewer jobs
         */
        public Part to(int most) {
            return most == limit ? this : new Part(kinds, most, ofRows, subjects);
        }
    }

    /**
     * The claims of one queue.
     *
     * @param parts to claim in this order, until the claimed jobs together reach the maximum
     * @param isAll whether no kind was left out
     */
    record Claims(List<Part> parts, boolean isAll) {}

    /**
     * Lets jobs of a queue and kind start. All these jobs share one limiter, so a limiter is not the permit of a single job. Thread-safe.
     */
    interface Limiter {
        /** The job may start at any time. */
        long ANY_TIME = Long.MIN_VALUE;

        /** The job may not start now. */
        long REFUSED = Long.MIN_VALUE + 1;

        /**
         * Lets a waiting job start, if possible. If it starts, {@link #release} must be called when it has finished.
         *
         * @param cost how many starts the job uses up where a rate limits starts
         * @return the deadline for the start, by {@link System#nanoTime}, after which the job must release and acquire again;
         *     {@link #ANY_TIME} if there is no deadline, {@link #REFUSED} if the job may not start
         */
        long acquire(int cost);

        /**
         * Releases what a finished job has acquired.
         *
         * @return whether more jobs should be claimed, because few are waiting
         */
        boolean release();

        /**
         * @param cost of each job
         * @return how many jobs could start now
         */
        int free(int cost);

        /**
         * @param cost of each job
         * @return how many jobs could start now, or with the next allocation of starts, if that is due soon
         */
        int near(int cost);

        /** {@return the largest cost of a waiting job, if it is more than one start and such a job could start now; else 1} */
        int maxCost();

        /** {@return how many waiting jobs may start soon, as other jobs finish} */
        int soon();

        /**
         * Adds waiting jobs. {@link #acquire} removes the job that starts.
         *
         * @param cost how many starts each job uses up where a rate limits starts
         * @param jobs number of jobs
         */
        void enqueue(int cost, int jobs);

        /**
         * Removes a waiting job that has not started.
         *
         * @param cost with which the job was added
         */
        void dequeue(int cost);

        /** {@return whether no job will start for a while, so that waiting jobs should be released} */
        boolean isExhausted();
    }
}
