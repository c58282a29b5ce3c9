package dev.pawl.internal.engine;

import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.store.NextMoment;
import dev.pawl.internal.store.WorkSource;
import dev.pawl.internal.wake.WakeHub;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a worker that has nothing to do send nothing at all: it asks once for the next moment that matters, and sleeps until
 * then, or until somebody wakes it. Only if somebody can, or if the user has said how long it may sleep all the same. Used by
 * the fetcher's thread.
 */
final class IdleSuspend {
    /** After a job, news or a sleep, so that every duty has its turn. */
    static final Duration AWAKE = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.worker");
    /** For less it is not worth the questions. */
    private static final Duration SHORTEST = Duration.ofSeconds(2);

    private static final long ASK_AGAIN = TimeUnit.SECONDS.toNanos(5);
    private static final long COMPLAIN_AFTER = TimeUnit.SECONDS.toNanos(30);
    /** The time alone would also count an outage. */
    private static final int COMPLAIN_AFTER_ROUNDS = 20;

    private final WorkerConfig config;
    private final NextMoment next;
    private final WorkerRegistration registration;
    private final FetchSignal signal;
    private final IdleGate idleGate;
    private final Runnable lookForBatches;
    private final boolean canBeWoken;
    private final Supplier<Set<String>> keyed;
    private final List<Precondition> preconditions;
    private volatile WakeHub.Listening listening = () -> {};
    private volatile Duty.Work finalCheck = () -> {};
    private volatile Runnable onWaking = () -> {};
    private long activeNanos = System.nanoTime();
    private long askNanos = System.nanoTime();
    private boolean reachable;
    private boolean wasBusy;
    private long unreachableNanos;
    private int unreachableRounds;
    private boolean complained;

    /** Something that has to be in order before the worker may sleep. */
    @FunctionalInterface
    interface Precondition {
        /** {@return whether it is, and was looked after since that moment} */
        boolean holdsSince(long nanos);
    }

    /**
     * @param lookForBatches makes a duty see what batches have left to be done, which other processes may have left
     * @param canBeWoken whether other processes can be heard at all
     * @param keyed the queues in which there may be jobs with keys
     * @param settled all of it
     */
    IdleSuspend(
            WorkerConfig config,
            NextMoment next,
            WorkerRegistration registration,
            FetchSignal signal,
            IdleGate idleGate,
            Runnable lookForBatches,
            boolean canBeWoken,
            Supplier<Set<String>> keyed,
            List<Precondition> preconditions) {
        this.config = config;
        this.next = next;
        this.registration = registration;
        this.signal = signal;
        this.idleGate = idleGate;
        this.lookForBatches = lookForBatches;
        this.canBeWoken = canBeWoken;
        this.keyed = keyed;
        this.preconditions = List.copyOf(preconditions);
    }

    /**
     * @param ear how it hears of jobs
     * @param look what is done before it sleeps, after which it may no longer want to: reads what is read only now and then
     * @param waking what is done as soon as it wakes
     */
    void wire(WakeHub.Listening newListening, Duty.Work newFinalCheck, Runnable newOnWaking) {
        listening = newListening;
        finalCheck = newFinalCheck;
        onWaking = newOnWaking;
    }

    /**
     * A round of claims begins: jobs that it does not see must be heard of.
     *
     * @param isIdle whether the worker holds no job
     */
    void beforeRound(boolean isIdle) {
        if (config.maxSuspend() != null) {
            reachable = !canBeWoken || listening.hears();
            if (wasBusy || !isIdle) { // the time counts from the end of what it did, not from the last claim
                activeNanos = System.nanoTime();
            }
            wasBusy = !isIdle;
        }
    }

    /** There was something to do. */
    void active() {
        activeNanos = System.nanoTime();
        wasBusy = true;
    }

    /**
     * Sleeps, if it may, after a round that has found nothing.
     *
     * @return whether it has slept
     * @throws SQLException if the database cannot be asked
     */
    boolean suspend() throws SQLException, InterruptedException {
        Duration most = config.maxSuspend();
        if (most == null || !maySuspend() || System.nanoTime() - askNanos < 0 || !idleGate.close()) {
            return false;
        }
        try {
            askNanos = System.nanoTime() + ASK_AGAIN;
            finalCheck.run();
            if (!areMet()) {
                return false;
            }
            Duration wait = untilNext(most);
            if (wait.compareTo(SHORTEST) < 0) {
                return false;
            }
            registration.asleep(wait);
            LOG.debug("{}: sleeps for {}, unless it is woken", config.name(), Spoken.of(wait));
            listening.silent(true);
            signal.awaitAnything(wait.toNanos());
        } finally {
            listening.silent(false);
            idleGate.open();
        }
        active();
        lookForBatches.run(); // what woke it may have been that
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

    /** News that nobody waited for counts, too: what it was about may be read only now and then. */
    private boolean areMet() {
        long told = signal.toldNanos();
        long last = told - activeNanos > 0 ? told : activeNanos;
        return System.nanoTime() - last >= AWAKE.toNanos() && preconditions.stream().allMatch(each -> each.holdsSince(last));
    }

    private void unreachableRound(long now) {
        unreachableNanos = unreachableRounds++ == 0 ? now : unreachableNanos;
        if (!complained && unreachableRounds > COMPLAIN_AFTER_ROUNDS && now - unreachableNanos >= COMPLAIN_AFTER) {
            complained = true;
            LOG.warn(
                    "{}: does not sleep while it is idle, because LISTEN does not work through its pool (a transaction"
                            + " pooler?): give it a direct connection, or open the queue with notifications(false) and"
                            + " choose suspendWhenIdle(atMost)",
                    config.name());
        }
    }

    private Duration untilNext(Duration most) throws SQLException {
        NextMoment.Moments moments = next.until(
                config.order().names(),
                config.handlers().kinds(),
                keyed.get(),
                config.schedules().stream().map(Declaration::name).toList());
        if (moments.due().contains(WorkSource.BATCHES)) {
            lookForBatches.run();
        }
        Duration until = moments.first().orElse(most);
        return until.compareTo(most) > 0 ? most : until;
    }
}
