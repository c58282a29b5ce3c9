package dev.pawl.admin;

import dev.pawl.api.EnqueueOptions;
import java.time.Duration;
import java.time.Instant;

/** A change that {@link JobAdmin#changeAll} applies to jobs. */
public sealed interface JobChange {
    /** Cancels jobs: waiting ones at once, running ones as {@link JobAdmin#cancel} does. */
    record Cancel() implements JobChange {}

    /**
     * Makes jobs available now, or, if their concurrency key blocks them, as soon as the key releases them. Discarded jobs get at least one
     * more attempt, and jobs that wait for a retry no longer wait. Jobs that have not failed (completed, cancelled, or scheduled for later)
     * are changed only if the filter names their state or their id. Of several finished jobs with the same unique key, only the newest is
     * retried, and none if a live job has the key.
     *
     * <p>The retries can be spread over time, so that jobs which failed because a service was overloaded do not overload it again. Finished
     * jobs come before waiting jobs, and in both groups the oldest come first. A waiting job that is due earlier keeps its time.
     *
     * @param over the time over which they become available, at equal intervals; zero for all at once
     * @param every the interval; zero if {@code over} is given
     */
    record Retry(Duration over, Duration every) implements JobChange {
        /** @throws IllegalArgumentException if one is negative or longer than a year, or both are given */
        public Retry {
            for (Duration each : new Duration[] {over, every}) {
                if (each.isNegative() || each.compareTo(LONGEST) > 0) {
                    throw new IllegalArgumentException(
                            each + " is not valid to spread jobs over: use zero to " + LONGEST);
                }
            }
            if (!over.isZero() && !every.isZero()) {
                throw new IllegalArgumentException("jobs are spread over a time or at an interval, not both");
            }
        }

        private static final Duration LONGEST = Duration.ofDays(365);

        /** Creates a change that makes all jobs available at once. */
        public Retry() {
            this(Duration.ZERO, Duration.ZERO);
        }

        /**
         * {@return a change that spreads the jobs evenly over this time} It counts them first.
         *
         * @param time at most a year
         */
        public static Retry over(Duration time) {
            return new Retry(time, Duration.ZERO);
        }

        /**
         * {@return a change that spreads the jobs at this interval} It counts them first. The last one becomes
         * available within a year.
         *
         * @param interval such as 20 ms for 50 jobs a second
         */
        public static Retry every(Duration interval) {
            return new Retry(Duration.ZERO, interval);
        }

        /** {@return whether the jobs are spread over time} */
        public boolean isSpread() {
            return !over.isZero() || !every.isZero();
        }

        /**
         * {@return the interval between two jobs}
         *
         * @param jobs the number of jobs
         */
        public Duration interval(long jobs) {
            Duration most = LONGEST.dividedBy(Math.max(1, jobs));
            Duration wanted = over.isZero() ? every : over.dividedBy(Math.max(1, jobs));
            return wanted.compareTo(most) > 0 ? most : wanted;
        }
    }

    /** Deletes finished jobs, with their attempts and log lines. */
    record Delete() implements JobChange {}

    /**
     * Deletes jobs completely: waiting jobs without keeping a record, finished ones with their attempts and log lines. Running jobs stay:
     * their cancellation is requested, and the change must be repeated when they have finished. Also deletes the state of a concurrency key
     * that has no live jobs and is not paused, so its rate starts anew.
     */
    record Erase() implements JobChange {}

    /**
     * Changes the priority of waiting jobs.
     *
     * @param priority the new priority, smallest first
     */
    record Prioritize(int priority) implements JobChange {
        /** @throws IllegalArgumentException if it is outside its range */
        public Prioritize {
            EnqueueOptions.DEFAULTS.priority(priority); // checks the range
        }
    }

    /**
     * Moves waiting jobs to another queue. A job with a concurrency key may have to wait for the jobs of its key in the new queue, even if
     * it no longer had to wait in the old queue.
     *
     * @param queue the new queue
     */
    record Move(String queue) implements JobChange {
        /** @throws IllegalArgumentException if the name is malformed */
        public Move {
            EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        }
    }

    /**
     * Changes the time from which available and blocked jobs may run. Pending and paused jobs are not changed.
     *
     * @param at the new time; a past one for at once
     */
    record Reschedule(Instant at) implements JobChange {
        /** @throws IllegalArgumentException if it is outside the years 1970 to 8999 */
        public Reschedule {
            EnqueueOptions.DEFAULTS.availableAt(at); // checks the range
        }
    }
}
