package dev.pawl.admin;

import dev.pawl.EnqueueOptions;
import dev.pawl.InvalidJobException;
import java.time.Duration;
import java.time.Instant;

/** What {@link JobAdmin#changeAll} does to jobs. */
public sealed interface JobChange {
    /** Stops jobs: waiting ones at once, running ones as {@link JobAdmin#cancel} does. */
    record Cancel() implements JobChange {}

    /**
     * Makes jobs run again now: those that were discarded or cancelled with one more attempt, waiting ones at once. Completed ones
     * only if the filter asks for their state, or names the job: what has been done is not done again by the way.
     *
     * <p>They can be spread over time, the oldest first, so that jobs that failed because a service was overloaded do not overload it
     * again. A waiting job that is due earlier keeps its time.
     *
     * @param over the time over which they become available, at equal intervals; zero for all at once
     * @param every the interval; zero if {@code over} is given
     */
    record Retry(Duration over, Duration every) implements JobChange {
        /** @throws InvalidJobException if one is negative or longer than a year, or both are given */
        public Retry {
            for (Duration each : new Duration[] {over, every}) {
                if (each.isNegative() || each.compareTo(LONGEST) > 0) {
                    throw new InvalidJobException(each + " is not valid to spread jobs over: use zero to " + LONGEST);
                }
            }
            if (!over.isZero() && !every.isZero()) {
                throw new InvalidJobException("jobs are spread over a time or at an interval, not both");
            }
        }

        private static final Duration LONGEST = Duration.ofDays(365);

        /** All at once. */
        public Retry() {
            this(Duration.ZERO, Duration.ZERO);
        }

        /**
         * {@return one after the other, all of them within this time} They are counted first.
         *
         * @param time up to a year
         */
        public static Retry over(Duration time) {
            return new Retry(time, Duration.ZERO);
        }

        /**
         * {@return one after the other, at this interval} They are counted first. The last one becomes available within a year.
         *
         * @param interval such as 20 ms for 50 jobs a second
         */
        public static Retry every(Duration interval) {
            return new Retry(Duration.ZERO, interval);
        }

        /** {@return whether they become available one after the other} */
        public boolean isSpread() {
            return !over.isZero() || !every.isZero();
        }

        /**
         * {@return the interval between two jobs}
         *
         * @param jobs how many there are
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
     * Removes every trace: waiting jobs without a record, finished ones with their attempts and log lines. Running ones are asked
     * to stop and left, so that it has to be done again when they have ended. What is kept of a key goes as well when no job of it is
     * live and it is not held back, so that its rate begins anew.
     */
    record Erase() implements JobChange {}

    /**
     * Gives jobs that wait another priority.
     *
     * @param priority the new one; smaller ones go first
     */
    record Prioritize(int priority) implements JobChange {
        /** @throws dev.pawl.InvalidJobException if it is outside its range */
        public Prioritize {
            EnqueueOptions.DEFAULTS.priority(priority); // checks it
        }
    }

    /**
     * Puts jobs that wait into another queue. One with a key waits there for its turn, even if it had been let go where it was.
     *
     * @param queue where to
     */
    record Move(String queue) implements JobChange {
        /** @throws dev.pawl.InvalidJobException if the name is malformed */
        public Move {
            EnqueueOptions.DEFAULTS.queue(queue); // checks the name
        }
    }

    /**
     * Lets jobs that wait become available at another time.
     *
     * @param at when; the past for at once
     */
    record Reschedule(Instant at) implements JobChange {
        /** @throws dev.pawl.InvalidJobException if it is outside the years 1970 to 7999 */
        public Reschedule {
            EnqueueOptions.DEFAULTS.availableAt(at); // checks the moment
        }
    }
}
