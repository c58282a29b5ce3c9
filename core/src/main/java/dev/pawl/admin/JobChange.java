package dev.pawl.admin;

import dev.pawl.EnqueueOptions;
import java.time.Instant;

/** What {@link JobAdmin#changeAll} does to jobs. */
public sealed interface JobChange {
    /** Stops jobs: waiting ones at once, running ones as {@link JobAdmin#cancel} does. */
    record Cancel() implements JobChange {}

    /**
     * Makes jobs run again now: those that were discarded or cancelled with one more attempt, waiting ones at once. Completed ones
     * only if the filter asks for their state, or names the job: what has been done is not done again by the way.
     */
    record Retry() implements JobChange {}

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
