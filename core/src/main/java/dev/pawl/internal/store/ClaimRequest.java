package dev.pawl.internal.store;

import java.time.Duration;
import java.util.List;

/**
 * What a worker wants from one queue.
 *
 * @param queue the queue to claim from
 * @param kinds the kinds that the worker can handle; others are left alone
 * @param limit how many at most, 1 to 1,000
 * @param workerId who claims
 * @param lease how long the lease is
 * @param ahead whether the jobs will wait for a handler: if the worker dies they have not begun, unless it has announced
 *     their start
 * @param most the largest priority: jobs of larger ones are left alone
 * @param ofRows whether only jobs that have rows of their own are wanted
 */
public record ClaimRequest(
        String queue,
        List<String> kinds,
        int limit,
        long workerId,
        Duration lease,
        boolean ahead,
        int most,
        boolean ofRows) {
    /** Jobs of any priority, wherever they are. */
    public ClaimRequest(String queue, List<String> kinds, int limit, long workerId, Duration lease, boolean ahead) {
        this(queue, kinds, limit, workerId, lease, ahead, Integer.MAX_VALUE, false);
    }

    /** {@return the same for jobs that have rows of their own} */
    public ClaimRequest rowsOnly() {
        return new ClaimRequest(queue, kinds, limit, workerId, lease, ahead, most, true);
    }

    /** {@return the same for jobs that do not begin at once} */
    public ClaimRequest claimedAhead() {
        return new ClaimRequest(queue, kinds, limit, workerId, lease, true, most, ofRows);
    }

    /**
     * @param other how many at most
     * @return the same for another number of jobs
     */
    public ClaimRequest withLimit(int other) {
        return new ClaimRequest(queue, kinds, other, workerId, lease, ahead, most, ofRows);
    }

    /**
     * @param kind one of them
     * @param other how many at most
     * @return the same for another number of jobs of that kind
     */
    public ClaimRequest only(String kind, int other) {
        return new ClaimRequest(queue, List.of(kind), other, workerId, lease, ahead, most, ofRows);
    }

    /**
     * @param priority the largest
     * @return the same for jobs up to that priority
     */
    public ClaimRequest upTo(int priority) {
        return new ClaimRequest(queue, kinds, limit, workerId, lease, ahead, priority, ofRows);
    }
}
