package dev.pawl.admin;

import dev.pawl.api.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on jobs, and a page of the list. Immutable; start from {@link #ALL}. A method with a parameter returns a copy with another
 * value. A method without a parameter returns the value. {@link JobAdmin} refuses a filter with text that some database cannot store, such
 * as half of a surrogate pair, with an {@link IllegalArgumentException}.
 */
public final class JobFilter {
    private static final Instant LAST = Instant.parse("9000-01-01T00:00:00Z");

    /** The newest 50 jobs of any kind. */
    public static final JobFilter ALL = new JobFilter(new Draft());

    private final Choice<JobState> states;
    private final Choice<String> queues;
    private final Choice<String> kinds;
    private final @Nullable String uniqueKey;
    private final @Nullable String key;
    private final @Nullable String tag;
    private final @Nullable String text;
    private final @Nullable Instant createdFrom;
    private final @Nullable Instant createdBefore;
    private final @Nullable Long id;
    private final @Nullable Long beforeId;
    private final int limit;

    private JobFilter(Draft draft) {
        states = Objects.requireNonNull(draft.states, "states");
        queues = Objects.requireNonNull(draft.queues, "queues");
        kinds = Objects.requireNonNull(draft.kinds, "kinds");
        uniqueKey = draft.uniqueKey;
        key = draft.key;
        tag = draft.tag;
        text = draft.text;
        createdFrom = draft.createdFrom;
        createdBefore = draft.createdBefore;
        id = draft.id;
        beforeId = draft.beforeId;
        limit = draft.limit;
        requireInRange(createdFrom);
        requireInRange(createdBefore);
        if ((tag != null && tag.isEmpty()) || (text != null && text.isEmpty())) {
            throw new IllegalArgumentException("a tag or a text must not be empty");
        }
        if (limit < 1 || limit > 10_000) {
            throw new IllegalArgumentException("limit " + limit + " is not valid: use 1 to 10000");
        }
    }

    /** Refuses times that databases cannot store. */
    private static void requireInRange(@Nullable Instant moment) {
        if (moment != null && (moment.isBefore(Instant.EPOCH) || moment.isAfter(LAST))) {
            throw new IllegalArgumentException("the moment " + moment + " is not valid: use one from 1970 to 9000");
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
     * @param wanted only jobs in these states. Default any
     * @return a copy
     */
    public JobFilter states(Choice<JobState> wanted) {
        return with(draft -> draft.states = wanted);
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
     * @param wanted only jobs of these queues. Default any
     * @return a copy
     */
    public JobFilter queues(Choice<String> wanted) {
        return with(draft -> draft.queues = wanted);
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
     * @param wanted only jobs of these kinds. Default any
     * @return a copy
     */
    public JobFilter kinds(Choice<String> wanted) {
        return with(draft -> draft.kinds = wanted);
    }

    /**
     * Selects a unique key.
     *
     * @param wanted only jobs with this unique key; null for any
     * @return a copy
     */
    public JobFilter uniqueKey(@Nullable String wanted) {
        return with(draft -> draft.uniqueKey = wanted);
    }

    /**
     * Selects a concurrency key ({@link dev.pawl.api.EnqueueOptions#key}).
     *
     * @param wanted only jobs with this concurrency key; null for any
     * @return a copy
     */
    public JobFilter key(@Nullable String wanted) {
        return with(draft -> draft.key = wanted);
    }

    /**
     * Selects a tag.
     *
     * @param wanted only jobs with this tag; null for any
     * @return a copy
     * @throws IllegalArgumentException if it is empty
     */
    public JobFilter tag(@Nullable String wanted) {
        return with(draft -> draft.tag = wanted);
    }

    /**
     * Selects a text in the payload.
     *
     * @param wanted only jobs whose payload, as the codec wrote it, contains this text; case-sensitive; null for
     *     any
     * @return a copy
     * @throws IllegalArgumentException if it is empty
     */
    public JobFilter text(@Nullable String wanted) {
        return with(draft -> draft.text = wanted);
    }

    /**
     * Selects jobs by the earliest time of their enqueue.
     *
     * @param wanted only jobs enqueued at this time or later, by the database's clock; between the years 1970
     *     and 9000; null for any
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public JobFilter createdFrom(@Nullable Instant wanted) {
        return with(draft -> draft.createdFrom = wanted);
    }

    /**
     * Selects jobs by the latest time of their enqueue.
     *
     * @param wanted only jobs enqueued earlier, by the database's clock; between the years 1970 and 9000; null
     *     for any
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public JobFilter createdBefore(@Nullable Instant wanted) {
        return with(draft -> draft.createdBefore = wanted);
    }

    /**
     * Selects the page after a job.
     *
     * @param last only jobs with a smaller id. Default any
     * @return a copy
     */
    public JobFilter before(long last) {
        return with(draft -> draft.beforeId = last);
    }

    /**
     * Selects one job.
     *
     * @param wanted only this job. Default any
     * @return a copy
     */
    public JobFilter id(long wanted) {
        return with(draft -> draft.id = wanted);
    }

    /**
     * Sets the size of the page.
     *
     * @param most the maximum number of jobs, 1 to 10,000. Default 50
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public JobFilter limit(int most) {
        return with(draft -> draft.limit = most);
    }

    /** {@return the states of the jobs} */
    public Choice<JobState> states() {
        return states;
    }

    /** {@return the queues of the jobs} */
    public Choice<String> queues() {
        return queues;
    }

    /** {@return the kinds of the jobs} */
    public Choice<String> kinds() {
        return kinds;
    }

    /** {@return the unique key of the jobs; null for any} */
    public @Nullable String uniqueKey() {
        return uniqueKey;
    }

    /** {@return the concurrency key of the jobs; null for any} */
    public @Nullable String key() {
        return key;
    }

    /** {@return a tag of the jobs; null for any} */
    public @Nullable String tag() {
        return tag;
    }

    /** {@return a text in the payload; null for any} */
    public @Nullable String text() {
        return text;
    }

    /** {@return the earliest time of the enqueue; null for any} */
    public @Nullable Instant createdFrom() {
        return createdFrom;
    }

    /** {@return the time before which the jobs were enqueued; null for any} */
    public @Nullable Instant createdBefore() {
        return createdBefore;
    }

    /** {@return the id of the only job; null for any} */
    public @Nullable Long id() {
        return id;
    }

    /** {@return the id below which all jobs are; null for any} */
    public @Nullable Long beforeId() {
        return beforeId;
    }

    /** {@return the maximum number of jobs} */
    public int limit() {
        return limit;
    }

    /** A mutable copy, so that a method changes one value without naming the others. */
    private static final class Draft {
        Choice<JobState> states;
        Choice<String> queues;
        Choice<String> kinds;

        @Nullable
        String uniqueKey;

        @Nullable
        String key;

        @Nullable
        String tag;

        @Nullable
        String text;

        @Nullable
        Instant createdFrom;

        @Nullable
        Instant createdBefore;

        @Nullable
        Long id;

        @Nullable
        Long beforeId;

        int limit;

        /** All jobs. */
        Draft() {
            states = Choice.all();
            queues = Choice.all();
            kinds = Choice.all();
            limit = 50;
        }

        Draft(JobFilter from) {
            states = from.states;
            queues = from.queues;
            kinds = from.kinds;
            uniqueKey = from.uniqueKey;
            key = from.key;
            tag = from.tag;
            text = from.text;
            createdFrom = from.createdFrom;
            createdBefore = from.createdBefore;
            id = from.id;
            beforeId = from.beforeId;
            limit = from.limit;
        }
    }

    private JobFilter with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new JobFilter(draft);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobFilter filter
                && states.equals(filter.states)
                && queues.equals(filter.queues)
                && kinds.equals(filter.kinds)
                && Objects.equals(uniqueKey, filter.uniqueKey)
                && Objects.equals(key, filter.key)
                && Objects.equals(tag, filter.tag)
                && Objects.equals(text, filter.text)
                && Objects.equals(createdFrom, filter.createdFrom)
                && Objects.equals(createdBefore, filter.createdBefore)
                && Objects.equals(id, filter.id)
                && Objects.equals(beforeId, filter.beforeId)
                && limit == filter.limit;
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                states, queues, kinds, uniqueKey, key, tag, text, createdFrom, createdBefore, id, beforeId, limit);
    }

    @Override
    public String toString() {
        return "JobFilter[states=" + states + ", queues=" + queues + ", kinds=" + kinds + ", uniqueKey=" + uniqueKey
                + ", key=" + key + ", tag=" + tag + ", text=" + text + ", createdFrom=" + createdFrom
                + ", createdBefore=" + createdBefore + ", id=" + id + ", beforeId=" + beforeId + ", limit=" + limit
                + "]";
    }
}
