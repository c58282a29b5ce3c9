package dev.pawl;

import dev.pawl.internal.store.BatchHeader;
import dev.pawl.internal.words.OwnHeaders;
import dev.pawl.internal.words.ReservedHeaders;
import dev.pawl.internal.words.RunLimits;
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
 * @param delay how long after the enqueueing statement, by the database's clock, the job becomes available; zero to ten
 *     years. Default zero: at once
 * @param availableAt the moment at which the job becomes available, from the year 1970 to 7999, or null to use {@code delay}. Default null
 * @param maxAttempts how often the job may be started before it is discarded, 1 to 32,767. Default 20
 * @param uniqueKey at most one live (available or running) job of a kind may have this key, or null for no such limit;
 *     1 to 200 characters. Default null
 * @param onDuplicate what happens if such a live job exists. Default {@link OnDuplicate#KEEP}
 * @param tags words to find jobs by, at most 20. Default none
 * @param headers what travels with the job beside its payload, such as the context of a trace: at most 32, names like
 *     those of queues, values without NUL, 8,000 characters together; names that begin with {@code pawl-} are reserved. Default none
 * @param uniqueFor how long after it was enqueued no other job of its kind may get its unique key, also when it has ended;
 *     null for no longer than {@code uniqueWhile} says. Default null
 * @param uniqueWhile how far the job of a unique key must have come for the key to be free again. Default
 *     {@link UniqueWhile#LIVE}
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
    /** Stands for a key that is drawn from the payload. */
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
        OptionChecks.requireAvailableAt(availableAt, headers);
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
            throw new InvalidJobException(
                    "a job of a batch cannot take the place of another job: use OnDuplicate.KEEP");
        }
        String key = headers.get(ReservedHeaders.KEY);
        if (key != null) {
            Names.checkKey("key", key);
            if (uniqueKey != null && onDuplicate == OnDuplicate.REPLACE) {
                throw new InvalidJobException("a job with a key has its place in a line, so it cannot be replaced:"
                        + " use OnDuplicate.KEEP, or no key");
            }
        }
    }

    @Override
    public Map<String, String> headers() {
        return headers instanceof OwnHeaders own ? own.plain() : headers;
    }

    /** Not checked when the options are made, step by step: what is missing may be the next one. */
    void requireKeyOfUniqueness() {
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
     * @param newQueue the queue to put the job in
     * @return a copy
     */
    public EnqueueOptions queue(String newQueue) {
        return with(draft -> draft.queue = newQueue);
    }

    /**
     * @param newPriority smallest first
     * @return a copy
     */
    public EnqueueOptions priority(int newPriority) {
        return with(draft -> draft.priority = newPriority);
    }

    /**
     * @param newDelay how long after the enqueueing statement the job becomes available; forgets {@code availableAt}
     * @return a copy
     */
    public EnqueueOptions delay(Duration newDelay) {
        return with(draft -> {
            draft.delay = newDelay;
            draft.availableAt = null;
        });
    }

    /**
     * @param moment when the job becomes available; forgets {@code delay}
     * @return a copy
     * @throws InvalidJobException if it is not between the years 1970 and 7999
     */
    public EnqueueOptions availableAt(Instant moment) {
        return with(draft -> {
            draft.delay = Duration.ZERO;
            draft.availableAt = OptionChecks.requireMoment("availableAt", moment);
        });
    }

    /**
     * Jobs of a queue with the same key run one after the other, in the order in which they were enqueued, in the whole
     * cluster: the next one is let go when the one before has ended for good, its retries included. With
     * {@link dev.pawl.limit.Limit#keysOf} as many as it says run at once, and one that waits for a retry holds up no other.
     * Jobs of other keys are not held up: each key has no more than that many jobs in the queue's line. Kept in the header
     * {@code pawl-key}.
     *
     * @param key such as the number of a customer; 1 to 200 characters
     * @return a copy
     * @throws InvalidJobException if the key is malformed
     */
    public EnqueueOptions key(String key) {
        return header(ReservedHeaders.KEY, Names.checkKey("key", Objects.requireNonNull(key, "key")));
    }

    /** {@return the key of the jobs to run one after the other with; null if it has none} */
    public @Nullable String key() {
        return headers.get(ReservedHeaders.KEY);
    }

    /**
     * How many starts of a {@linkplain dev.pawl.limit.Rate rate} the job takes: one that sends fifty mails takes fifty of a
     * rate of mails. One that costs more than the whole rate takes all of it. Where no limit with a rate concerns the job this
     * changes nothing. Kept in the header {@code pawl-cost}.
     *
     * @param starts 1, as without this, to 1,000,000
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

    /** {@return as a header says; one without it takes one} */
    static int cost(Map<String, String> headers) {
        String cost = headers.isEmpty() ? null : headers.get(ReservedHeaders.COST); // each job that is claimed is asked
        try {
            return cost == null ? 1 : Integer.parseInt(cost);
        } catch (NumberFormatException notOurs) {
            throw new InvalidJobException(
                    "the header " + ReservedHeaders.COST + " says '" + cost + "': use a whole number", notOurs);
        }
    }

    /**
     * A job that has not begun by then is not run: it ends as cancelled. So does one that failed and would be tried again
     * later than that. What has begun in time goes on. Kept in the header {@code pawl-expires}.
     *
     * @param moment by the database's clock
     * @return a copy
     * @throws InvalidJobException if it is not between the years 1970 and 7999
     */
    public EnqueueOptions expiresAt(Instant moment) {
        return header(
                ReservedHeaders.EXPIRES,
                OptionChecks.requireMoment("expiresAt", moment).toString());
    }

    /**
     * Like {@link #expiresAt}, counted from when the job is enqueued.
     *
     * @param time how long it may wait until it begins, its delay included; longer than nothing, up to ten years
     * @return a copy
     * @throws InvalidJobException if it is outside the range
     */
    public EnqueueOptions expiresIn(Duration time) {
        if (time.isNegative() || time.isZero() || time.compareTo(OptionChecks.MAX_DELAY) > 0) {
            throw new InvalidJobException(
                    "expiresIn " + time + " is not valid: use more than nothing, up to ten years");
        }
        return header(ReservedHeaders.EXPIRES, time.toString());
    }

    /**
     * How long a run of this job may take; overrides {@link HandlerOptions#timeout}. For remote workers their manager's limit applies
     * instead. Kept in the header {@code pawl-timeout}.
     *
     * @param longest more than zero, at most ten years
     * @return a copy
     * @throws InvalidJobException if it is outside the range
     */
    public EnqueueOptions timeout(Duration longest) {
        HandlerOptions unused = HandlerOptions.DEFAULTS.timeout(longest); // checks it
        return header(ReservedHeaders.TIMEOUT, longest.toString());
    }

    /**
     * How long this job waits after each failure; overrides the {@link RetryPolicy} of its handler and its worker. Kept in the
     * header {@code pawl-retry}.
     *
     * @param wait zero or more
     * @return a copy
     * @throws InvalidJobException if it is negative
     */
    public EnqueueOptions retryFixed(Duration wait) {
        RetryPolicy unused = RetryPolicy.fixed(wait); // checks it
        return header(ReservedHeaders.RETRY, wait.toString());
    }

    /**
     * Like {@link #retryFixed}, with a wait that doubles each time: see {@link RetryPolicy#exponential}.
     *
     * @param first the wait after the first failure; more than zero
     * @param longest the cap, before jitter; at least {@code first}
     * @return a copy
     * @throws InvalidJobException if {@code first} is not positive or longer than {@code longest}
     */
    public EnqueueOptions retryExponential(Duration first, Duration longest) {
        RetryPolicy unused = RetryPolicy.exponential(first, longest); // checks them
        return header(ReservedHeaders.RETRY, first + " " + longest);
    }

    /**
     * @param newMaxAttempts how often the job may be started
     * @return a copy
     */
    public EnqueueOptions maxAttempts(int newMaxAttempts) {
        return with(draft -> draft.maxAttempts = newMaxAttempts);
    }

    /**
     * @param key at most one live job of the kind may have it; null for no such limit
     * @return a copy
     */
    public EnqueueOptions uniqueKey(@Nullable String key) {
        return with(draft -> {
            draft.uniqueKey = key;
            draft.uniqueFor = null;
        });
    }

    /**
     * A key that stays taken for a time, also when its job has ended: at most one job in that time.
     *
     * @param key at most one job of the kind may have it
     * @param time how long after it was enqueued, 1 ms to ten years
     * @return a copy
     */
    public EnqueueOptions uniqueKey(String key, Duration time) {
        return with(draft -> {
            draft.uniqueKey = key;
            draft.uniqueFor = time;
        });
    }

    /**
     * At most one live job of the kind may have the same payload. The key is drawn from the payload as the codec writes
     * it, so a payload that holds a map may be written in two ways.
     *
     * @return a copy
     */
    public EnqueueOptions uniqueByPayload() {
        return uniqueKey(BY_PAYLOAD);
    }

    /**
     * At most one job of the kind may have the same payload for a time, see {@link #uniqueByPayload()}.
     *
     * @param time how long after it was enqueued, 1 ms to ten years
     * @return a copy
     */
    public EnqueueOptions uniqueByPayload(Duration time) {
        return uniqueKey(BY_PAYLOAD, time);
    }

    /**
     * How far the job of a unique key must have come for the key to be free again. Only jobs that were enqueued with a scope other
     * than {@link UniqueWhile#LIVE} are found by enqueues with such a scope, so give all jobs of a key the same. Without a
     * unique key such a job is refused when it is enqueued.
     *
     * @param scope as long as its job stands like this, the key is taken
     * @return a copy
     */
    public EnqueueOptions uniqueWhile(UniqueWhile scope) {
        return with(draft -> draft.uniqueWhile = scope);
    }

    /**
     * @param policy what happens if a live job has the unique key already; to replace without a unique key is refused when the
     *     job is enqueued
     * @return a copy
     */
    public EnqueueOptions onDuplicate(OnDuplicate policy) {
        return with(draft -> draft.onDuplicate = policy);
    }

    /**
     * @param newTags words to find the job by
     * @return a copy
     */
    public EnqueueOptions tags(String... newTags) {
        return with(draft -> draft.tags = List.of(newTags));
    }

    /**
     * @param newHeaders what travels with the job beside its payload; replaces the headers so far, except the library's own, such as the
     *     key, the expiry, the cost and the batch
     * @return a copy
     * @throws InvalidJobException if there are too many, they are too long, or a name is reserved for the library
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

    /** Nothing reserved is among them that was not there before. */
    private EnqueueOptions withHeaders(Map<String, String> newHeaders) {
        return with(draft -> draft.headers = headers instanceof OwnHeaders ? new OwnHeaders(newHeaders) : newHeaders);
    }

    /**
     * @param name of a header; names that begin with {@code pawl-} are reserved for the library
     * @param value of it; replaces the one so far
     * @return a copy
     * @throws InvalidJobException if there are too many, they are too long, or the name is malformed or reserved
     */
    public EnqueueOptions header(String name, String value) {
        OptionChecks.requireNothingReserved(Map.of(name, value), headers);
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return withHeaders(more);
    }

    /** All of it, to be changed in one place. */
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
