package dev.pawl.admin;

/**
 * Waiting jobs that no live worker handles.
 *
 * @param queue their queue
 * @param kind their kind
 * @param jobs the number of jobs; counted up to {@link #MAX}
 */
public record UnattendedJobs(String queue, String kind, long jobs) {
    /** The number at which counting stops. */
    public static final long MAX = 10_000;

    /** {@return whether there may be more because counting stopped} */
    public boolean isAtLeast() {
        return jobs >= MAX;
    }
}
