package dev.pawl.internal.store;

import java.time.Duration;

/** What becomes of a job after a run, decided: the retry policy and the attempts left are already taken into account. */
public sealed interface Verdict {
    /** Finished well. */
    record Completed() implements Verdict {}

    /**
     * Available again after a delay; the attempt failed. If the job was asked to stop meanwhile it is cancelled instead.
     *
     * @param delay from now, by the database's clock
     * @param error recorded with the attempt
     */
    record Retry(Duration delay, String error) implements Verdict {}

    /**
     * Available again after a delay; the attempt is not counted. If the job was asked to stop meanwhile it is cancelled
     * instead.
     *
     * @param delay from now, by the database's clock
     */
    record Snooze(Duration delay) implements Verdict {}

    /**
     * Finished because it is no longer wanted.
     *
     * @param reason kept with the job
     */
    record Cancelled(String reason) implements Verdict {}

    /**
     * Finished because it failed for good.
     *
     * @param reason kept with the job
     * @param error recorded with the attempt
     */
    record Discarded(String reason, String error) implements Verdict {}
}
