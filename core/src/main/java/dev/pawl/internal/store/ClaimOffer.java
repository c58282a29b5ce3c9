package dev.pawl.internal.store;

import java.util.List;

/**
 * An idle handler that a worker of this process offers for a job that is being enqueued. The statement that writes the job may also claim
 * it for the handler. The handler is reserved until {@link #take}.
 */
public interface ClaimOffer {
    /** {@return how the worker claims from the queue of the job} */
    ClaimStrategy strategy();

    /** {@return the claim of one job} */
    ClaimRequest request();

    /**
     * Gives the claimed job to the handler, and ends the reservation. Must be called once.
     *
     * @param claimed the job, after the commit; empty if it was not claimed
     */
    void take(List<Grant> claimed);
}
