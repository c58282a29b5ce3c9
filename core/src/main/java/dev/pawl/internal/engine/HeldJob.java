package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.internal.store.Admission.Limiter;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A job that this worker holds, from the claim until its outcome is recorded or its lease is lost, and the strategy that claimed it.
 * Thread-safe: guarded by itself; state that each run reads and that hardly ever changes is volatile.
 */
final class HeldJob {
    /** Why a running handler should end early. */
    enum Stop {
        /** The lease expired or was taken over. */
        LEASE_LOST,
        /** The job was cancelled. */
        CANCELLED,
        /** The handler's timeout has passed. */
        TIMED_OUT,
        /** The worker stops and its grace period is over. */
        WORKER_STOPS
    }

    /**
     * A conflict with another transaction, which rolled back a transaction of the run.
     *
     * @param by the failure
     * @param isOurs whether a statement of this library or the commit failed, and not a statement of the handler
     */
    record Conflict(Throwable by, boolean isOurs) {}

    /**
     * A suspension that the run itself has requested and the database has recorded.
     *
     * @param length the time after which the job is available again
     * @param isCancelled whether the job was cancelled instead, because a cancellation was requested
     */
    record Suspension(Duration length, boolean isCancelled) {}

    private final Job job;
    private final Lease lease;
    private final ClaimStrategy strategy;
    private final LeaseTerms terms;
    private final LeaseClock clock;
    private final long claimSentNanos;
    /**
     * When the reply to the claim arrived. {@link #isExpired} counts from here, because the claim may have waited for other transactions
     * before it read the database's clock.
     */
    private final long receivedNanos;

    private final int cost;
    private volatile boolean startLogged;
    private boolean startReported;
    private @Nullable Thread thread;
    private volatile @Nullable Stop stop;
    private @Nullable Duration limit;
    private long timeoutNanos = Long.MAX_VALUE;
    private boolean begun;
    private long begunNanos;
    private long ranNanos;
    private long stoppedNanos;
    private int handler;
    private volatile boolean abandoned;
    /** The verdict to record when the abandoned handler has ended. */
    private @Nullable Verdict untilEnd;

    private volatile boolean replaced;
    private boolean stalled;
    private volatile boolean committed;
    private volatile @Nullable Suspension suspension;
    private volatile @Nullable String unkept;
    private volatile @Nullable Conflict conflict;
    private volatile boolean workerStops;
    private volatile @Nullable String result;
    private @Nullable Integer progress;
    private volatile @Nullable StartPermit permit;
    /** Guarded by the lock of the buffer. */
    private int usedCapacity;
    /** Used only by the thread that runs the job. */
    private boolean mayLoseCapacity;

    private volatile @Nullable SharedCall call;

    /**
     * @param grant the claimed job and its lease
     * @param strategy that claimed it
     * @param ahead whether it was prefetched; if it was not, and this is the first of several attempts, the claim itself logged the start
     * @param claimSentNanos the {@link System#nanoTime} before the claim was sent
     * @param terms of its lease
     */
    HeldJob(Grant grant, ClaimStrategy strategy, boolean ahead, long claimSentNanos, LeaseTerms terms) {
        this.job = grant.job();
        this.lease = grant.lease();
        this.strategy = strategy;
        this.startLogged = !ahead && !isStartLoggedAlone();
        this.terms = terms;
        this.cost = job.cost();
        this.claimSentNanos = claimSentNanos;
        this.receivedNanos = System.nanoTime();
        this.clock = new LeaseClock(terms, claimSentNanos);
    }

    Job job() {
        return job;
    }

    Lease lease() {
        return lease;
    }

    ClaimStrategy strategy() {
        return strategy;
    }

    LeaseClock clock() {
        return clock;
    }

    Duration leaseLength() {
        return terms.length();
    }

    /** Approximate memory use of the payload: a character takes one or two bytes. */
    int size() {
        return job.payload().length();
    }

    /** How many starts the job uses up where a rate limits starts. */
    int cost() {
        return cost;
    }

    void acquired(StartPermit acquired) {
        permit = acquired;
    }

