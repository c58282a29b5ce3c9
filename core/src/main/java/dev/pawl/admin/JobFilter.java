package dev.pawl.admin;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on jobs, and a page of the list. Immutable; start from {@link #ALL}. Null means any. {@link JobAdmin}
 * refuses a filter with text that no database can store, such as half of a surrogate pair, with an
 * {@link InvalidJobException}.
 *
 * @param states only jobs in these states
 * @param queues only jobs of these queues
 * @param kinds only jobs of these kinds
 * @param uniqueKey only jobs with this unique key
 * @param key only jobs with this concurrency key ({@link dev.pawl.api.EnqueueOptions#key})
 * @param tag only jobs with this tag
 * @param text only jobs whose payload contains this text; case-sensitive
 * @param createdFrom only jobs enqueued at this time or later; between the years 1970 and 9000
 * @param createdBefore only jobs enqueued earlier; between the years 1970 and 9000
 * @param id only this job
 * @param beforeId only jobs with a smaller id; for the next page, the last id of this one
 * @param limit the maximum number of jobs, 1 to 10,000. Default 50
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
     * @throws InvalidJobException if the limit or a time is outside its range, or the tag or the text is empty
     */
    public JobFilter {
        requireInRange(createdFrom);
        requireInRange(createdBefore);
        if ((tag != null && tag.isEmpty()) || (text != null && text.isEmpty())) {
            throw new InvalidJobException("a tag or a text must not be empty");
        }
        if (limit < 1 || limit > 10_000) {
            throw new InvalidJobException("limit " + limit + " is not valid: use 1 to 10000");
        }
    }

    /** Refuses times that databases cannot store. */
    private static void requireInRange(@Nullable Instant moment) {
        if (moment != null && (moment.isBefore(Instant.EPOCH) || moment.isAfter(LAST))) {
            throw new InvalidJobException("the moment " + moment + " is not valid: use one from 1970 to 9000");
        }
    }

    /**
     * Selects a state.
     *
     * @param wanted only jobs in this state
     * @return a copy
     */
    public JobFilter state(JobState wanted) {
        return states(Choice.of(List.of(wanted)));
    }

    /**
     * Selects states.
     *
     * @param wanted only jobs in these states
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
     * Selects a queue.
     *
     * @param wanted only jobs of this queue
     * @return a copy
     */
    public JobFilter queue(String wanted) {
        return queues(Choice.of(List.of(wanted)));
    }

    /**
     * Selects queues.
     *
     * @param wanted only jobs of these queues
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
     * Selects a kind.
     *
     * @param wanted only jobs of this kind
     * @return a copy
     */
    public JobFilter kind(String wanted) {
        return kinds(Choice.of(List.of(wanted)));
    }

    /**
     * Selects kinds.
     *
     * @param wanted only jobs of these kinds
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
     * Selects a unique key.
     *
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
     * Selects a concurrency key.
     *
     * @param wanted only jobs with this concurrency key
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
     * Selects a tag.
     *
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
     * Selects a text in the payload.
     *
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
     * Selects jobs by the earliest time of their enqueue.
     *
     * @param wanted only jobs enqueued at this time or later, by the database's clock
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
     * Selects jobs by the latest time of their enqueue.
     *
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
     * Selects the page after a job.
     *
     * @param last only jobs with a smaller id
     * @return a copy
     */
    public JobFilter before(long last) {
        return new JobFilter(
                states, queues, kinds, uniqueKey, key, tag, text, createdFrom, createdBefore, id, last, limit);
    }

    /**
     * Selects one job.
     *
     * @param wanted only this job
     * @return a copy
     */
    public JobFilter id(long wanted) {
        return new JobFilter(
                states, queues, kinds, uniqueKey, key, tag, text, createdFrom, createdBefore, wanted, beforeId, limit);
    }

    /**
     * Sets the size of the page.
     *
     * @param most the maximum number of jobs, 1 to 10,000
     * @return a copy
     */
    public JobFilter limit(int most) {
        return new JobFilter(
                states, queues, kinds, uniqueKey, key, tag, text, createdFrom, createdBefore, id, beforeId, most);
    }
}
