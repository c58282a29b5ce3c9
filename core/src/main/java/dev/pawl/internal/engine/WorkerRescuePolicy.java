package dev.pawl.internal.engine;

import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.store.AbandonedJob;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides which jobs a worker rescues, and when.
 *
 * <p>A worker does not rescue jobs that it holds itself, because it knows their state better than the database does. It does not rescue
 * right after an outage, because workers that survived the outage first record their outcomes. It does not rescue right after the
 * database's clock was set forward, because live workers first renew their leases. The same holds right after its own start, because the
 * clock may have been set shortly before. Jobs of kinds that the worker does not handle are left for a few seconds to workers that know the
 * kind's retry policy.
 */
final class WorkerRescuePolicy implements RescuePolicy {
    /**
     * Time that other workers get after an outage. Each of them probes the database once a second, and records its outcomes as soon as the
     * database is back.
     */
    private static final long AFTER_OUTAGE = TimeUnit.SECONDS.toNanos(3);

    /**
     * Maximum number of consecutive searches that are skipped because the database was lost moments ago. This number is reached only if
     * outages keep recurring. Other workers then had time between the outages to record outcomes.
     */
    private static final int MAX_LEFT_OUT = 10;

    private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(5);

    private final HeldJobs heldJobs;
    private final WorkerConfig config;
    private final DatabaseHealth health;
    private final ServerClock clock;
    private final Strategies strategies;
    private int leftOut;
    private final SearchRest rest = new SearchRest(System::nanoTime);

    WorkerRescuePolicy(
            HeldJobs heldJobs, WorkerConfig config, DatabaseHealth health, ServerClock clock, Strategies strategies) {
        this.heldJobs = heldJobs;
        this.config = config;
        this.health = health;
        this.clock = clock;
        this.strategies = strategies;
    }

    /** Called by one thread. */
    @Override
    public boolean isTime() {
        if (health.isLost() || !rest.isOver()) {
            return false;
        }
        boolean isTime = !health.isLostOrBackFor(AFTER_OUTAGE) || leftOut >= MAX_LEFT_OUT;
        leftOut = isTime ? 0 : leftOut + 1;
        return isTime && clock.isSteady(Duration.ZERO);
    }

    @Override
    public void searched(long tookNanos) {
        rest.searched(tookNanos);
    }

    /** Reads the clock, in one statement. */
    @Override
    public boolean areLeasesReliable() throws SQLException {
        strategies.readAgain();
        return clock.isSteady();
    }

    @Override
    public boolean mayRescue(AbandonedJob job) {
        HeldJob held = heldJobs.of(job.lease());
        if (held != null && !held.isGivenUp(clock.nanos())) {
            return false;
        }
        return retryPolicy(job.kind()) != null || clock.since(job.expiredAt()).compareTo(LEFT_TO_OTHERS) >= 0;
    }

    @Override
    public @Nullable RetryPolicy retryPolicy(String kind) {
        if (config.handlers().of(kind) == null) {
            return null;
        }
        RetryPolicy own = config.handlers().retryPolicy(kind);
        return own == null ? config.retryPolicy() : own;
    }
}
