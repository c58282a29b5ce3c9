package dev.pawl.admin;

import dev.pawl.InvalidJobException;
import dev.pawl.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list. Immutable; start from {@link #ALL}. Null means any. What no database keeps, such as half of a surrogate pair,
 * cannot be looked for: {@link JobAdmin} refuses such a filter with an {@link InvalidJobException}.
 *
 * @param states only jobs in such states
 * @param queues only jobs of such queues
 * @param kinds only jobs of such kinds
 * @param uniqueKey only jobs with this unique key
 * @param key only jobs with this key ({@link dev.pawl.EnqueueOptions#key})
 * @param tag only jobs with this tag
 * @param text only jobs whose payload contains this text; case-sensitive
 * @param createdFrom only jobs enqueued then or later; from 1970 to 9000
 * @param createdBefore only jobs enqueued earlier; from 1970 to 9000
 * @param id only this job
 * @param beforeId only jobs with a smaller id: for the next page, the last id of this one
 * @param limit how many at most, 1 to 10,000. Default 50
 */
public record JobFilter(
        Choice<JobState> states,
        Choice<String> queues,
        Choice<String> kinds,
        @Nullable String uniqueKey,
        @Nullable String key,
        @Nullable String tag,
        @Nullable String text,
        @Nullable Instant createdFrom,
        @Nullable Instant createdBefore,
        @Nullable Long id,
        @Nullable Long beforeId,
        int limit) {
    private static final Instant LAST = Instant.parse("9000-01-01T00:00:00Z");

    /** The newest 50 jobs of any kind. */
    public static final JobFilter ALL =
            new JobFilter(Choice.all(), Choice.all(), Choice.all(), null, null, null, null, null, null, null, null, 50);

    /**
     * @throws InvalidJobException if the limit or a moment is outside its range, or the tag or the text is empty
     */
    public JobFilter {
        requireInRange(createdFrom);
        requireInRange(createdBefore);
        if ((tag != null && tag.isEmpty()) || (text != null && text.isEmpty())) {
            throw new InvalidJobException("a tag or a text to look for must not be empty");
        }
        if (limit < 1 || limit > 10_000) {
            throw new InvalidJobException("limit " + limit + " is not valid: use 1 to 10000");
        }
    }

    /** Databases cannot hold every moment of Java. */
    private static void requireInRange(@Nullable Instant moment) {
        if (moment != null && (moment.isBefore(Instant.EPOCH) || moment.isAfter(LAST))) {
            throw new InvalidJobException("the moment " + moment + " is not valid: use one from 1970 to 9000");
        }
    }

    /**
     * @param wanted only jobs in this state
     * @return a copy
     */
    public JobFilter state(JobState wanted) {
        return states(Choice.of(List.of(wanted)));
    }

    /**
     * @param wanted only jobs in such states
     * @return a copy
     */
    public JobFilter states(Choice<JobState> wanted) {
        return new JobFilter(
                Objects.requireNonNull(wanted),
                queues,
                kinds,
                uniqueKey,
                key,
                tag,
                text,
                createdFrom,
                createdBefore,
                id,
                beforeId,
                limit);
    }

    /**
     * @param wanted only jobs of this queue
     * @return a copy
     */
    public JobFilter queue(String wanted) {
        return queues(Choice.of(List.of(wanted)));
    }

    /**
     * @param wanted only jobs of such queues
     * @return a copy
     */
    public JobFilter queues(Choice<String> wanted) {
        return new JobFilter(
                states,
                Objects.requireNonNull(wanted),
                kinds,
                uniqueKey,
                key,
                tag,
                text,
                createdFrom,
                createdBefore,
                id,
                beforeId,
                limit);
    }

    /**
     * @param wanted only jobs of this kind
     * @return a copy
     */
    public JobFilter kind(String wanted) {
        return kinds(Choice.of(List.of(wanted)));
    }

    /**
     * @param wanted only jobs of such kinds
     * @return a copy
     */
    public JobFilter kinds(Choice<String> wanted) {
        return new JobFilter(
                states,
                queues,
                Objects.requireNonNull(wanted),
                uniqueKey,
                key,
                tag,
                text,
                createdFrom,
                createdBefore,
                id,
                beforeId,
                limit);
    }

    /**
     * @param wanted only jobs with this unique key
     * @return a copy
     */
    public JobFilter uniqueKey(String wanted) {
        return new JobFilter(
                states,
                queues,
                kinds,
                Objects.requireNonNull(wanted),
                key,
                tag,
                text,
                createdFrom,
                createdBefore,
                id,
                beforeId,
                limit);
    }

    /**
     * @param wanted only jobs with this key
     * @return a copy
     */
    public JobFilter key(String wanted) {
        return new JobFilter(
                states,
                queues,
                kinds,
                uniqueKey,
                Objects.requireNonNull(wanted),
                tag,
                text,
                createdFrom,
                createdBefore,
                id,
                beforeId,
                limit);
    }

    /**
     * @param wanted only jobs with this tag
     * @return a copy
     */
    public JobFilter tag(String wanted) {
        return new JobFilter(
                states,
                queues,
                kinds,
                uniqueKey,
                key,
                Objects.requireNonNull(wanted),
                text,
                createdFrom,
                createdBefore,
                id,
                beforeId,
                limit);
    }

    /**
     * @param wanted only jobs whose payload, as the codec wrote it, contains this text
     * @return a copy
     */
    public JobFilter text(String wanted) {
        return new JobFilter(
                states,
                queues,
                kinds,
                uniqueKey,
                key,
                tag,
                Objects.requireNonNull(wanted),
                createdFrom,
                createdBefore,
                id,
                beforeId,
                limit);
    }

    /**
     * @param wanted only jobs enqueued then or later, by the database's clock
     * @return a copy
     */
    public JobFilter createdFrom(Instant wanted) {
        return new JobFilter(
                states,
                queues,
                kinds,
                uniqueKey,
                key,
                tag,
                text,
                Objects.requireNonNull(wanted),
                createdBefore,
                id,
                beforeId,
                limit);
    }

    /**
     * @param wanted only jobs enqueued earlier, by the database's clock
     * @return a copy
     */
    public JobFilter createdBefore(Instant wanted) {
        return new JobFilter(
                states,
                queues,
                kinds,
                uniqueKey,
                key,
                tag,
                text,
                createdFrom,
                Objects.requireNonNull(wanted),
                id,
                beforeId,
                limit);
    }

    /**
     * @param last only jobs with a smaller id
     * @return a copy
     */
    public JobFilter before(long last) {
        return new JobFilter(
                states, queues, kinds, uniqueKey, key, tag, text, createdFrom, createdBefore, id, last, limit);
    }

    /**
     * @param wanted only this job
     * @return a copy
     */
    public JobFilter id(long wanted) {
        return new JobFilter(
                states, queues, kinds, uniqueKey, key, tag, text, createdFrom, createdBefore, wanted, beforeId, limit);
    }

    /**
     * @param most how many at most
     * @return a copy
     */
    public JobFilter limit(int most) {
        return new JobFilter(
                states, queues, kinds, uniqueKey, key, tag, text, createdFrom, createdBefore, id, beforeId, most);
    }
}
