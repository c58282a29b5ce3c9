package dev.pawl.api;

import dev.pawl.internal.words.OwnHeaders;
import dev.pawl.internal.words.ReservedHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a job is enqueued. Immutable; start from {@link #DEFAULTS} and change what should differ: {@code
 * EnqueueOptions.DEFAULTS.queue("mail").delay(Duration.ofMinutes(5))}. A method with a parameter returns a copy with another value. The
 * method of the same name without a parameter returns the value.
 */
public final class EnqueueOptions {
    /** Placeholder for a key that is derived from the payload. */
    static final String BY_PAYLOAD = "pawl:by-payload";

    private static final int MAX_TAGS = 20;

    /** Queue {@code default}, priority 0, available at once, 20 attempts, no unique key, no tags and no headers. */
    public static final EnqueueOptions DEFAULTS = new EnqueueOptions(new Draft());

    private final String queue;
    private final int priority;
    private final Duration delay;
    private final @Nullable Instant availableAt;
    private final int maxAttempts;
    private final @Nullable String uniqueKey;
    private final OnDuplicate onDuplicate;
    private final List<String> tags;
    private final Map<String, String> headers;
    private final @Nullable String key;
    private final int cost;
    private final @Nullable Instant expiresAt;
    private final @Nullable Duration expiresIn;
    private final @Nullable Duration uniqueFor;
    private final UniqueWhile uniqueWhile;

    private EnqueueOptions(Draft draft) {
        queue = Names.check("queue", draft.queue);
        priority = draft.priority;
        OptionChecks.requireRange("priority", priority, Short.MIN_VALUE, Short.MAX_VALUE);
        maxAttempts = draft.maxAttempts;
        OptionChecks.requireRange("maxAttempts", maxAttempts, 1, Short.MAX_VALUE);
        delay = draft.delay;
        OptionChecks.requireDelay(delay);
        availableAt = draft.availableAt;
        OptionChecks.requireAvailableAt(availableAt);
        uniqueKey = draft.uniqueKey;
        if (uniqueKey != null) {
            Names.checkKey("uniqueKey", uniqueKey);
        }
        uniqueFor = draft.uniqueFor;
        if (uniqueFor != null) {
            OptionChecks.requireUniqueFor(uniqueKey, uniqueFor);
        }
        onDuplicate = Objects.requireNonNull(draft.onDuplicate, "onDuplicate");
        uniqueWhile = Objects.requireNonNull(draft.uniqueWhile, "uniqueWhile");
        tags = List.copyOf(draft.tags);
        if (tags.size() > MAX_TAGS) {
            throw new InvalidJobException(tags.size() + " tags are too many: use at most " + MAX_TAGS);
        }
        tags.forEach(tag -> Names.checkKey("tag", tag));
        headers = OptionChecks.headers(draft.headers);
        OptionChecks.requireFitting(headers);
        RunLimits.require(headers);
        cost = draft.cost;
        OptionChecks.requireRange("cost", cost, 1, OptionChecks.MAX_COST);
        expiresAt = draft.expiresAt;
        expiresIn = draft.expiresIn;
        key = draft.key;
        if (onDuplicate == OnDuplicate.REPLACE) {
            OptionChecks.requireReplacing(OwnHeaders.values(headers()), uniqueKey == null ? null : key);
        }
    }

    /** {@return the queue} */
    public String queue() {
        return queue;
    }

    /** {@return the priority; smallest first} */
    public int priority() {
        return priority;
    }

    /** {@return the time from the enqueue until the job is available; zero if {@link #availableAt()} is set} */
    public Duration delay() {
        return delay;
    }

    /** {@return the time at which the job becomes available; null if {@link #delay()} decides} */
    public @Nullable Instant availableAt() {
        return availableAt;
    }

    /** {@return the number of attempts after which a failing job is discarded} */
    public int maxAttempts() {
        return maxAttempts;
    }

    /** {@return the unique key; null if there is none} */
    public @Nullable String uniqueKey() {
        return uniqueKey;
    }

