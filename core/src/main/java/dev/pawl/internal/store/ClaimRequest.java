package dev.pawl.internal.store;

import java.time.Duration;
import java.util.List;

/**
 * A worker's request for jobs of one queue.
 *
 * @param queue the queue to claim from
 * @param kinds the kinds that the worker can handle
 * @param limit maximum number of jobs, 1 to 1,000
 * @param workerId of the claiming worker
 * @param lease lease duration
 * @param ahead whether the jobs are claimed before handlers are free; if the worker dies, such a job counts as not started unless its start
 *     was logged
 * @param maxPriority claim nothing with a larger value
 * @param ofRows whether to claim only jobs that have rows of their own
 */
public record ClaimRequest(
        String queue,
        List<String> kinds,
        int limit,
        long workerId,
        Duration lease,
        boolean ahead,
        int maxPriority,
        boolean ofRows) {
    /** A request for jobs of any priority, in rows or lanes. */
    public ClaimRequest(String queue, List<String> kinds, int limit, long workerId, Duration lease, boolean ahead) {
        this(queue, kinds, limit, workerId, lease, ahead, Integer.MAX_VALUE, false);
    }

    /** {@return a copy for jobs that have rows of their own} */
    public ClaimRequest rowsOnly() {
        return new ClaimRequest(queue, kinds, limit, workerId, lease, ahead, maxPriority, true);
    }

    /** {@return a copy for jobs that do not start at once} */
    public ClaimRequest claimedAhead() {
        return new ClaimRequest(queue, kinds, limit, workerId, lease, true, maxPriority, ofRows);
    }

    /**
     * @param other maximum number of jobs
     * @return a copy with this limit
     */
    public ClaimRequest withLimit(int other) {
        return new ClaimRequest(queue, kinds, other, workerId, lease, ahead, maxPriority, ofRows);
    }

    /**
     * @param kind one of the kinds
     * @param other maximum number of jobs
     * @return a copy for this kind only, with this limit
     */
    public ClaimRequest only(String kind, int other) {
        return new ClaimRequest(queue, List.of(kind), other, workerId, lease, ahead, maxPriority, ofRows);
    }

    /**
     * @param priority the largest value
     * @return a copy for jobs up to this priority
     */
    public ClaimRequest upTo(int priority) {
        return new ClaimRequest(queue, kinds, limit, workerId, lease, ahead, priority, ofRows);
    }
}
