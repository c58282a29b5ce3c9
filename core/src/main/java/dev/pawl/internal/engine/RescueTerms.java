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

    /** So many looks in a row are left out while the database is back; then it comes and goes, and other workers have had their time. */
    private static final int MOST_LEFT_OUT = 10;

    private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(5);

    private final HeldJobs heldJobs;
    private final WorkerConfig config;
    private final DatabaseHealth health;
    private final ServerClock clock;
    private final Strategies strategies;
    private int leftOut;

    RescueTerms(
            HeldJobs heldJobs, WorkerConfig config, DatabaseHealth health, ServerClock clock, Strategies strategies) {
        this.heldJobs = heldJobs;
        this.config = config;
        this.health = health;
        this.clock = clock;
        this.strategies = strategies;
    }

    /** {@return whether this is a time to look for abandoned jobs} Asked by one thread. */
    boolean mayLook() {
        if (health.isLost()) {
            return false;
        }
        boolean isTime = !health.isLostOrBackFor(AFTER_OUTAGE) || leftOut >= MOST_LEFT_OUT;
        leftOut = isTime ? 0 : leftOut + 1;
        return isTime && clock.isSteady();
    }

    /** {@return whether jobs that were just found may be believed to be abandoned} Reads the clock: one statement, if there are any. */
    boolean mayBelieve() throws SQLException {
        strategies.readAgain();
        return clock.isSteady();
    }

    /** {@return whether it is this worker that rescues a job} */
    boolean mayRescue(AbandonedJob job) {
        HeldJob held = heldJobs.of(job.lease());
        if (held != null && !held.isGivenUp(System.nanoTime())) {
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
