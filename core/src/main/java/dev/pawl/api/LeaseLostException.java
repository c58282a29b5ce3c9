package dev.pawl.api;

/**
 * This worker no longer holds the lease of the job: it expired, and the job was rescued. The writes of
 * {@link JobRun#transaction} were rolled back. A handler should let this exception propagate, because its outcome would
 * be refused.
 */
public final class LeaseLostException extends PawlException {
    private static final long serialVersionUID = 1L;

    private final long jobId;
    private final long leaseToken;

    /**
     * @param jobId the job
     * @param leaseToken the token that is no longer valid
     */
    public LeaseLostException(long jobId, long leaseToken) {
        super(
                "job " + jobId + ": the lease with token " + leaseToken
                        + " is lost (it expired, and the job was rescued);"
                        + " nothing of this run was recorded",
                null);
        this.jobId = jobId;
        this.leaseToken = leaseToken;
    }

    /** {@return the job whose lease is lost} */
    public long jobId() {
        return jobId;
    }

    /** {@return the fencing token that the database no longer accepts} */
    public long leaseToken() {
        return leaseToken;
    }
}
