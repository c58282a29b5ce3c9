package dev.pawl.internal.engine;

import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.store.WorkSource;
import dev.pawl.internal.wake.WakeHub;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Suspends an idle worker, so that it sends no statements. Before the suspension, the worker reads the time at which work is due next. It
 * waits until that time or until a notification. If other processes cannot notify the worker, it is suspended only if the user has set a
 * maximum. Confined to the fetcher's thread.
 */
final class IdleSuspend {
    /** Minimum time awake after a job, a notification or a suspension, in which every duty runs. */
    static final Duration AWAKE = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.worker");
    /** A shorter suspension is not worth its statements. */
    private static final Duration SHORTEST = Duration.ofSeconds(2);

    private static final long READ_INTERVAL = TimeUnit.SECONDS.toNanos(5);
    private static final long WARN_AFTER = TimeUnit.SECONDS.toNanos(30);
    /** Minimum number of rounds before the warning, in addition to the time: the time alone would include outages. */
    private static final int WARN_AFTER_ROUNDS = 20;

    private final WorkerConfig config;
    private final NextMoment next;
    private final WorkerRegistration registration;
    private final FetchSignal signal;
    private final IdleGate idleGate;
    private final Others others;
    private final List<Precondition> preconditions;
    private volatile WakeHub.Subscription subscription = () -> {};
    private volatile Duty.Work finalCheck = () -> {};
    private volatile Consumer<Set<WorkSource>> onFinding = due -> {};
    private volatile Runnable onWaking = () -> {};
    private long activeNanos = System.nanoTime();
    private long readNanos = System.nanoTime();
    private boolean reachable;
    private boolean wasBusy;
    private long unreachableNanos;
    private int unreachableRounds;
    private boolean warned;

    /** A condition for the suspension of the worker. */
    @FunctionalInterface
    interface Precondition {
        /** {@return whether the condition holds and was checked after this moment} */
        boolean holdsSince(long nanos);
    }

    /**
     * How a suspended worker learns of other processes' work.
     *
     * @param canBeWoken whether the database carries notifications of other processes
     * @param keyed the queues that may have keyed jobs
     */
    record Others(boolean canBeWoken, Supplier<Set<String>> keyed) {}

    /**
     * @param preconditions all must hold
     */
    IdleSuspend(
            WorkerConfig config,
            NextMoment next,
            WorkerRegistration registration,
            FetchSignal signal,
            IdleGate idleGate,
            Others others,
            List<Precondition> preconditions) {
        this.config = config;
        this.next = next;
        this.registration = registration;
        this.signal = signal;
        this.idleGate = idleGate;
        this.others = others;
        this.preconditions = List.copyOf(preconditions);
    }

    /**
     * @param newSubscription receives notifications of jobs
     * @param newFinalCheck refreshes rarely read values before a suspension, and may prevent it
     * @param newOnFinding gets the sources whose work keeps the worker awake
     * @param newOnWaking runs after a suspension
     */
    void wire(
            WakeHub.Subscription newSubscription,
            Duty.Work newFinalCheck,
            Consumer<Set<WorkSource>> newOnFinding,
            Runnable newOnWaking) {
        subscription = newSubscription;
        finalCheck = newFinalCheck;
        onFinding = newOnFinding;
        onWaking = newOnWaking;
    }

    /**
     * A round of claims begins. Jobs that are committed later must cause a notification, so the connection for notifications is checked
     * now.
     *
     * @param isIdle whether the worker holds no job
     */
    void beforeRound(boolean isIdle) {
        if (config.maxSuspend() != null) {
            reachable = !others.canBeWoken() || subscription.isConnected();
            if (wasBusy || !isIdle) { // the time counts from the end of the work, not from the last claim
                activeNanos = System.nanoTime();
            }
            wasBusy = !isIdle;
        }
    }

    /** Notes that there was work. */
    void active() {
        activeNanos = System.nanoTime();
        wasBusy = true;
    }

    /**
     * Suspends the worker, if possible, after an empty round.
     *
     * @return whether it was suspended
     * @throws SQLException if a statement failed
     */
    boolean suspend() throws SQLException, InterruptedException {
        Duration most = config.maxSuspend();
        if (most == null || !maySuspend() || System.nanoTime() - readNanos < 0 || !idleGate.close()) {
            return false;
        }
        try {
            readNanos = System.nanoTime() + READ_INTERVAL;
            finalCheck.run();
            if (!areMet()) {
                return false;
            }
            Duration wait = untilNext(most);
            if (wait.compareTo(SHORTEST) < 0) {
                return false;
            }
            registration.suspended(wait);
            LOG.debug("{}: suspended for {}, unless notified", config.name(), HumanDuration.of(wait));
            subscription.suspendChecks(true);
            signal.awaitAnything(wait.toNanos());
        } finally {
            subscription.suspendChecks(false);
            idleGate.open();
        }
        active();
        onWaking.run();
        return true;
    }

    private boolean maySuspend() {
        long now = System.nanoTime();
        if (reachable) {
            unreachableRounds = 0;
        } else {
            unreachableRound(now);
        }
        return reachable && areMet();
    }

    /**
     * Whether all conditions for a suspension hold. A notification counts as activity even if no thread waited for it, because what it
     * announces may be read only at intervals.
     */
    private boolean areMet() {
        long notified = signal.notifiedNanos();
        long last = notified - activeNanos > 0 ? notified : activeNanos;
        return System.nanoTime() - last >= AWAKE.toNanos()
                && preconditions.stream().allMatch(each -> each.holdsSince(last));
    }

    private void unreachableRound(long now) {
        unreachableNanos = unreachableRounds++ == 0 ? now : unreachableNanos;
        if (!warned && unreachableRounds > WARN_AFTER_ROUNDS && now - unreachableNanos >= WARN_AFTER) {
            warned = true;
            LOG.warn(
                    "{}: cannot suspend while it is idle, because LISTEN does not work through its pool (a transaction"
                            + " pooler?): give it a direct connection, or open the queue with notifications(false) and"
                            + " choose suspendWhenIdle(atMost)",
                    config.name());
        }
    }

    private Duration untilNext(Duration most) throws SQLException {
        NextMoment.Moments moments = next.until(
                config.order().names(),
                config.handlers().kinds(),
                others.keyed().get(),
                config.declaredNames());
        onFinding.accept(moments.due());
        Duration until = moments.first().orElse(most);
        return until.compareTo(most) > 0 ? most : until;
    }
}
