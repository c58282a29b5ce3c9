package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Releases blocked jobs of concurrency keys. The jobs of a key that are in flight are counted from their rows each time, so that no counter
 * can drift. The transaction that counts has locked the key. Thread-safe.
 */
public interface ConcurrencyKeys {
    /**
     * Recently blocked jobs.
     *
     * @param keys of these jobs
     * @param last the greatest id among these jobs; if there are none, the id after which they were searched
     * @param isAll whether there are no further such jobs
     */
    record Blocked(Set<JobKey> keys, long last, boolean isAll) {}

    /**
     * @return the id of the job that was blocked last, in any queue; 0 if there is none
     * @throws SQLException from the driver
     */
    long newestBlocked() throws SQLException;

    /**
     * @param queues of a worker
     * @param after only jobs with greater ids
     * @return the keys of jobs that were blocked since
     * @throws SQLException from the driver
     */
    Blocked blockedAfter(Collection<String> queues, long after) throws SQLException;

    /**
     * Searches a part of a queue's keys for keys with jobs that may be released.
     *
     * @param queue a queue
     * @param after only keys that follow this one by name
     * @return the keys that were found among the next few hundred keys
     * @throws SQLException from the driver
     */
    Ready ready(String queue, String after) throws SQLException;

    /**
     * The result of a part of a search.
     *
     * @param keys with jobs that may be released
     * @param last the last key that was read; null if there are no further keys
     */
    record Ready(List<JobKey> keys, @Nullable String last) {}

    /**
     * Finds keys whose release was missed.
     *
     * @param queue a queue
     * @return keys with finished jobs; 1,000 at most
     * @throws SQLException from the driver
     */
    List<JobKey> ended(String queue) throws SQLException;

    /**
     * Deletes keys without jobs, whose jobs were erased or moved; about a thousand at most.
     *
     * @param queue a queue
     * @throws SQLException from the driver
     */
    void forgetEmpty(String queue) throws SQLException;

    /**
     * Releases as many jobs as the keys allow, in one transaction.
     *
     * @param keys to release; those that another transaction has locked are skipped
     * @return the result
     * @throws SQLException from the driver; then nothing was done, or the reply to the commit was lost
     */
    default Released releaseJobs(Collection<JobKey> keys) throws SQLException {
        return releaseJobs(keys, Map.of());
    }

    /**
     * Releases as many jobs as the keys allow, in one transaction, and claims some of them. The claimed jobs never become available, so
     * their rows are written only once.
     *
     * @param keys to release; those that another transaction has locked are skipped
     * @param wanted the claims by queue; nothing is claimed from other queues
     * @return the result
     * @throws SQLException from the driver; then nothing was done, or the reply to the commit was lost and the claimed jobs are rescued
     *     when their leases expire
     */
    Released releaseJobs(Collection<JobKey> keys, Map<String, ClaimRequest> wanted) throws SQLException;

    /** {@return how many keys one transaction can release quickly} */
    int maxKeys();

    /** {@return whether two releases take less time in parallel than one after the other} */
    default boolean areFasterInParallel() {
        return false;
    }

    /**
     * Pauses the jobs of a key, unless they are paused already. After the pause, the jobs are released one at a time, until one of them has
     * reached a final state.
     *
     * @param key the key
     * @param wait length of the pause
     * @param reason for people
     * @throws SQLException from the driver
     */
    void unavailable(JobKey key, Duration wait, String reason) throws SQLException;

    /**
     * Allocates starts of keys of a queue that has a rate for each key. Uses one transaction. Any other transaction that takes starts of
     * such a key locks the key, too.
     *
     * @param queue of the keys
     * @param requests one request per key
     * @return the allocations by key; a missing key has to be requested again
     * @throws SQLException from the driver; then the starts may have been allocated nevertheless
     */
    Map<String, Allocation> starts(String queue, List<KeyRequest> requests) throws SQLException;

    /**
     * A worker's request for starts of a key.
     *
     * @param key the key
     * @param starts how many starts it would use now
     * @param largest the largest number of starts that a single job uses; 1 or more
     * @param goodFor how long the starts must be valid, if longer than usual
     */
    record KeyRequest(String key, int starts, int largest, Duration goodFor) {
        /** A request for starts with the usual validity. */
        public KeyRequest(String key, int starts, int largest) {
            this(key, starts, largest, Duration.ZERO);
        }
    }

    /**
     * The result of a release.
     *
     * @param queues that have more jobs to claim
     * @param again keys to release again, with the time until then
     * @param claimed the jobs that were claimed for the caller
     */
    record Released(Set<String> queues, Map<JobKey, Duration> again, List<Grant> claimed) {
        /** A result without claimed jobs. */
        public Released(Set<String> queues, Map<JobKey, Duration> again) {
            this(queues, again, List.of());
        }
    }
}