    /** {@return what happens if the unique key is taken} */
    public OnDuplicate onDuplicate() {
        return onDuplicate;
    }

    /** {@return the tags; immutable} */
    public List<String> tags() {
        return tags;
    }

    /** {@return the headers, reserved ones included; immutable} */
    public Map<String, String> headers() {
        return headers instanceof OwnHeaders own ? own.plain() : headers;
    }

    /** {@return the time for which the unique key is taken; null if {@link #uniqueWhile()} alone decides} */
    public @Nullable Duration uniqueFor() {
        return uniqueFor;
    }

    /** {@return the states of the job in which its unique key is taken} */
    public UniqueWhile uniqueWhile() {
        return uniqueWhile;
    }

    /** {@return whether the unique key is derived from the payload} */
    public boolean isUniqueByPayload() {
        return BY_PAYLOAD.equals(uniqueKey);
    }

    /**
     * Checks that options about unique keys come with a key. Called on enqueue rather than in the constructor, because the next call of a
     * chain may add the key.
     *
     * @throws InvalidJobException if there is no key
     */
    public void requireKeyOfUniqueness() {
        if (uniqueKey != null) {
            return;
        }
        if (onDuplicate == OnDuplicate.REPLACE) {
            throw new InvalidJobException("a job replaces another one by its unique key, and this one has none: give"
                    + " uniqueKey(…) or uniqueByPayload(), or no onDuplicate");
        }
        if (uniqueWhile != UniqueWhile.LIVE) {
            throw new InvalidJobException("uniqueWhile " + uniqueWhile
                    + " says how long a unique key is taken, and this job has none: give uniqueKey(…) or"
                    + " uniqueByPayload()");
        }
    }

    /**
     * Sets the queue.
     *
     * @param newQueue letters, digits and {@code . _ : / -}, at most 100 characters. Default {@code default}
     * @return a copy
     * @throws IllegalArgumentException if it is malformed
     */
    public EnqueueOptions queue(String newQueue) {
        return with(draft -> draft.queue = newQueue);
    }

    /**
     * Sets the priority.
     *
     * @param newPriority smallest first, −32,768 to 32,767. Default 0
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public EnqueueOptions priority(int newPriority) {
        return with(draft -> draft.priority = newPriority);
    }

    /**
     * Sets a delay, which replaces {@code availableAt}.
     *
     * @param newDelay time from the enqueueing statement, by the database's clock, until the job becomes available;
     *     zero to ten years. Default zero: at once
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public EnqueueOptions delay(Duration newDelay) {
        return with(draft -> {
            draft.delay = newDelay;
            draft.availableAt = null;
        });
    }

    /**
     * Sets the time at which the job becomes available, which replaces {@code delay}.
     *
     * @param moment between the years 1970 and 8999
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public EnqueueOptions availableAt(Instant moment) {
        return with(draft -> {
            draft.delay = Duration.ZERO;
            draft.availableAt = OptionChecks.requireMoment("availableAt", moment);
        });
    }

    /**
     * Sets the concurrency key. Jobs of a queue with the same key run one after the other across all workers. Of the jobs that are due, the
     * job with the smallest priority runs first, and within a priority the job that was enqueued first. The next job may start when the
     * previous job has finished, its retries included. With {@link dev.pawl.limit.Limit#keysOf}, several jobs of a key run at once, and a
     * job that waits for a retry does not block the others. Jobs of other keys are not affected.
     *
     * @param key such as the number of a customer; 1 to 200 characters
     * @return a copy
     * @throws IllegalArgumentException if the key is malformed
     */
    public EnqueueOptions key(String key) {
        String checked = Names.checkKey("key", Objects.requireNonNull(key, "key"));
        return with(draft -> draft.key = checked);
    }

    /** {@return the concurrency key; null if there is none} */
    public @Nullable String key() {
        return key;
    }

