package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs after the end of the last range, and whether this read has claimed them.
 *
 * @param after the end of the last range
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
     * @param payload as it was enqueued
     * @param rare values that few jobs have
     */
    public record Entry(
            long id,
            long createdAt,
            int maxAttempts,
            String kind,
            @Nullable String tags,
            @Nullable String headers,
            String payload,
            Rare rare) {}

    /**
     * Values that few jobs have.
     *
     * @param batch to which the job belongs; null for none
     * @param cost how many starts the job uses up where a rate limits starts
     * @param expiresAt when it must have started; null for no expiry
     */
    public record Rare(
            @Nullable Long batch, int cost, @Nullable Instant expiresAt) {
        /** No such values. */
        public static final Rare NONE = new Rare(null, 1, null);

        /** The condition that a job has some of these values. */
        static final String PRESENT = "batch_id IS NOT NULL OR cost IS NOT NULL OR expires_at IS NOT NULL";

        /** {@return the columns, as {@link #read} reads them} */
        public static String columns(Dialect dialect) {
            return "batch_id, cost, " + dialect.micros("expires_at");
        }

        /**
         * {@return the values of the current row}
         *
         * @param first the index of the first of the {@link #columns}
         */
        public static Rare read(ResultSet row, int first) throws SQLException {
            long batch = row.getLong(first);
            int cost = row.getInt(first + 1);
            Instant expiresAt = JobRows.micros(row, first + 2);
            return batch == 0 && cost == 0 && expiresAt == null
                    ? NONE
                    : new Rare(JobRows.batch(batch), JobRows.cost(cost), expiresAt);
        }
    }
}