    boolean mustReacquire() {
        StartPermit acquired = permit;
        return acquired != null && acquired.isOver();
    }

    /** {@return the limiter that it has acquired and not released; null if there is none} */
    @Nullable
    Limiter limiter() {
        StartPermit acquired = permit;
        return acquired == null ? null : acquired.limiter();
    }

    /** {@return the limiter that the job has acquired and the caller must release; null if there is none, and on further calls} */
    @Nullable
    Limiter takeLimiter() {
        if (permit == null) {
            return null;
        }
        synchronized (this) {
            Limiter taken = limiter();
            permit = null;
            return taken;
        }
    }

    boolean isStartLogged() {
        return startLogged;
    }

    synchronized void startLogged() {
        startLogged = true;
    }

    /** Keeps this worker from logging the start, because a remote worker will report it. */
    synchronized void leaveStartLog() {
        startReported = true;
        startLogged = true;
    }

    synchronized boolean isStartLoggedHere() {
        return startLogged && !startReported;
    }

    /**
     * {@return whether the start is logged only when a handler is ready to take the job} This holds if the job was tried before or has only
     * one attempt. Such a job must not lose an attempt if the worker dies before the handler starts.
     */
    boolean isStartLoggedAlone() {
        return job.attempt() > 1 || job.attempt() >= job.maxAttempts();
    }

    /** {@return whether the job has expired, by the database's clock as of the claim plus the time since} */
    boolean isExpired() {
        Instant expires = job().expiresAt().orElse(null);
        Instant claimed = job().startedAt();
        return expires != null
                && claimed != null
                && !claimed.plusNanos(System.nanoTime() - receivedNanos).isBefore(expires);
    }

    /**
     * Notes that the calling thread is about to call the handler; false if the lease may have expired.
     *
     * @param number of the thread
     * @param timeout of the call; null for none
     */
    synchronized boolean begin(Thread runner, int number, @Nullable Duration timeout) {
        long now = System.nanoTime();
        if (stop != null || clock.isOver(now)) {
            if (call != null) {
                call.finished();
            }
            return false;
        }
        begun = true;
        begunNanos = now;
        handler = number;
        thread = runner;
        limit = timeout;
        timeoutNanos = limit == null ? Long.MAX_VALUE : now + limit.toNanos();
        return true;
    }

    /** {@return the time from its claim to its start} */
    synchronized Duration sinceClaim() {
        return Duration.ofNanos(begunNanos - claimSentNanos);
    }

    /** {@return the time since its claim} */
    long sinceClaim(long now) {
        return now - claimSentNanos;
    }

    /** {@return how long its handler ran, once it has ended; 0 if it did not start} */
    synchronized long ranNanos() {
        return ranNanos;
    }

    /** Notes how much capacity of the worker it uses. */
    void takesCapacity(int count) {
        usedCapacity = count;
    }

    /** {@return how much capacity it uses; 0 while capacity is not counted} */
    int usedCapacity() {
        return usedCapacity;
    }

    /** Lets other workers get its capacity while the database logs starts. */
    void mayLoseCapacity() {
        mayLoseCapacity = true;
    }

    /** {@return whether other workers may have got its capacity; false on further calls} */
    boolean couldLoseCapacity() {
        boolean could = mayLoseCapacity;
        mayLoseCapacity = false;
        return could;
    }

    /** {@return whether other jobs may wait for its end, because it has a concurrency key} */
    boolean isAwaited() {
        return job.key().isPresent();
    }

    /** {@return how much capacity is freed now; 0 on further calls} */
    int releaseCapacity() {
        int freed = usedCapacity;
        usedCapacity = 0;
        return freed;
    }

    /** Notes that it is about to be handled together with other jobs. */
    synchronized void shares(SharedCall with) {
        call = with;
    }

    /** {@return the job that holds its capacity: the first one of its call, or itself} */
    synchronized HeldJob capacityHolder() {
        return call == null ? this : call.first();
    }

