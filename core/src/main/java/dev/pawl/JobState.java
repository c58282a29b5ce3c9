package dev.pawl;

/**
 * The state of a job. <em>Scheduled</em> and <em>retrying</em> are not states of their own: they are {@link #AVAILABLE}
 * with a later {@code available_at}.
 */
public enum JobState {
    /** Waits to be claimed, now or from its {@code available_at} on. */
    AVAILABLE(0),
    /** Claimed by a worker, under a lease. */
    RUNNING(1),
    /** Done. Kept in the history for the retention. */
    COMPLETED(2),
    /** Stopped by a person or by its handler. Kept in the history. */
    CANCELLED(3),
    /** Failed for good: no attempts left, or its handler gave up. Kept in the history with its errors. */
    DISCARDED(4);

    private final int code;

    JobState(int code) {
        this.code = code;
    }

    /** {@return the number stored in the {@code state} columns} */
    public int code() {
        return code;
    }

    /** {@return true if the job will not run again unless a person retries it} */
    public boolean isFinished() {
        return code >= COMPLETED.code;
    }

    /**
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
