package dev.pawl.admin;

/**
 * Jobs that wait and that no live worker handles.
 *
 * @param queue their queue
 * @param kind their kind
 * @param jobs how many wait; counted up to 10,000
 */
public record UnattendedJobs(String queue, String kind, long jobs) {
    /** Up to which jobs are counted. */
    public static final long MOST = 10_000;

    /** {@return whether there may be more, because counting stopped} */
    public boolean isAtLeast() {
        return jobs >= MOST;
    }
}
