package dev.pawl.internal.engine;

import dev.pawl.RetryPolicy;
import dev.pawl.internal.store.AbandonedJob;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a worker rescues, and when.
 *
 * <p>Not what it holds itself, because it knows better than the database how that stands. Not right after an outage, because
 * workers that lived through it first record what they know. Not after the clock of the database was set forward, because workers
 * that live first renew. And jobs of kinds that it does not handle only when no worker has rescued them that knows how long they
 * are to wait.
 */
final class RescueTerms {
    /** Each worker tries once a second to reach the database, and records what it has at once when it does. */
    private static final long AFTER_OUTAGE = TimeUnit.SECONDS.toNanos(3);

    private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(5);

    private final HeldJobs heldJobs;
    private final WorkerConfig config;
    private final DatabaseHealth health;
    private final ServerClock clock;
    private final Strategies strategies;

    RescueTerms(
            HeldJobs heldJobs, WorkerConfig config, DatabaseHealth health, ServerClock clock, Strategies strategies) {
        this.heldJobs = heldJobs;
        this.config = config;
        this.health = health;
        this.clock = clock;
        this.strategies = strategies;
    }

    /** {@return whether this is a time to look for abandoned jobs} */
    boolean mayLook() {
        return !health.isLostOrBackFor(AFTER_OUTAGE) && clock.isSteady();
    }

    /** {@return whether leases that are over by the clock of the database are} Reads it: one statement, where there are such leases. */
    boolean mayBelieve() throws SQLException {
        strategies.readAgain();
        return clock.isSteady();
    }

    /** {@return whether it is this worker that rescues a job} */
    boolean mayRescue(AbandonedJob job) {
        HeldJob held = heldJobs.of(job.lease());
        if (held != null && !held.isGivenUp(clock.nanos())) {
            return false;
        }
        return policy(job.kind()) != null || clock.since(job.expiredAt()).compareTo(LEFT_TO_OTHERS) >= 0;
    }

    /** {@return how long jobs of a kind wait after a failure; null if this worker does not handle it} */
    @Nullable
    RetryPolicy policy(String kind) {
        Handlers.Entry entry = config.handlers().of(kind);
        if (entry == null) {
            return null;
        }
        RetryPolicy own = entry.options().retryPolicy();
        return own == null ? config.retryPolicy() : own;
    }
}
