package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Releases blocked jobs of concurrency keys. The jobs in flight of a key are counted from their rows each time, so that no counter can
 * drift; the counting transaction has locked the key. Thread-safe.
 */
public interface ConcurrencyKeys {
    /**
     * Recently blocked jobs.
     *
     * @param keys of them
     * @param last the greatest id among them, or the one that was given
     * @param isAll whether there are no more
     */
    record Blocked(Set<JobKey> keys, long last, boolean isAll) {}

    /**
     * @return the id of the job that was blocked last, in any queue; 0 if there is none
     * @throws SQLException from the driver
     */
    long newestBlocked() throws SQLException;

    /**
     * @param queues of a worker
     * @param after jobs with greater ids only
     * @return the keys of jobs that were blocked since
     * @throws SQLException from the driver
     */
    Blocked blockedAfter(Collection<String> queues, long after) throws SQLException;

    /**
     * Sweeps some of the keys.
     *
     * @param queue a queue
     * @param after only keys behind this one
     * @return the keys found among the next few hundred
     * @throws SQLException from the driver
     */
    Ready ready(String queue, String after) throws SQLException;

    /**
     * A part of a sweep.
     *
     * @param keys with jobs that may be released
     * @param last the last key that was read; null if there are no more
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
     * The same, and claims some of the jobs at once: they are written once, and never become available.
     *
     * @param keys to release; those that another transaction has locked are skipped
     * @param wanted the claims by queue; nothing is claimed of other queues
     * @return the result
     * @throws SQLException from the driver; then nothing was done, or the reply to the commit was lost and the claimed jobs are rescued
     *     when their leases expire
     */
    Released releaseJobs(Collection<JobKey> keys, Map<String, ClaimRequest> wanted) throws SQLException;

    /** {@return how many keys one transaction can release quickly} */
    int maxKeys();

    /** {@return whether two parallel releases take less time than one after the other} */
    default boolean areFasterInParallel() {
        return false;
    }

    /**
     * Holds the jobs of a key, unless they are held already. After the hold they are released one at a time, until one has finished for
     * good.
     *
     * @param key the key
     * @param wait length of the hold
     * @param reason for people
     * @throws SQLException from the driver
     */
    void unavailable(JobKey key, Duration wait, String reason) throws SQLException;

    /**
     * Allocates starts of keys whose queue has a rate for each of them. One transaction; any other change of the rest of such a rate locks
     * the key, too.
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
     * @param starts how many it would use now
     * @param largest how many of them a single job takes at most, 1 or more
     * @param goodFor how long the starts must be valid, if longer than usual
     */
    record KeyRequest(String key, int starts, int largest, Duration goodFor) {
        /** For starts with the usual validity. */
        public KeyRequest(String key, int starts, int largest) {
            this(key, starts, largest, Duration.ZERO);
        }
    }

    /**
     * The result of a release.
     *
     * @param queues that have more jobs to claim
     * @param again keys to release again, and when
     * @param claimed by the caller
     */
    record Released(Set<String> queues, Map<JobKey, Duration> again, List<Grant> claimed) {
        /** Without claims. */
        public Released(Set<String> queues, Map<JobKey, Duration> again) {
            this(queues, again, List.of());
        }
    }
}
