package dev.pawl.api;

import dev.pawl.internal.words.ReservedHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was when it was read: a snapshot, not a live view. All times are by the database's clock. Immutable. Two
 * jobs are equal if all of their values are.
 */
public final class Job {
    private final long id;
    private final String kind;
    private final String queue;
    private final JobState state;
    private final int priority;
    private final int attempt;
    private final int maxAttempts;
    private final Instant createdAt;
    private final Instant availableAt;
    private final @Nullable Instant startedAt;
    private final @Nullable Instant finishedAt;
    private final @Nullable Long leasedBy;
    private final @Nullable Instant leaseExpiresAt;
    private final long leaseToken;
    private final boolean cancelRequested;
    private final @Nullable Integer progress;
    private final @Nullable String uniqueKey;
    private final List<String> tags;
    private final Map<String, String> headers;
    private final @Nullable String key;
    private final @Nullable Long batch;
    private final int cost;
    private final @Nullable Instant expiresAt;
    private final String payload;
    private final @Nullable String reason;

    private Job(Builder from) {
        this.id = from.id;
        this.kind = from.kind;
        this.queue = from.queue;
        this.state = from.state;
        this.priority = from.priority;
        this.attempt = from.attempt;
        this.maxAttempts = from.maxAttempts;
        this.createdAt = from.createdAt;
        this.availableAt = from.availableAt;
        this.startedAt = from.startedAt;
        this.finishedAt = from.finishedAt;
        this.leasedBy = from.leasedBy;
        this.leaseExpiresAt = from.leaseExpiresAt;
        this.leaseToken = from.leaseToken;
        this.cancelRequested = from.cancelRequested;
        this.progress = from.progress;
        this.uniqueKey = from.uniqueKey;
        this.tags = from.tags;
        this.headers = from.headers;
        this.key = from.key;
        this.batch = from.batch;
        this.cost = from.cost;
        this.expiresAt = from.expiresAt;
        this.payload = from.payload;
        this.reason = from.reason;
    }

    /**
     * Returns a builder, for stores and for tests of handlers.
     *
     * @param id its id
     * @param kind its kind
     * @param queue its queue
     * @return the builder. By default {@code createdAt} and {@code availableAt} are in 1970, the state is available, and {@code
     *     maxAttempts} and {@code cost} are 1. Other unset fields are empty, zero or null
     */
    public static Builder builder(long id, String kind, String queue) {
        return new Builder(id, kind, queue);
    }

    /** {@return its id, which is never reused} */
    public long id() {
        return id;
    }

    /** {@return the id of its batch; empty if it belongs to none} */
    public OptionalLong batch() {
        return batch == null ? OptionalLong.empty() : OptionalLong.of(batch);
    }

