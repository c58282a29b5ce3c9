package dev.pawl;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list. Immutable; start from {@link #ALL}. Conditions that are null do not count.
 *
 * @param state only jobs in this state
 * @param queue only jobs of this queue
 * @param kind only jobs of this kind
 * @param uniqueKey only jobs with this unique key
 * @param beforeId only jobs with a smaller id: for the next page, the last id of this one
 * @param limit how many at most, 1 to 10,000. Default 50
 */
public record JobFilter(
        @Nullable JobState state,
        @Nullable String queue,
        @Nullable String kind,
        @Nullable String uniqueKey,
        @Nullable Long beforeId,
        int limit) {
    /** The newest 50 jobs of any kind. */
    public static final JobFilter ALL = new JobFilter(null, null, null, null, null, 50);

    /**
     * @throws InvalidJobException if the limit is outside its range
     */
    public JobFilter {
        if (limit < 1 || limit > 10_000) {
            throw new InvalidJobException("limit " + limit + " is not valid: use 1 to 10000");
        }
    }

    /**
     * @param wanted only jobs in this state
     * @return a copy
     */
    public JobFilter state(JobState wanted) {
        return new JobFilter(Objects.requireNonNull(wanted), queue, kind, uniqueKey, beforeId, limit);
    }

    /**
     * @param wanted only jobs of this queue
     * @return a copy
     */
    public JobFilter queue(String wanted) {
        return new JobFilter(state, Objects.requireNonNull(wanted), kind, uniqueKey, beforeId, limit);
    }

    /**
     * @param wanted only jobs of this kind
     * @return a copy
     */
    public JobFilter kind(String wanted) {
        return new JobFilter(state, queue, Objects.requireNonNull(wanted), uniqueKey, beforeId, limit);
    }

    /**
     * @param wanted only jobs with this unique key
     * @return a copy
     */
    public JobFilter uniqueKey(String wanted) {
        return new JobFilter(state, queue, kind, Objects.requireNonNull(wanted), beforeId, limit);
    }

    /**
     * @param id only jobs with a smaller id
     * @return a copy
     */
    public JobFilter before(long id) {
        return new JobFilter(state, queue, kind, uniqueKey, id, limit);
    }

    /**
     * @param most how many at most
     * @return a copy
     */
    public JobFilter limit(int most) {
        return new JobFilter(state, queue, kind, uniqueKey, beforeId, most);
    }
}
