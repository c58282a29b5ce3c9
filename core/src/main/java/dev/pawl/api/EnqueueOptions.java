package dev.pawl.api;

import dev.pawl.internal.words.BatchHeader;
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
 * How a job is enqueued. Immutable; start from {@link #DEFAULTS} and change what should differ:
 * {@code EnqueueOptions.DEFAULTS.queue("mail").delay(Duration.ofMinutes(5))}.
 *
 * @param queue the queue; letters, digits and {@code . _ : / -}, at most 100 characters. Default {@code "default"}
 * @param priority smallest first, −32,768 to 32,767. Default 0
 * @param delay time from the enqueueing statement, by the database's clock, until the job becomes available; zero to
 *     ten years. Default zero: at once
 * @param availableAt time at which the job becomes available, between the years 1970 and 7999; null to use
 *     {@code delay}. Default null
 * @param maxAttempts number of attempts after which a failing job is discarded, 1 to 32,767. Default 20
 * @param uniqueKey at most one live (available or running) job of a kind has this key; 1 to 200 characters, null for
 *     none. Default null
 * @param onDuplicate what happens if the unique key is taken. Default {@link OnDuplicate#KEEP}
 * @param tags words to find jobs by, at most 20. Default none
 * @param headers name-value pairs stored with the job, such as a trace context: at most 32, names like those of queues,
 *     values without NUL, 8,000 characters in total; names that begin with {@code pawl-} are reserved. Default none
 * @param uniqueFor time from the enqueue during which the unique key stays taken, even after its job has finished; null
 *     to follow {@code uniqueWhile} alone. Default null
 * @param uniqueWhile states of the job in which its unique key is taken. Default {@link UniqueWhile#LIVE}
 */
public record EnqueueOptions(
        String queue,
        int priority,
        Duration delay,
        @Nullable Instant availableAt,
        int maxAttempts,
        @Nullable String uniqueKey,
        OnDuplicate onDuplicate,
        List<String> tags,
        Map<String, String> headers,
        @Nullable Duration uniqueFor,
        UniqueWhile uniqueWhile) {
    /** Placeholder for a key that is derived from the payload. */
    static final String BY_PAYLOAD = "pawl:by-payload";

    private static final int MAX_TAGS = 20;

    /** Queue {@code default}, priority 0, available at once, 20 attempts. */
    public static final EnqueueOptions DEFAULTS = new EnqueueOptions(
            "default", 0, Duration.ZERO, null, 20, null, OnDuplicate.KEEP, List.of(), Map.of(), null, UniqueWhile.LIVE);

    /**
     * @throws InvalidJobException if a value is outside its range
     */
    public EnqueueOptions {
        Names.check("queue", queue);
        OptionChecks.requireRange("priority", priority, Short.MIN_VALUE, Short.MAX_VALUE);
        OptionChecks.requireRange("maxAttempts", maxAttempts, 1, Short.MAX_VALUE);
        OptionChecks.requireDelay(delay);
        OptionChecks.requireAvailableAt(availableAt);
        if (uniqueKey != null) {
            Names.checkKey("uniqueKey", uniqueKey);
        }
        if (uniqueFor != null) {
            OptionChecks.requireUniqueFor(uniqueKey, uniqueFor);
        }
        Objects.requireNonNull(onDuplicate, "onDuplicate");
        Objects.requireNonNull(uniqueWhile, "uniqueWhile");
        tags = List.copyOf(tags);
        if (tags.size() > MAX_TAGS) {
            throw new InvalidJobException(tags.size() + " tags are too many: use at most " + MAX_TAGS);
        }
        tags.forEach(tag -> Names.checkKey("tag", tag));
        headers = OptionChecks.headers(headers);
        OptionChecks.requireFitting(headers);
        RunLimits.require(headers);
        if (headers.containsKey(BatchHeader.NAME) && onDuplicate == OnDuplicate.REPLACE) {
            throw new InvalidJobException("a job of a batch cannot replace another job: use OnDuplicate.KEEP");
        }
        String key = headers.get(ReservedHeaders.KEY);
        if (key != null) {
            Names.checkKey("key", key);
            if (uniqueKey != null && onDuplicate == OnDuplicate.REPLACE) {
                throw new InvalidJobException(
                        "a job with a concurrency key cannot be replaced: use OnDuplicate.KEEP, or no key");
            }
        }
    }

    @Override
    public Map<String, String> headers() {
        return headers instanceof OwnHeaders own ? own.plain() : headers;
    }

    /** {@return whether the payload makes the unique key} */
    public boolean isUniqueByPayload() {
        return BY_PAYLOAD.equals(uniqueKey);
    }

    /**
     * Checks that options about unique keys come with a key. On enqueue, not in the constructor, because the next call of a chain may add
     * the key.
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
     * @param newQueue the queue
     * @return a copy
     */
    public EnqueueOptions queue(String newQueue) {
        return with(draft -> draft.queue = newQueue);
    }

    /**
     * Sets the priority.
     *
     * @param newPriority smallest first
     * @return a copy
     */
    public EnqueueOptions priority(int newPriority) {
        return with(draft -> draft.priority = newPriority);
    }

    /**
     * Sets a delay, which replaces {@code availableAt}.
     *
     * @param newDelay time from the enqueueing statement until the job becomes available
     * @return a copy
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
     * @param moment between the years 1970 and 7999
     * @return a copy
     * @throws InvalidJobException if it is outside the range
     */
    public EnqueueOptions availableAt(Instant moment) {
        return with(draft -> {
            draft.delay = Duration.ZERO;
            draft.availableAt = OptionChecks.requireMoment("availableAt", moment);
        });
    }

    /**
     * Sets the concurrency key. Jobs of a queue with the same key run one after the other across all workers, in the
     * order in which they were enqueued: the next one is released when the one before has finished, its retries
     * included. With {@link dev.pawl.limit.Limit#keysOf} several of them run at once, and one that waits for a retry
     * does not block the others. Jobs of other keys are not affected. Stored in the header {@code pawl-key}.
     *
     * @param key such as the number of a customer; 1 to 200 characters
     * @return a copy
     * @throws InvalidJobException if the key is malformed
     */
    public EnqueueOptions key(String key) {
        return header(ReservedHeaders.KEY, Names.checkKey("key", Objects.requireNonNull(key, "key")));
    }

    /** {@return the concurrency key; null if there is none} */
    public @Nullable String key() {
        return headers.get(ReservedHeaders.KEY);
    }

    /**
     * Sets how many starts of a {@linkplain dev.pawl.limit.Rate rate} the job takes: a job that sends fifty mails takes
     * fifty starts of a rate of mails. A cost above the whole rate counts as the whole rate. Without a rate it has no
     * effect. Stored in the header {@code pawl-cost}.
     *
     * @param starts 1 to 1,000,000. Default 1
     * @return a copy
     * @throws InvalidJobException if it is outside the range
     */
    public EnqueueOptions cost(int starts) {
        return header(ReservedHeaders.COST, Integer.toString(starts));
    }

    /** {@return how many starts of a rate the job takes} */
    public int cost() {
        return cost(headers);
    }

    /** {@return the cost in these headers; 1 if there is none} */
    static int cost(Map<String, String> headers) {
        String cost = headers.isEmpty() ? null : headers.get(ReservedHeaders.COST); // on the path of each claimed job
        try {
            return cost == null ? 1 : Integer.parseInt(cost);
        } catch (NumberFormatException notOurs) {
            throw new InvalidJobException(
                    "the header " + ReservedHeaders.COST + " says '" + cost + "': use a whole number", notOurs);
        }
    }

    /**
     * Sets an expiry. A job that has not started by then is cancelled, and so is a failed one whose next attempt would
     * be later. A run that started in time continues. Stored in the header {@code pawl-expires}.
     *
     * @param moment by the database's clock, between the years 1970 and 7999
     * @return a copy
     * @throws InvalidJobException if it is outside the range
     */
    public EnqueueOptions expiresAt(Instant moment) {
        return header(
                ReservedHeaders.EXPIRES,
                OptionChecks.requireMoment("expiresAt", moment).toString());
    }

    /**
     * Sets an expiry like {@link #expiresAt}, counted from the enqueue.
     *
     * @param time how long the job may wait for its start, delay included; more than zero, at most ten years
     * @return a copy
     * @throws InvalidJobException if it is outside the range
     */
    public EnqueueOptions expiresIn(Duration time) {
        if (time.isNegative() || time.isZero() || time.compareTo(OptionChecks.MAX_DELAY) > 0) {
            throw new InvalidJobException("expiresIn " + time + " is not valid: use more than zero, up to ten years");
        }
        return header(ReservedHeaders.EXPIRES, time.toString());
    }

    /**
     * Sets the timeout of a run of this job; overrides {@link HandlerOptions#timeout}. For remote workers the limit of
     * their manager applies instead. Stored in the header {@code pawl-timeout}.
     *
     * @param longest more than zero, at most ten years
     * @return a copy
     * @throws InvalidJobException if it is outside the range
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
     * @throws InvalidJobException if it is negative
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
     * @throws InvalidJobException if {@code first} is not positive or longer than {@code longest}
     */
    public EnqueueOptions retryExponential(Duration first, Duration longest) {
        RetryPolicy unused = RetryPolicy.exponential(first, longest); // checks the range
        return header(ReservedHeaders.RETRY, first + " " + longest);
    }

    /**
     * Sets the number of attempts.
     *
     * @param newMaxAttempts attempts after which a failing job is discarded, 1 to 32,767
     * @return a copy
     */
    public EnqueueOptions maxAttempts(int newMaxAttempts) {
        return with(draft -> draft.maxAttempts = newMaxAttempts);
    }

    /**
     * Sets the unique key and clears {@code uniqueFor}.
     *
     * @param key at most one live job of the kind has it; null for none
     * @return a copy
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
     * @param key at most one job of the kind has it during that time
     * @param time counted from the enqueue, 1 ms to ten years
     * @return a copy
     */
    public EnqueueOptions uniqueKey(String key, Duration time) {
        return with(draft -> {
            draft.uniqueKey = key;
            draft.uniqueFor = time;
        });
    }

    /**
     * Allows one live job for each payload of the kind. The unique key is derived from the payload as the codec writes
     * it; a payload with a map may be written in more than one way.
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
     * Sets the states of a job in which its unique key is taken. An enqueue with a scope other than
     * {@link UniqueWhile#LIVE} finds only jobs that were enqueued with such a scope, so use the same scope for all jobs
     * of a key. The enqueue is refused if there is no unique key.
     *
     * @param scope the states in which the key is taken
     * @return a copy
     */
    public EnqueueOptions uniqueWhile(UniqueWhile scope) {
        return with(draft -> draft.uniqueWhile = scope);
    }

    /**
     * Sets what happens if the unique key is taken. An enqueue that would replace without a unique key is
     * refused.
     *
     * @param policy keep or replace the existing job
     * @return a copy
     */
    public EnqueueOptions onDuplicate(OnDuplicate policy) {
        return with(draft -> draft.onDuplicate = policy);
    }

    /**
     * Sets the tags.
     *
     * @param newTags words to find the job by, at most 20; they replace earlier ones
     * @return a copy
     */
    public EnqueueOptions tags(String... newTags) {
        return with(draft -> draft.tags = List.of(newTags));
    }

    /**
     * Replaces the headers, except reserved ones such as the concurrency key, the expiry, the cost and the batch.
     *
     * @param newHeaders name-value pairs stored with the job
     * @return a copy
     * @throws InvalidJobException if there are too many, they are too long, or a name is reserved
     */
    public EnqueueOptions headers(Map<String, String> newHeaders) {
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
     * @throws InvalidJobException if there are too many headers, they are too long, or the name is malformed or
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
        Duration uniqueFor;

        UniqueWhile uniqueWhile;

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
            uniqueFor = from.uniqueFor;
            uniqueWhile = from.uniqueWhile;
        }
    }

    private EnqueueOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new EnqueueOptions(
                draft.queue,
                draft.priority,
                draft.delay,
                draft.availableAt,
                draft.maxAttempts,
                draft.uniqueKey,
                draft.onDuplicate,
                draft.tags,
                draft.headers,
                draft.uniqueFor,
                draft.uniqueWhile);
    }
}
