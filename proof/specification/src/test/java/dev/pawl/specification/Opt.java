package dev.pawl.specification;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.UnaryOperator;

/** One option of an enqueue. A list of options is short when printed, and can be shrunk to the options that a failure needs. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
public enum Opt {
    KIND_B(options -> options),
    QUEUE_B(options -> options.queue("b")),
    FIRST(options -> options.priority(-1)),
    LAST(options -> options.priority(5)),
    DELAY_10S(options -> options.delay(Duration.ofSeconds(10))),
    DELAY_2H(options -> options.delay(Duration.ofHours(2))),
    ONE_ATTEMPT(options -> options.maxAttempts(1)),
    TWO_ATTEMPTS(options -> options.maxAttempts(2)),
    RETRY_7S(options -> options.retryFixed(Duration.ofSeconds(7))),
    TAG(options -> options.tags("tag")),
    PAYLOAD_2(options -> options),
    SECRET(options -> options),
    COST_3(options -> options.cost(3)),
    EXPIRES_5S(options -> options.expiresIn(Duration.ofSeconds(5))),
    EXPIRES_1M(options -> options.expiresIn(Duration.ofMinutes(1))),
    KEY_X(options -> options.key("x")),
    KEY_Y(options -> options.key("y")),
    UNIQUE(options -> options.uniqueKey("live").uniqueWhile(UniqueWhile.LIVE)),
    UNIQUE_WAITING(options -> options.uniqueKey("waiting").uniqueWhile(UniqueWhile.WAITING)),
    UNIQUE_DISCARDED(options -> options.uniqueKey("discarded").uniqueWhile(UniqueWhile.LIVE_OR_DISCARDED)),
    UNIQUE_KEPT(options -> options.uniqueKey("kept").uniqueWhile(UniqueWhile.KEPT)),
    UNIQUE_1M(options -> options.uniqueKey("minute", Duration.ofMinutes(1)).uniqueWhile(UniqueWhile.LIVE)),
    /** The unique key is taken for longer than a completed job is kept. */
    UNIQUE_20D(options -> options.uniqueKey("days", Duration.ofDays(20)).uniqueWhile(UniqueWhile.LIVE)),
    /** This time and {@link #AT_8500} are allowed, though far away. {@link #AT_9000} is out of range, and refused. */
    AT_8999(options -> options.availableAt(Instant.parse("8999-01-01T00:00:00Z"))),
    AT_9000(options -> options.availableAt(Instant.parse("9000-01-01T00:00:00Z"))),
    AT_8500(options -> options.availableAt(Instant.parse("8500-01-01T00:00:00Z"))),
    /** The headers with which the library marks a job that a run has added to its batch. Only the library may write them. */
    FORGED_MEMBER(options -> options),
    REPLACE(options -> options.onDuplicate(OnDuplicate.REPLACE)),
    /** In the batch that was opened last. */
    IN_BATCH(options -> options);

    static final Set<Opt> FORGED_MOMENTS = Set.of(AT_9000);

    private final UnaryOperator<EnqueueOptions> change;

    Opt(UnaryOperator<EnqueueOptions> change) {
        this.change = change;
    }

    EnqueueOptions on(EnqueueOptions options) {
        return change.apply(options);
    }
}