    /**
     * Sets how many starts the job uses up where a {@linkplain dev.pawl.limit.Rate rate} limits starts. For example, with a rate of mails,
     * a job that sends fifty mails counts as fifty starts. A cost above the whole rate counts as the whole rate. Without a rate, the cost
     * has no effect.
     *
     * @param starts 1 to 1,000,000. Default 1
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public EnqueueOptions cost(int starts) {
        return with(draft -> draft.cost = starts);
    }

    /** {@return how many starts the job uses up where a rate limits starts} */
    public int cost() {
        return cost;
    }

    /**
     * Sets an expiry: no run of the job starts after this time. If a worker claims the job later, for its first run or for another one, the
     * job is cancelled instead. A run that started in time continues. Replaces {@code expiresIn}.
     *
     * @param moment by the database's clock, between the years 1970 and 8999
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public EnqueueOptions expiresAt(Instant moment) {
        OptionChecks.requireMoment("expiresAt", moment);
        return with(draft -> {
            draft.expiresAt = moment;
            draft.expiresIn = null;
        });
    }

    /** {@return the time by which the job must have started; null if {@link #expiresIn()} decides, or it has no expiry} */
    public @Nullable Instant expiresAt() {
        return expiresAt;
    }

    /**
     * Sets an expiry that is counted from the enqueue. Replaces {@link #expiresAt(Instant)}, and has the same effect.
     *
     * @param time how long the job may wait for its start, delay included; more than zero, at most ten years
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public EnqueueOptions expiresIn(Duration time) {
        if (time.isNegative() || time.isZero() || time.compareTo(OptionChecks.MAX_DELAY) > 0) {
            throw new IllegalArgumentException(
                    "expiresIn " + time + " is not valid: use more than zero, up to ten years");
        }
        return with(draft -> {
            draft.expiresAt = null;
            draft.expiresIn = time;
        });
    }

    /** {@return how long the job may wait for its start; null if {@link #expiresAt()} decides, or it has no expiry} */
    public @Nullable Duration expiresIn() {
        return expiresIn;
    }

    /**
     * Sets the timeout of a run of this job; overrides {@link HandlerOptions#timeout}. For remote workers the limit of
     * their manager applies instead. Stored in the header {@code pawl-timeout}.
     *
     * @param longest more than zero, at most ten years
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public EnqueueOptions timeout(Duration longest) {
        HandlerOptions unused = HandlerOptions.DEFAULTS.timeout(longest); // checks the range
        return header(ReservedHeaders.TIMEOUT, longest.toString());
    }

    /**
     * Sets a fixed delay before each retry; overrides the {@link RetryPolicy} of the handler and of the worker. Stored
     * in the header {@code pawl-retry}.
     *
     * @param wait zero or more
     * @return a copy
     * @throws IllegalArgumentException if it is negative
     */
    public EnqueueOptions retryFixed(Duration wait) {
        RetryPolicy unused = RetryPolicy.fixed(wait); // checks the range
        return header(ReservedHeaders.RETRY, wait.toString());
    }

    /**
     * Sets a delay before retries that doubles each time, see {@link RetryPolicy#exponential}; otherwise like
     * {@link #retryFixed}.
     *
     * @param first the delay before the first retry; more than zero
     * @param longest the maximum, before jitter; at least {@code first}
     * @return a copy
     * @throws IllegalArgumentException if {@code first} is zero, negative or longer than {@code longest}
     */
    public EnqueueOptions retryExponential(Duration first, Duration longest) {
        RetryPolicy unused = RetryPolicy.exponential(first, longest); // checks the range
        return header(ReservedHeaders.RETRY, first + " " + longest);
    }

    /**
     * Sets the number of attempts.
     *
     * @param newMaxAttempts attempts after which a failing job is discarded, 1 to 32,767. Default 20
     * @return a copy
     * @throws IllegalArgumentException if it is outside the range
     */
    public EnqueueOptions maxAttempts(int newMaxAttempts) {
        return with(draft -> draft.maxAttempts = newMaxAttempts);
    }