    /**
     * The handler has returned; from here on the thread is not interrupted for this job. A stop of the whole call may have reached only
     * some of its jobs before the handler ended, so the reason is taken from the call.
     */
    synchronized void end() {
        thread = null;
        ranNanos = begun ? System.nanoTime() - begunNanos : 0;
        if (call != null && stop == null && !committed) {
            stop = call.forAll();
        }
    }

    /** {@return how long its handler has been running, if that exceeds the limit for the first time; else 0} */
    synchronized long stalled(long nanos, long now) {
        if (stalled || !isRunningFor(nanos, now)) {
            return 0;
        }
        stalled = true;
        return now - begunNanos;
    }

    /** {@return the stack of its handler's thread; null if none runs} The lock keeps the thread from going on to another job. */
    synchronized @Nullable String stack() {
        return thread == null ? null : StackText.of(thread.getState(), thread.getStackTrace());
    }

    /** {@return whether the thread of its handler matches; false if none runs} */
    synchronized boolean isOn(Predicate<Thread> such) {
        return thread != null && such.test(thread);
    }

    /** The worker has stopped claiming; the handler may go on for the grace period. */
    void workerStops() {
        workerStops = true;
    }

    /** {@return whether the worker stops, or the run should end for another reason} */
    boolean isStopping() {
        return workerStops || stop != null;
    }

    /** {@return whether its handler has been running for at least this long} */
    synchronized boolean isRunningFor(long nanos, long now) {
        return thread != null && now - begunNanos >= nanos;
    }

    /**
     * {@return the stuck run, once, if the handler still runs this long after its interrupt; else null} From then on the handler's actions
     * have no effect on the job. A job that is kept until its handler ends is returned again if its lease is lost. Inside the handler's
     * transaction the job is not abandoned, because the transaction locks the job's row against all others.
     */
    synchronized @Nullable StuckRun abandon(long nanos, long now) {
        if (untilEnd != null && thread != null && stop == Stop.LEASE_LOST) {
            untilEnd = null;
            return new StuckRun(thread, handler, Stop.LEASE_LOST, sinceInterrupt(now));
        }
        if (thread == null || stop == null || abandoned || committed || clock.isInTransaction()) {
            return null;
        }
        if (call == null ? now - stoppedNanos < nanos : !call.isInterruptedFor(nanos, now)) {
            return null;
        }
        abandoned = true;
        return new StuckRun(thread, handler, stop, sinceInterrupt(now));
    }