    /**
     * Returns the batch or workflow whose callback this job is. {@link #batch} does not return that batch. It returns the outer batch that
     * contains it, if there is one.
     *
     * @return its id, for {@link dev.pawl.JobQueue#batch(long)} or {@link dev.pawl.JobQueue#workflow(long)}; empty if the job is
     *     no callback
     */
    public OptionalLong callbackOf() {
        String id = headers.get(ReservedHeaders.CALLBACK_OF);
        return id == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(id));
    }

    /** {@return its kind} */
    public String kind() {
        return kind;
    }

    /** {@return its queue} */
    public String queue() {
        return queue;
    }

    /** {@return its state} */
    public JobState state() {
        return state;
    }

    /** {@return its priority; smallest first} */
    public int priority() {
        return priority;
    }

    /** {@return the number of its attempts so far} */
    public int attempt() {
        return attempt;
    }

    /** {@return the number of attempts after which it is discarded} */
    public int maxAttempts() {
        return maxAttempts;
    }

    /** {@return when it was enqueued} */
    public Instant createdAt() {
        return createdAt;
    }

    /**
     * {@return the time from which it may be claimed; a job that waits for other jobs, see {@link JobState#waitsForOthers}, may have to
     * wait longer}
     */
    public Instant availableAt() {
        return availableAt;
    }

    /**
     * {@return when its current run was claimed or, if the job has finished, its last run; null while the job waits (for a retry, too) and
     * if it has never run}
     */
    public @Nullable Instant startedAt() {
        return startedAt;
    }

    /** {@return when it finished; null while it is live} */
    public @Nullable Instant finishedAt() {
        return finishedAt;
    }

    /**
     * {@return the worker that runs the job or, if it has finished, the worker that ran it last; null while the job waits (for a retry,
     * too) and if it has never run}
     */
    public @Nullable Long leasedBy() {
        return leasedBy;
    }

    /** {@return when the current lease expires; null unless it is running} */
    public @Nullable Instant leaseExpiresAt() {
        return leaseExpiresAt;
    }

    /** {@return the fencing token of the current or last run; it grows with every claim} */
    public long leaseToken() {
        return leaseToken;
    }

    /** {@return true if it is running and its cancellation was requested} */
    public boolean cancelRequested() {
        return cancelRequested;
    }

    /** {@return its progress in percent, 0 to 100; null if the handler has reported none} */
    public @Nullable Integer progress() {
        return progress;
    }

    /** {@return its unique key; null if it has none} */
    public @Nullable String uniqueKey() {
        return uniqueKey;
    }

    /** {@return its tags} */
    public List<String> tags() {
        return tags;
    }

    /** {@return its headers by name} */
    public Map<String, String> headers() {
        return headers;
    }

    /** {@return its concurrency key; empty if it has none} */
    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    /** {@return how many starts the job uses up where a rate limits starts, see {@link EnqueueOptions#cost(int)}} */
    public int cost() {
        return cost;
    }

    /** {@return the timeout of its runs, as set when it was enqueued; empty if its worker decides} */
    public Optional<Duration> timeout() {
        return RunLimits.timeout(headers);
    }

    /** {@return its retry policy, as set when it was enqueued; empty if its worker decides} */
    public Optional<RetryPolicy> retryPolicy() {
        return RunLimits.retryPolicy(headers);
    }

    /** {@return the time by which it must have started; empty if there is none} */
    public Optional<Instant> expiresAt() {
        return Optional.ofNullable(expiresAt);
    }

    /** {@return its payload as text, as the codec wrote it} */
    public String payload() {
        return payload;
    }

    /** {@return why it was cancelled or discarded; null otherwise} */
    public @Nullable String reason() {
        return reason;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Job job && id == job.id && values().equals(job.values());
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }

    private List<@Nullable Object> values() {
        return Arrays.asList(
                kind,
                queue,
                state,
                priority,
                attempt,
                maxAttempts,
                createdAt,
                availableAt,
                startedAt,
                finishedAt,
                leasedBy,
                leaseExpiresAt,
                leaseToken,
                cancelRequested,
                progress,
                uniqueKey,
                tags,
                headers,
                key,
                batch,
                cost,
                expiresAt,
                payload,
                reason);
    }

    /** Omits payload, key and headers, which may be unfit for a log. */
    @Override
    public String toString() {
        return "job " + id + " (" + kind + " in " + queue + ", " + state + ", attempt " + attempt + " of " + maxAttempts
                + ")";
    }

    /** Builds a {@link Job}. Confined to one thread. */
    public static final class Builder {
        private final long id;
        private final String kind;
        private final String queue;
        private JobState state = JobState.AVAILABLE;
        private int priority;
        private int attempt;
        private int maxAttempts = 1;
        private Instant createdAt = Instant.EPOCH;
        private Instant availableAt = Instant.EPOCH;
        private @Nullable Instant startedAt;
        private @Nullable Instant finishedAt;
        private @Nullable Long leasedBy;
        private @Nullable Instant leaseExpiresAt;
        private long leaseToken;
        private boolean cancelRequested;
        private @Nullable Integer progress;
        private @Nullable String uniqueKey;
        private List<String> tags = List.of();
        private Map<String, String> headers = Map.of();
        private @Nullable String key;
        private @Nullable Long batch;
        private int cost = 1;
        private @Nullable Instant expiresAt;
        private String payload = "";
        private @Nullable String reason;

        private Builder(long id, String kind, String queue) {
            this.id = id;
            this.kind = Objects.requireNonNull(kind);
            this.queue = Objects.requireNonNull(queue);
        }

        /**
         * Sets the state.
         *
         * @param newState its state
         * @return this
         */
        public Builder state(JobState newState) {
            this.state = newState;
            return this;
        }

        /**
         * Sets the priority.
         *
         * @param newPriority its priority; smallest first
         * @return this
         */
        public Builder priority(int newPriority) {
            this.priority = newPriority;
            return this;
        }

        /**
         * Sets the number of attempts so far.
         *
         * @param newAttempt its attempts so far
         * @return this
         */
        public Builder attempt(int newAttempt) {
            this.attempt = newAttempt;
            return this;
        }

        /**
         * Sets the maximum number of attempts.
         *
         * @param newMaxAttempts attempts after which it is discarded
         * @return this
         */
        public Builder maxAttempts(int newMaxAttempts) {
            this.maxAttempts = newMaxAttempts;
            return this;
        }

        /**
         * Sets the time of the enqueue.
         *
         * @param newCreatedAt when it was enqueued
         * @return this
         */
        public Builder createdAt(Instant newCreatedAt) {
            this.createdAt = newCreatedAt;
            return this;
        }

        /**
         * Sets the time from which it may be claimed.
         *
         * @param newAvailableAt when it may be claimed
         * @return this
         */
        public Builder availableAt(Instant newAvailableAt) {
            this.availableAt = newAvailableAt;
            return this;
        }

        /**
         * Sets the start of its current or last run.
         *
         * @param newStartedAt when that run was claimed; null while it waits
         * @return this
         */
        public Builder startedAt(@Nullable Instant newStartedAt) {
            this.startedAt = newStartedAt;
            return this;
        }

        /**
         * Sets the time at which it finished.
         *
         * @param newFinishedAt when it finished; null while it is live
         * @return this
         */
        public Builder finishedAt(@Nullable Instant newFinishedAt) {
            this.finishedAt = newFinishedAt;
            return this;
        }

        /**
         * Sets the worker.
         *
         * @param newLeasedBy the worker that runs it or, if it has finished, ran it last; null while it waits
         * @return this
         */
        public Builder leasedBy(@Nullable Long newLeasedBy) {
            this.leasedBy = newLeasedBy;
            return this;
        }

        /**
         * Sets the expiry of the lease.
         *
         * @param newLeaseExpiresAt when the current lease expires; null unless it is running
         * @return this
         */
        public Builder leaseExpiresAt(@Nullable Instant newLeaseExpiresAt) {
            this.leaseExpiresAt = newLeaseExpiresAt;
            return this;
        }

        /**
         * Sets the fencing token.
         *
         * @param newLeaseToken the fencing token of the current or last run; it grows with every claim
         * @return this
         */
        public Builder leaseToken(long newLeaseToken) {
            this.leaseToken = newLeaseToken;
            return this;
        }

        /**
         * Sets whether cancellation was requested.
         *
         * @param newCancelRequested true if it is running and its cancellation was requested
         * @return this
         */
        public Builder cancelRequested(boolean newCancelRequested) {
            this.cancelRequested = newCancelRequested;
            return this;
        }

        /**
         * Sets the progress.
         *
         * @param newProgress 0 to 100; null if the handler has reported none
         * @return this
         */
        public Builder progress(@Nullable Integer newProgress) {
            this.progress = newProgress;
            return this;
        }

        /**
         * Sets the unique key.
         *
         * @param newUniqueKey its unique key; null if it has none
         * @return this
         */
        public Builder uniqueKey(@Nullable String newUniqueKey) {
            this.uniqueKey = newUniqueKey;
            return this;
        }

        /**
         * Sets the tags.
         *
         * @param newTags its tags
         * @return this
         */
        public Builder tags(List<String> newTags) {
            this.tags = List.copyOf(newTags);
            return this;
        }

        /**
         * Sets the headers.
         *
         * @param newHeaders its headers by name
         * @return this
         */
        public Builder headers(Map<String, String> newHeaders) {
            this.headers = Map.copyOf(newHeaders);
            return this;
        }

        /**
         * Sets the concurrency key.
         *
         * @param newKey its concurrency key; null if it has none
         * @return this
         */
        public Builder key(@Nullable String newKey) {
            this.key = newKey;
            return this;
        }

        /**
         * Sets the batch.
         *
         * @param newBatch the id of its batch; null if it belongs to none
         * @return this
         */
        public Builder batch(@Nullable Long newBatch) {
            this.batch = newBatch;
            return this;
        }

        /**
         * Sets the cost.
         *
         * @param newCost how many starts the job uses up where a rate limits starts
         * @return this
         */
        public Builder cost(int newCost) {
            this.cost = newCost;
            return this;
        }

        /**
         * Sets the expiry.
         *
         * @param newExpiresAt the time by which it must have started; null if there is none
         * @return this
         */
        public Builder expiresAt(@Nullable Instant newExpiresAt) {
            this.expiresAt = newExpiresAt;
            return this;
        }

        /**
         * Sets the payload.
         *
         * @param newPayload its payload as text, as the codec wrote it
         * @return this
         */
        public Builder payload(String newPayload) {
            this.payload = newPayload;
            return this;
        }

        /**
         * Sets the reason.
         *
         * @param newReason why it was cancelled or discarded; null otherwise
         * @return this
         */
        public Builder reason(@Nullable String newReason) {
            this.reason = newReason;
            return this;
        }

        /** {@return the job} */
        public Job build() {
            return new Job(this);
        }
    }
}