    /**
     * Sets the unique key and clears {@code uniqueFor}.
     *
     * @param key at most one live (waiting or running) job of the kind has it; 1 to 200 characters, null for none.
     *     Default none
     * @return a copy
     * @throws IllegalArgumentException if the key is malformed
     */
    public EnqueueOptions uniqueKey(@Nullable String key) {
        return with(draft -> {
            draft.uniqueKey = key;
            draft.uniqueFor = null;
        });
    }

    /**
     * Sets a unique key that stays taken for a time, even after its job has finished.
     *
     * @param key at most one job of the kind has it during that time; 1 to 200 characters
     * @param time counted from the enqueue, 1 ms to ten years
     * @return a copy
     * @throws IllegalArgumentException if the key is malformed or the time is outside the range
     */
    public EnqueueOptions uniqueKey(String key, Duration time) {
        return with(draft -> {
            draft.uniqueKey = key;
            draft.uniqueFor = time;
        });
    }

    /**
     * Allows one live job for each payload of the kind. The unique key is derived from the text that the codec writes. Equal payloads with
     * a map may get different keys, because the codec may write the entries in another order.
     *
     * @return a copy
     */
    public EnqueueOptions uniqueByPayload() {
        return uniqueKey(BY_PAYLOAD);
    }

    /**
     * Allows one job for each payload of the kind during a time, see {@link #uniqueByPayload()}.
     *
     * @param time counted from the enqueue, 1 ms to ten years
     * @return a copy
     */
    public EnqueueOptions uniqueByPayload(Duration time) {
        return uniqueKey(BY_PAYLOAD, time);
    }

    /**
     * Sets the states of a job in which its unique key is taken. Use the same scope for all jobs of a key, because an enqueue may not find
     * a job that has another scope. With {@link UniqueWhile#WAITING}, it finds neither running jobs nor {@link UniqueWhile#LIVE} jobs
     * without a duration. With another scope, it finds no live {@link UniqueWhile#WAITING} jobs. An enqueue with a scope other than the
     * default is refused if there is no unique key.
     *
     * @param scope the states in which the key is taken. Default {@link UniqueWhile#LIVE}
     * @return a copy
     */
    public EnqueueOptions uniqueWhile(UniqueWhile scope) {
        return with(draft -> draft.uniqueWhile = scope);
    }

    /**
     * Sets what happens if the unique key is taken. An enqueue with {@link OnDuplicate#REPLACE} but without a unique key is refused.
     *
     * @param policy keep or replace the existing job. Default {@link OnDuplicate#KEEP}
     * @return a copy
     * @throws InvalidJobException if a job of a batch, or one with a concurrency key, would replace another
     */
    public EnqueueOptions onDuplicate(OnDuplicate policy) {
        return with(draft -> draft.onDuplicate = policy);
    }

    /**
     * Sets the tags.
     *
     * @param newTags words to find the job by, at most 20, each of 1 to 200 characters; they replace earlier ones.
     *     Default none
     * @return a copy
     * @throws InvalidJobException if there are too many, or one is malformed
     */
    public EnqueueOptions tags(String... newTags) {
        return with(draft -> draft.tags = List.of(newTags));
    }

    /**
     * Replaces the headers, except reserved ones such as the timeout and the retry policy.
     *
     * @param newHeaders name-value pairs stored with the job, such as a trace context: at most 32, names like those of
     *     queues, values without NUL, 8,000 characters in total; names that begin with {@code pawl-} are reserved.
     *     Default none
     * @return a copy
     * @throws IllegalArgumentException if there are too many, they are too long, or a name is malformed or
     *     reserved
     */
    public EnqueueOptions headers(Map<String, String> newHeaders) {
        if (newHeaders instanceof OwnHeaders) {
            return with(draft -> draft.headers = newHeaders);
        }
        OptionChecks.requireNothingReserved(newHeaders, headers);
        Map<String, String> all = new HashMap<>(newHeaders);
        headers.forEach((name, value) -> {
            if (ReservedHeaders.isOurs(name)) {
                all.putIfAbsent(name, value);
            }
        });
        return withHeaders(all);
    }