    private Duration sinceInterrupt(long now) {
        return Duration.ofNanos(now - (call == null ? stoppedNanos : call.interruptedNanos()));
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /**
     * Keeps the job although its handler was abandoned: the verdict is recorded when the handler has ended.
     *
     * @return false if the handler has ended already
     */
    synchronized boolean keepUntilEnd(Verdict verdict) {
        if (thread == null) {
            return false;
        }
        untilEnd = verdict;
        return true;
    }

    /** {@return the verdict to record now that the abandoned handler has ended; null for none} */
    synchronized @Nullable Verdict takeUntilEnd() {
        Verdict taken = untilEnd;
        untilEnd = null;
        return taken;
    }

    /**
     * Replaces the thread of its handler, once, unless the handler has ended. The handler's thread waits for this decision before it does
     * anything else.
     *
     * @param replacement starts the new thread; false if it cannot
     */
    synchronized void replace(BooleanSupplier replacement) {
        if (thread != null && !replaced) {
            replaced = call == null ? replacement.getAsBoolean() : call.replace(replacement);
        }
    }

    /** {@return whether its thread was replaced, for this job or for another one of its call} */
    boolean isReplaced() {
        SharedCall with = call;
        return replaced || (with != null && with.isReplaced());
    }

    synchronized boolean hasBegun() {
        return begun;
    }

    /**
     * Called right before the handler, after other code of the user, such as listeners, has run on the same thread. Clears an interrupt
     * that such code has left behind, and repeats an interrupt of {@link #stop} that such code has consumed.
     */
    void correctInterrupt() {
        if (stop != null || call != null || Thread.currentThread().isInterrupted()) {
            synchronized (this) {
                if (call == null) {
                    correctInterrupt(stop != null);
                } else {
                    call.correctInterrupt();
                }
            }
        }
    }

    static void correctInterrupt(boolean isStopped) {
        if (isStopped) {
            Thread.currentThread().interrupt();
        } else {
            boolean unused = Thread.interrupted();
        }
    }

    /**
     * Interrupts the handler, unless it was interrupted before. A job that has not started will not start any more. A lost lease overrides
     * any other reason, because it must not be renewed even if the handler ignores the interrupt.
     */
    synchronized void stop(Stop why) {
        boolean news = stop == null || (why == Stop.LEASE_LOST && stop != Stop.LEASE_LOST);
        if (news && !committed) {
            boolean stopRequested = stop != null;
            stop = why;
            if (thread != null && !stopRequested) {
                stoppedNanos = System.nanoTime();
                if (call == null) {
                    thread.interrupt();
                } else {
                    call.stop(thread, why);
                }
            }
        }
    }

    @Nullable
    Stop stopped() {
        return stop;
    }

    /** {@return whether a renewal is due: a part of the lease has passed, or there is progress to write} */
    synchronized boolean wantsRenewal(long now) {
        return stop != Stop.LEASE_LOST && !committed && (progress != null || clock.isRenewalDue(now));
    }

    /**
     * {@return whether the lease has expired before the run was committed} Checks the lease first, because the run is marked as committed
     * before its transaction counts as ended.
     */
    boolean hasExpired(long now) {
        return clock.hasExpired(now) && !committed;
    }

    /**
     * {@return whether other workers may rescue the job although it is still held here} This is so one lease length after its lease has
     * expired, unless its handler has ended. By then the stop has been delivered. The outcome of an ended handler is still recorded,
     * however late.
     */
    synchronized boolean isGivenUp(long now) {
        boolean ended = begun && thread == null;
        return !ended && hasExpired(now - terms.length().toNanos());
    }

    synchronized boolean isTimedOut(long now) {
        return thread != null && timeoutNanos != Long.MAX_VALUE && now - timeoutNanos >= 0;
    }

    /** {@return the timeout of its run; null for none} */
    synchronized @Nullable Duration limit() {
        return limit;
    }

    synchronized @Nullable Duration timeLeft() {
        return timeoutNanos == Long.MAX_VALUE ? null : Duration.ofNanos(Math.max(0, timeoutNanos - System.nanoTime()));
    }

    synchronized void commit() {
        committed = true;
        if (call != null && stop == null) {
            call.finished();
        }
    }

    boolean isCommitted() {
        return committed;
    }

    /** Notes a rollback because of a conflict with another transaction. */
    void conflict(Throwable by, boolean isOurs) {
        conflict = new Conflict(by, isOurs);
    }

    /** {@return the last conflict of its transactions; null if there was none} */
    @Nullable
    Conflict conflict() {
        return conflict;
    }

    synchronized void suspend(Suspension recorded) {
        committed = true;
        suspension = recorded;
    }

    /** Notes that the value of a step cannot be stored, so another attempt would repeat the step's work. */
    void cannotKeep(String step) {
        unkept = step;
    }

    /** {@return the step whose value cannot be stored; null if there is none} */
    @Nullable
    String unkept() {
        return unkept;
    }

    /** {@return how the run has suspended the job; null if it has not} */
    @Nullable
    Suspension suspension() {
        return suspension;
    }

    synchronized void result(String text) {
        if (committed) {
            throw new IllegalStateException(
                    "job " + job().id() + " is completed already: give its result before its transaction ends");
        }
        result = text;
    }

    @Nullable
    String result() {
        return result;
    }

    synchronized void progress(int percent) {
        progress = percent;
    }

    /** Takes the progress that has not been written yet. */
    synchronized @Nullable Integer takeProgress() {
        Integer taken = progress;
        progress = null;
        return taken;
    }

    /** Restores progress that could not be written, unless newer progress was reported. */
    synchronized void restoreProgress(@Nullable Integer taken) {
        if (progress == null) {
            progress = taken;
        }
    }
}
