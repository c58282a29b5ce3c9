package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets parked jobs go when it is the turn of their key. How many of a key are under way is counted each time from their
 * rows, so that nothing can drift; whoever counts has locked the key. Thread-safe.
 */
public interface KeyTurns {
    /**
     * A key of a queue.
     *
     * @param queue its name
     * @param key of jobs
     */
    record JobKey(String queue, String key) {}

    /**
     * Jobs that were parked lately.
     *
     * @param keys of them
     * @param last the greatest id among them, or the one that was given
     * @param isAll whether there are no more
     */
    record Parked(Set<JobKey> keys, long last, boolean isAll) {}

    /**
     * @return the id of the job that was parked last, in whatever queue; 0 if there is none
     * @throws SQLException from the driver
     */
    long newestParked() throws SQLException;

    /**
     * @param queues of a worker
     * @param after jobs with greater ids only
     * @return which keys have been parked since
     * @throws SQLException from the driver
     */
    Parked parkedAfter(Collection<String> queues, long after) throws SQLException;

    /**
     * Looks through all keys, for what was missed.
     *
     * @param queue a queue
     * @param after only keys behind this one
     * @return what was found among the next few hundred keys
     * @throws SQLException from the driver
     */
    Ready ready(String queue, String after) throws SQLException;

    /**
     * Some of the keys.
     *
     * @param keys that have jobs which may go
     * @param last the last one that was looked at; null if there are no more
     */
    record Ready(List<JobKey> keys, @Nullable String last) {}

    /**
     * Looks for what nobody has noted.
     *
     * @param queue a queue
     * @return keys with jobs that have ended; 1,000 at most
     * @throws SQLException from the driver
     */
    List<JobKey> ended(String queue) throws SQLException;

    /**
     * Forgets keys that no job has any more, because their jobs were erased or moved; some thousand at most.
     *
     * @param queue a queue
     * @throws SQLException from the driver
     */
    void forgetEmpty(String queue) throws SQLException;

    /**
     * Lets as many jobs go as may go. One transaction.
     *
     * @param keys to look at; those that somebody else is looking at are passed by
     * @return what was done
     * @throws SQLException from the driver; then nothing was done, or the reply to the commit was lost
     */
    default LetGo letGo(Collection<JobKey> keys) throws SQLException {
        return letGo(keys, Map.of());
    }

    /**
     * The same, and claims some of them at once: they are written once, and never stand in a queue's line.
     *
     * @param keys to look at; those that somebody else is looking at are passed by
     * @param wanted what may be claimed of each queue; nothing from the others
     * @return what was done
     * @throws SQLException from the driver; then nothing was done, or the reply to the commit was lost and what was claimed is rescued
     *     when its leases expire
     */
    LetGo letGo(Collection<JobKey> keys, Map<String, ClaimRequest> wanted) throws SQLException;

    /** {@return the turns of how many keys are quickly taken together} */
    int most();

    /** {@return whether two turns at the same time take less time than one after the other} */
    default boolean areQuickerSideBySide() {
        return false;
    }

    /**
     * Holds the jobs of a key back, unless they are held back already. Then one at a time is let go, until one has ended for good.
     *
     * @param key the key
     * @param wait for how long
     * @param reason for people
     * @throws SQLException from the driver
     */
    void unavailable(JobKey key, Duration wait, String reason) throws SQLException;

    /**
     * Deals out starts of keys whose queue has a rate for each of them. One transaction; whatever else changes what is left of
     * such a rate has locked the key, too.
     *
     * @param queue of the keys
     * @param asks what a worker would start now, once for each key
     * @return what it gets, by the key; a key that is missing has to be asked for again
     * @throws SQLException from the driver; then it may have got it all the same
     */
    Map<String, LimitSource.Allocation> starts(String queue, List<KeyAsk> asks) throws SQLException;

    /**
     * What a worker would start of a key.
     *
     * @param key the key
     * @param starts how many starts it would use now
     * @param largest how many of them a single job takes at most, 1 or more
     * @param goodFor for how long the starts must be good, if that is longer than usual
     */
    record KeyAsk(String key, int starts, int largest, Duration goodFor) {
        /** For starts that are good for as long as usual. */
        public KeyAsk(String key, int starts, int largest) {
            this(key, starts, largest, Duration.ZERO);
        }
    }

    /**
     * What was done.
     *
     * @param queues that have more jobs to claim
     * @param again keys to look at again, and when
     * @param claimed what the caller has
     */
    record LetGo(Set<String> queues, Map<JobKey, Duration> again, List<Grant> claimed) {
        /** Nothing was claimed. */
        public LetGo(Set<String> queues, Map<JobKey, Duration> again) {
            this(queues, again, List.of());
        }
    }
}