    /** The caller has checked that no reserved header is added. */
    private EnqueueOptions withHeaders(Map<String, String> newHeaders) {
        return with(draft -> draft.headers = headers instanceof OwnHeaders own ? own.with(newHeaders) : newHeaders);
    }

    /**
     * Adds a header, or replaces the one with this name.
     *
     * @param name of the header; names that begin with {@code pawl-} are reserved
     * @param value of the header
     * @return a copy
     * @throws IllegalArgumentException if there are too many headers, they are too long, or the name is malformed or
     *     reserved
     */
    public EnqueueOptions header(String name, String value) {
        OptionChecks.requireNothingReserved(Map.of(name, value), headers);
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return withHeaders(more);
    }

    /** A mutable copy, so that a method changes one value without naming the others. */
    private static final class Draft {
        String queue;
        int priority;
        Duration delay;

        @Nullable
        Instant availableAt;

        int maxAttempts;

        @Nullable
        String uniqueKey;

        OnDuplicate onDuplicate;
        List<String> tags;
        Map<String, String> headers;

        @Nullable
        String key;

        int cost;

        @Nullable
        Instant expiresAt;

        @Nullable
        Duration expiresIn;

        @Nullable
        Duration uniqueFor;

        UniqueWhile uniqueWhile;

        /** The defaults. */
        Draft() {
            queue = "default";
            delay = Duration.ZERO;
            maxAttempts = 20;
            onDuplicate = OnDuplicate.KEEP;
            tags = List.of();
            headers = Map.of();
            cost = 1;
            uniqueWhile = UniqueWhile.LIVE;
        }

        Draft(EnqueueOptions from) {
            queue = from.queue;
            priority = from.priority;
            delay = from.delay;
            availableAt = from.availableAt;
            maxAttempts = from.maxAttempts;
            uniqueKey = from.uniqueKey;
            onDuplicate = from.onDuplicate;
            tags = from.tags;
            headers = from.headers;
            key = from.key;
            cost = from.cost;
            expiresAt = from.expiresAt;
            expiresIn = from.expiresIn;
            uniqueFor = from.uniqueFor;
            uniqueWhile = from.uniqueWhile;
        }
    }

    private EnqueueOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new EnqueueOptions(draft);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof EnqueueOptions options && isSame(options));
    }

    private boolean isSame(EnqueueOptions options) {
        return queue.equals(options.queue)
                && priority == options.priority
                && delay.equals(options.delay)
                && Objects.equals(availableAt, options.availableAt)
                && maxAttempts == options.maxAttempts
                && Objects.equals(uniqueKey, options.uniqueKey)
                && onDuplicate == options.onDuplicate
                && tags.equals(options.tags)
                && headers.equals(options.headers)
                && OwnHeaders.values(headers()).equals(OwnHeaders.values(options.headers()))
                && Objects.equals(key, options.key)
                && cost == options.cost
                && Objects.equals(expiresAt, options.expiresAt)
                && Objects.equals(expiresIn, options.expiresIn)
                && Objects.equals(uniqueFor, options.uniqueFor)
                && uniqueWhile == options.uniqueWhile;
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                queue,
                priority,
                delay,
                availableAt,
                maxAttempts,
                uniqueKey,
                onDuplicate,
                tags,
                headers,
                key,
                cost,
                expiresAt,
                expiresIn,
                uniqueFor,
                uniqueWhile);
    }

    @Override
    public String toString() {
        return "EnqueueOptions[queue=" + queue + ", priority=" + priority + ", delay=" + delay + ", availableAt="
                + availableAt + ", maxAttempts=" + maxAttempts + ", uniqueKey=" + uniqueKey + ", onDuplicate="
                + onDuplicate + ", tags=" + tags + ", headers=" + headers + ", key=" + key + ", cost="
                + cost + ", expiresAt=" + expiresAt + ", expiresIn=" + expiresIn + ", uniqueFor=" + uniqueFor
                + ", uniqueWhile=" + uniqueWhile + "]";
    }
}
