package dev.pawl.internal.lane;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs after the end of the last range, and whether this read has claimed them.
 *
 * @param after the end
 * @param now by the database's clock, in microseconds since 1970
 * @param entries the jobs, by their ids
 * @param isWon whether their range was written
 * @param token of the claim; 0 for none
 */
public record LaneHeadRead(long after, long now, List<Entry> entries, boolean isWon, long token) {
    /** Jobs that were read but not claimed. */
    public LaneHeadRead(long after, long now, List<Entry> entries) {
        this(after, now, entries, false, 0);
    }

    /** {@return the ids of the jobs; there must be at least one} */
    public IdSet ids() {
        return IdSet.ofOwned(entries.stream().mapToLong(Entry::id).toArray());
    }

    /**
     * A job as it is stored in the lane.
     *
     * @param id of the job
     * @param createdAt in microseconds since 1970
     * @param maxAttempts limit of its attempts
     * @param kind its kind
     * @param tags as JSON; null for none
     * @param headers as JSON; null for none
     * @param payload as written
     */
    public record Entry(
            long id,
            long createdAt,
            int maxAttempts,
            String kind,
            @Nullable String tags,
            @Nullable String headers,
            String payload) {}
}
