package dev.pawl;

import dev.pawl.internal.store.BatchHeader;
import dev.pawl.internal.words.Expiry;
import dev.pawl.internal.words.ReservedHeaders;
import dev.pawl.internal.words.RunLimits;
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
 * A job as it was when it was read: a snapshot, not a live view. All times are by the database's clock. Immutable.
 *
 * <p>Two are equal if all of their values are.
 */
public final class Job {
    /** When a job becomes available that waits for others with its key. */
    public static final Instant PARKED = Instant.parse("9000-01-01T00:00:00Z");

    /** When a job becomes available that waits for other jobs of its workflow. */
    public static final Instant BLOCKED = Instant.parse("8999-01-01T00:00:00Z");

    /** Jobs that their batch holds back are due within {@link #HELD_AROUND} of this moment, see {@link #isHeldBack}. */
    public static final Instant HELD_BACK = Instant.parse("8500-01-01T00:00:00Z");

    /** How far from {@link #HELD_BACK}: nearly four centuries, because workers hold jobs back by a length. */
    public static final Duration HELD_AROUND = Duration.ofDays(140_000);

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
        this.payload = from.payload;
        this.reason = from.reason;
    }

    /**
     * For stores, and for tests of handlers.
     *
     * @param id its id
     * @param kind its kind
     * @param queue its queue
     * @return a builder; unset fields are empty, zero or null, moments 1970, the state available, {@code maxAttempts} 1
     */
    public static Builder builder(long id, String kind, String queue) {
        return new Builder(id, kind, queue);
    }

    /** {@return its id, unique for ever} */
    public long id() {
        return id;
    }

    /** {@return the number of the batch that it belongs to; empty if it belongs to none} */
    public OptionalLong batch() {
        String batch = headers.isEmpty() ? null : headers.get(BatchHeader.NAME);
        try {
            return batch == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(batch));
        } catch (NumberFormatException notOurs) {
            return OptionalLong.empty();
        }
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

    /** {@return how often it has been started} */
    public int attempt() {
        return attempt;
    }

    /** {@return how often it may be started} */
    public int maxAttempts() {
        return maxAttempts;
    }

    /** {@return when it was enqueued} */
    public Instant createdAt() {
        return createdAt;
    }

    /** {@return the moment from which it may be claimed} */
    public Instant availableAt() {
        return availableAt;
    }

    /**
     * {@return when its run was claimed, the current one or, of a finished job, the last; null while it waits, also for a
     * retry, and if it never ran}
     */
    public @Nullable Instant startedAt() {
        return startedAt;
    }

    /** {@return when it finished; null while it is live} */
    public @Nullable Instant finishedAt() {
        return finishedAt;
    }

    /**
     * {@return the worker that runs it or, if it has finished, ran it last; null while it waits, also for a retry, and if it
     * never ran}
     */
    public @Nullable Long leasedBy() {
        return leasedBy;
    }

    /** {@return when the current lease ends; null unless it is running} */
    public @Nullable Instant leaseExpiresAt() {
        return leaseExpiresAt;
    }

    /** {@return the fencing token of the current or last run; it grows with every claim} */
    public long leaseToken() {
        return leaseToken;
    }

    /** {@return true if it is running and was asked to stop} */
    public boolean cancelRequested() {
        return cancelRequested;
    }

    /** {@return 0 to 100 as its handler reported; null if it did not} */
    public @Nullable Integer progress() {
        return progress;
    }

    /** {@return its unique key; null if none} */
    public @Nullable String uniqueKey() {
        return uniqueKey == null ? headers.get(ReservedHeaders.UNIQUE) : uniqueKey;
    }

    /** {@return its tags} */
    public List<String> tags() {
        return tags;
    }

    /** {@return its headers by their names} */
    public Map<String, String> headers() {
        return headers;
    }

    /** {@return the key of the jobs that it runs one after the other with; empty if it has none} */
    public Optional<String> key() {
        return Optional.ofNullable(headers.get(ReservedHeaders.KEY));
    }

    /** {@return whether it waits because its batch holds it back: by its first jobs, or because it is paused} */
    public boolean isHeldBack() {
        return state == JobState.AVAILABLE
                && batch().isPresent()
                && Duration.between(availableAt, HELD_BACK).abs().compareTo(HELD_AROUND) < 0;
    }

    /** {@return whether it waits for other jobs with its key} */
    public boolean isParked() {
        return state == JobState.AVAILABLE && headers.containsKey(ReservedHeaders.KEY) && PARKED.equals(availableAt);
    }

    /** {@return whether it waits for other jobs of its {@linkplain Workflow workflow}} */
    public boolean isBlocked() {
        return state == JobState.AVAILABLE && BLOCKED.equals(availableAt);
    }

    /** {@return how many starts of a rate it takes, see {@link EnqueueOptions#cost(int)}} */
    public int cost() {
        try {
            return Math.max(1, EnqueueOptions.cost(headers));
        } catch (InvalidJobException notOurs) {
            return 1;
        }
    }

    /** {@return how long a run of it may take, as set when it was enqueued; empty if its worker decides} */
    public Optional<Duration> timeout() {
        return RunLimits.timeout(headers);
    }

    /** {@return how long to wait after a failure, as set when it was enqueued; empty if its worker decides} */
    public Optional<RetryPolicy> retryPolicy() {
        return RunLimits.retryPolicy(headers);
    }

    /** {@return until when it may begin, by the database's clock; empty for ever} */
    public Optional<Instant> expiresAt() {
        return Optional.ofNullable(Expiry.of(headers, createdAt));
    }

    /** {@return its payload as the codec wrote it} */
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
                payload,
                reason);
    }

    /** Without payload, key and headers, which may hold what does not belong in a log. */
    @Override
    public String toString() {
        return "job " + id + " (" + kind + " in " + queue + ", " + state + ", attempt " + attempt + " of " + maxAttempts
                + ")";
    }

    /** Fills in a {@link Job}. Confined to one thread. */
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
        private String payload = "";
        private @Nullable String reason;

        private Builder(long id, String kind, String queue) {
            this.id = id;
            this.kind = Objects.requireNonNull(kind);
            this.queue = Objects.requireNonNull(queue);
        }

        /**
         * @param newState its state
         * @return this
         */
        public Builder state(JobState newState) {
            this.state = newState;
            return this;
        }

        /**
         * @param newPriority its priority; smallest first
         * @return this
         */
        public Builder priority(int newPriority) {
            this.priority = newPriority;
            return this;
        }

        /**
         * @param newAttempt how often it has been started
         * @return this
         */
        public Builder attempt(int newAttempt) {
            this.attempt = newAttempt;
            return this;
        }

        /**
         * @param newMaxAttempts how often it may be started
         * @return this
         */
        public Builder maxAttempts(int newMaxAttempts) {
            this.maxAttempts = newMaxAttempts;
            return this;
        }

        /**
         * @param newCreatedAt when it was enqueued
         * @return this
         */
        public Builder createdAt(Instant newCreatedAt) {
            this.createdAt = newCreatedAt;
            return this;
        }

        /**
         * @param newAvailableAt when it may be claimed
         * @return this
         */
        public Builder availableAt(Instant newAvailableAt) {
            this.availableAt = newAvailableAt;
            return this;
        }

        /**
         * @param newStartedAt when its run was claimed, the current one or, of a finished job, the last; null while it waits
         * @return this
         */
        public Builder startedAt(@Nullable Instant newStartedAt) {
            this.startedAt = newStartedAt;
            return this;
        }

        /**
         * @param newFinishedAt when it finished; null while it is live
         * @return this
         */
        public Builder finishedAt(@Nullable Instant newFinishedAt) {
            this.finishedAt = newFinishedAt;
            return this;
        }

        /**
         * @param newLeasedBy the worker that runs it or, if it has finished, ran it last; null while it waits
         * @return this
         */
        public Builder leasedBy(@Nullable Long newLeasedBy) {
            this.leasedBy = newLeasedBy;
            return this;
        }

        /**
         * @param newLeaseExpiresAt when the current lease ends; null unless it is running
         * @return this
         */
        public Builder leaseExpiresAt(@Nullable Instant newLeaseExpiresAt) {
            this.leaseExpiresAt = newLeaseExpiresAt;
            return this;
        }

        /**
         * @param newLeaseToken the fencing token of the current or last run; it grows with every claim
         * @return this
         */
        public Builder leaseToken(long newLeaseToken) {
            this.leaseToken = newLeaseToken;
            return this;
        }

        /**
         * @param newCancelRequested true if it is running and was asked to stop
         * @return this
         */
        public Builder cancelRequested(boolean newCancelRequested) {
            this.cancelRequested = newCancelRequested;
            return this;
        }

        /**
         * @param newProgress 0 to 100 as its handler reported; null if it did not
         * @return this
         */
        public Builder progress(@Nullable Integer newProgress) {
            this.progress = newProgress;
            return this;
        }

        /**
         * @param newUniqueKey its unique key; null if none
         * @return this
         */
        public Builder uniqueKey(@Nullable String newUniqueKey) {
            this.uniqueKey = newUniqueKey;
            return this;
        }

        /**
         * @param newTags its tags
         * @return this
         */
        public Builder tags(List<String> newTags) {
            this.tags = List.copyOf(newTags);
            return this;
        }

        /**
         * @param newHeaders its headers by their names
         * @return this
         */
        public Builder headers(Map<String, String> newHeaders) {
            this.headers = Map.copyOf(newHeaders);
            return this;
        }

        /**
         * @param newPayload its payload as the codec wrote it
         * @return this
         */
        public Builder payload(String newPayload) {
            this.payload = newPayload;
            return this;
        }

        /**
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
