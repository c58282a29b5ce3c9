package dev.pawl.api;

/**
 * The state of a job, as it is stored. There are no states <em>scheduled</em> and <em>retryable</em>: such a job is
 * {@link #AVAILABLE} with an {@link Job#availableAt} in the future.
 */
public enum JobState {
    /** Waits to be claimed, at once or from its {@link Job#availableAt} on. */
    AVAILABLE(0),
    /** Waits for other jobs of its concurrency key, and until its {@link Job#availableAt}. */
    BLOCKED(5),
    /** Waits for other jobs of its {@linkplain dev.pawl.Workflow workflow}. */
    PENDING(6),
    /** Waits because its batch is paused, or because the first jobs of the batch have not completed. */
    PAUSED(7),
    /** Claimed by a worker that holds a lease. */
    RUNNING(1),
    /** The run succeeded. Kept in the history for the retention. */
    COMPLETED(2),
    /** Cancelled by an operator, by its handler, by its batch or workflow, or because it expired. Kept in the history for the retention. */
    CANCELLED(3),
    /** Failed finally: no attempts are left, or its handler discarded it. Kept in the history with its errors. */
    DISCARDED(4);

    private final int code;

    JobState(int code) {
        this.code = code;
    }

    /** {@return the number stored in the {@code state} columns} */
    public int code() {
        return code;
    }

    /** {@return true if the job will not run again unless an operator retries it} */
    public boolean isFinished() {
        return this == COMPLETED || this == CANCELLED || this == DISCARDED;
    }

    /** {@return true if the job has not finished and no worker runs it: it waits for its time, a worker or other jobs} */
    public boolean isWaiting() {
        return this == AVAILABLE || waitsForOthers();
    }

    /** {@return true if the job waits for other jobs or its batch: it is blocked, pending or paused} */
    public boolean waitsForOthers() {
        return this == BLOCKED || this == PENDING || this == PAUSED;
    }

    /**
     * Returns the state with a code.
     *
     * @param code a number from a {@code state} column
     * @return the state
     * @throws IllegalArgumentException if there is no such state
     */
    public static JobState ofCode(int code) {
        for (JobState state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        throw new IllegalArgumentException("no job state has the code " + code);
    }
}
