package dev.pawl.admin;

/**
 * The number of finished jobs of a queue that are still kept.
 *
 * @param queue its name
 * @param completed completed jobs
 * @param cancelled cancelled jobs
 * @param discarded discarded jobs
 * @param isAtLeast whether there may be more, because counting stopped at a limit
 */
public record FinishedJobs(String queue, long completed, long cancelled, long discarded, boolean isAtLeast) {
    /**
     * Exact numbers.
     *
     * @param queue its name
     * @param completed completed jobs
     * @param cancelled cancelled jobs
     * @param discarded discarded jobs
     */
    public FinishedJobs(String queue, long completed, long cancelled, long discarded) {
        this(queue, completed, cancelled, discarded, false);
    }
}
