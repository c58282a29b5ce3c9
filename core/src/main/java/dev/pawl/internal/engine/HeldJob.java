package dev.pawl.internal.engine;

import dev.pawl.Job;
import dev.pawl.internal.quota.Limiter;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A job that this worker holds, from the claim until its outcome is recorded or its lease is lost, and the strategy that
 * claimed it. Thread-safe: guarded by itself; what each run is asked about, and hardly ever changes, is volatile and read without the lock.
 * The only clock here is {@link System#nanoTime}: it tells how long the lease certainly lasts, counted from before the claim or
 * renewal was sent.
 */
final class HeldJob {
    /** Why a running handler should end before it is done. */
    enum Stop {
        /** The lease ran out or was taken. */
        LEASE_LOST,
        /** A person cancelled the job. */
        CANCELLED,
        /** The handler's timeout has passed. */
        TIMED_OUT,
        /** The worker stops and its grace time is over. */
        WORKER_STOPS
    }

    /**
     * A conflict with another transaction, because of which one of the run's was rolled back.
     *
     * @param by what it failed with
     * @param isOurs whether a statement of this library, or the commit, has found it
     */
    record Conflict(Throwable by, boolean isOurs) {}

    private final Job job;
    private final Lease lease;
    private final ClaimStrategy strategy;
    private final LeaseTerms terms;
    private final long claimSentNanos;
    private final int cost;
    private volatile boolean announced;
    private boolean begunElsewhere;
    private long leaseEndNanos;
    private long askedNanos;
    private @Nullable Long goneNanos;
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
    /** What becomes of it when its handler, which was left to itself, has ended. */
    private @Nullable Verdict untilEnd;

    private volatile boolean replaced;
    private boolean inTransaction;
    private boolean stalled;
    private volatile boolean committed;
    private volatile @Nullable Duration suspendedFor;
    private boolean cancelledAsItWaited;
    private @Nullable String unkept;
    /** Since when no renewal has succeeded, however often it was tried. */
    private @Nullable Long unheardNanos;

    private volatile @Nullable Conflict conflict;
    private volatile boolean workerStops;
    private volatile @Nullable String result;
    private @Nullable Integer progress;
    private volatile @Nullable Limiter limiter;
    private long startEndNanos = Limiter.ANY_TIME;
    /** Guarded by the lock of the buffer. */
    private int places;
    /** Taken out of the buffer with this one, to be handled by the same call. */
    private List<HeldJob> others = List.of();

    private volatile @Nullable ChunkCall call;

    /**
     * @param grant what was claimed
     * @param strategy that claimed it
     * @param ahead whether it was claimed before a handler was free; if not, and nothing is at stake but the first of
     *     several attempts, the claim has told the database that the job may have begun
     * @param claimSentNanos before the claim was sent
     * @param terms of its lease
     */
    HeldJob(Grant grant, ClaimStrategy strategy, boolean ahead, long claimSentNanos, LeaseTerms terms) {
        this.job = grant.job();
        this.lease = grant.lease();
        this.strategy = strategy;
        this.announced = !ahead && !isAnnouncedAlone();
        this.terms = terms;
        this.cost = job.cost();
        this.claimSentNanos = claimSentNanos;
        this.askedNanos = claimSentNanos;
        this.leaseEndNanos = terms.endOf(claimSentNanos);
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

    Duration leaseLength() {
        return terms.length();
    }

    /** About how much memory the payload takes: a character is one or two bytes. */
    int size() {
        return job.payload().length();
    }

    /** How many starts of a rate it takes. */
    int cost() {
        return cost;
    }

    /** It has entered this gate, and is to leave it when it has ended. */
    synchronized void acquired(Limiter by, long startEnd) {
        startEndNanos = startEnd; // before the gate, which says that it is there
        limiter = by;
    }

    /** {@return whether it took so long to begin that it must ask again whether it may} */
    boolean mustReacquire() {
        return limiter != null && startEndNanos != Limiter.ANY_TIME && System.nanoTime() - startEndNanos >= 0;
    }

    /** {@return the gate that it has entered and not left; null if there is none} */
    @Nullable
    Limiter limiter() {
        return limiter;
    }

    /** {@return the gate to leave, if it has entered one; only once} */
    @Nullable
    Limiter takeLimiter() {
        if (limiter == null) {
            return null;
        }
        synchronized (this) {
            Limiter taken = limiter;
            limiter = null;
            return taken;
        }
    }

    boolean isAnnounced() {
        return announced;
    }

    synchronized void announced() {
        announced = true;
    }

    /** Whoever runs it will say when it begins; this worker announces nothing. */
    synchronized void leaveBeginningToOthers() {
        begunElsewhere = true;
        announced = true;
    }

    synchronized boolean isAnnouncedHere() {
        return announced && !begunElsewhere;
    }

    /**
     * A job that was tried before, or has only one attempt, is announced only when a handler is there to take it:
     * should the worker die, the job must not lose an attempt that it never had.
     */
    boolean isAnnouncedAlone() {
        return job.attempt() > 1 || job.attempt() >= job.maxAttempts();
    }

    /** {@return whether it comes too late: by the database's clock, which has gone on since the claim} */
    boolean isExpired() {
        Instant expires = job().expiresAt().orElse(null);
        Instant claimed = job().startedAt();
        return expires != null
                && claimed != null
                && !claimed.plusNanos(System.nanoTime() - claimSentNanos).isBefore(expires);
    }

    /**
     * The handler is about to be called by this thread; false if the lease may be over already.
     *
     * @param number of the thread
     * @param timeout of its handler; the job's own goes before it
     */
    synchronized boolean begin(Thread runner, int number, @Nullable Duration timeout) {
        long now = System.nanoTime();
        if (stop != null || now - leaseEndNanos >= 0) {
            return false;
        }
        begun = true;
        begunNanos = now;
        handler = number;
        thread = runner;
        limit = job.timeout().orElse(timeout);
        timeoutNanos = limit == null ? Long.MAX_VALUE : now + limit.toNanos();
        return true;
    }

    /** {@return how long after its claim it has begun} */
    synchronized Duration sinceClaim() {
        return Duration.ofNanos(begunNanos - claimSentNanos);
    }

    /** {@return how long ago it was claimed} */
    long sinceClaim(long now) {
        return now - claimSentNanos;
    }

    /** {@return for how long its handler ran, once it has ended; 0 if it has not begun} */
    synchronized long ranNanos() {
        return ranNanos;
    }

    /** It has taken so many places of its worker. */
    void takes(int count) {
        places = count;
    }

    /** {@return how many places it has; none where they are not counted} */
    int places() {
        return places;
    }

    /** {@return how many places are free now; once} */
    int leaves() {
        int left = places;
        places = 0;
        return left;
    }

    /** These are to be handled by the same call. By the thread that takes this one out of the buffer. */
    void together(List<HeldJob> with) {
        others = with;
    }

    /** {@return those to be handled by the same call; usually none} */
    List<HeldJob> others() {
        return others;
    }

    /** It is about to be handled with others. */
    synchronized void shares(ChunkCall with) {
        call = with;
    }

    /** {@return the job that holds the places for it: usually itself} */
    synchronized HeldJob placeHolder() {
        return call == null ? this : call.first();
    }

    /**
     * The handler has returned; from here on nobody interrupts the thread for this job. Whoever has interrupted a call for all of its
     * jobs may have told only some of them before it ended.
     */
    synchronized void end() {
        thread = null;
        ranNanos = begun ? System.nanoTime() - begunNanos : 0;
        if (call != null && stop == null && !committed) {
            stop = call.forAll();
        }
    }

    /** {@return for how long its handler has been running, if that is longer, and it is news; else 0} */
    synchronized long stalled(long nanos, long now) {
        if (stalled || !isRunningFor(nanos, now)) {
            return 0;
        }
        stalled = true;
        return now - begunNanos;
    }

    /** {@return what its handler is doing; null if none runs} While this looks, the thread cannot go on to another job. */
    synchronized @Nullable String stack() {
        return thread == null ? null : StackText.of(thread.getState(), thread.getStackTrace());
    }

    /** {@return whether the thread of its handler is such a one; false if none runs} */
    synchronized boolean isOn(Predicate<Thread> such) {
        return thread != null && such.test(thread);
    }

    /** Its worker claims no more; its handler may go on for a time. */
    void workerStops() {
        workerStops = true;
    }

    /** {@return whether its worker stops, or the run is to end for another reason} */
    boolean isStopping() {
        return workerStops || stop != null;
    }

    /** {@return whether its handler has been running for so long} */
    synchronized boolean isRunningFor(long nanos, long now) {
        return thread != null && now - begunNanos >= nanos;
    }

    /**
     * {@return the handler, if it goes on although it was interrupted so long ago, and may be left to itself; once, and once more if the
     * lease is lost of a job that was to be kept until the end} From then on whatever it does has no effect on the job. In a transaction of
     * its own it keeps the job's row to itself, so nobody can do anything about it.
     */
    synchronized @Nullable Ignorance abandon(long nanos, long now) {
        if (untilEnd != null && thread != null && stop == Stop.LEASE_LOST) {
            untilEnd = null;
            return new Ignorance(thread, handler, Stop.LEASE_LOST);
        }
        if (thread == null || stop == null || abandoned || committed || inTransaction) {
            return null;
        }
        if (call == null ? now - stoppedNanos < nanos : !call.isInterruptedFor(nanos, now)) {
            return null;
        }
        abandoned = true;
        return new Ignorance(thread, handler, stop);
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /**
     * Keeps the job although its handler was left to itself: what has become of it is to be recorded when that has ended.
     *
     * @return false if it has ended already
     */
    synchronized boolean keepUntilEnd(Verdict verdict) {
        if (thread == null) {
            return false;
        }
        untilEnd = verdict;
        return true;
    }

    /** {@return what is to be recorded now that its handler has ended; null for nothing} */
    synchronized @Nullable Verdict takeUntilEnd() {
        Verdict taken = untilEnd;
        untilEnd = null;
        return taken;
    }

    /**
     * Has another thread take the place of the one that it runs on, unless its handler has ended: what that thread does next
     * waits until this is decided.
     *
     * @param replacement starts it; false if it cannot
     */
    synchronized void replace(BooleanSupplier replacement) {
        if (thread != null) {
            replaced = call == null ? replacement.getAsBoolean() : call.replace(replacement);
        }
    }

    /** {@return whether another thread has taken the place of the one that it runs on, be it for another job of its chunk} */
    boolean isReplaced() {
        ChunkCall with = call;
        return replaced || (with != null && with.isReplaced());
    }

    synchronized boolean hasBegun() {
        return begun;
    }

    /** An interrupt that is not ours (a listener may leave one behind) is not meant for the handler. */
    void ignoreForeignInterrupt() {
        if (Thread.currentThread().isInterrupted()) {
            synchronized (this) {
                boolean unused = stop == null && Thread.interrupted();
            }
        }
    }

    /**
     * Interrupts the handler, unless it has been interrupted already; if it has not begun, it never will. A lost lease
     * overrides any other reason: there is nothing left to renew, even if the handler ignores the interrupt.
     */
    synchronized void stop(Stop why) {
        boolean news = stop == null || (why == Stop.LEASE_LOST && stop != Stop.LEASE_LOST);
        if (news && !committed) {
            boolean told = stop != null;
            stop = why;
            if (thread != null && !told) {
                stoppedNanos = System.nanoTime();
                if (call == null) {
                    thread.interrupt();
                } else {
                    call.stop(thread, why);
                }
            }
        }
    }

    /**
     * The job is no longer running, or not for us. While its transaction is open, that may be the transaction's own
     * commit, seen a moment before the handler's thread knows of it; but only for a moment.
     */
    synchronized void gone(long now) {
        unheardNanos = null;
        if (!inTransaction) {
            stop(Stop.LEASE_LOST);
        } else if (goneNanos == null) {
            goneNanos = now;
        } else if (terms.isOverdue(now - goneNanos)) {
            stop(Stop.LEASE_LOST);
        }
    }

    @Nullable
    Stop stopped() {
        return stop;
    }

    /** The database has extended the lease, as asked for at the given moment. */
    synchronized void renewed(long sentNanos) {
        askedNanos = sentNanos;
        goneNanos = null;
        unheardNanos = null;
        leaseEndNanos = terms.endOf(sentNanos);
    }

    /**
     * The renewal sent at the given moment found the row locked. While it is, nobody can rescue the job, so the run
     * goes on for a moment, and the next renewal is due at once.
     */
    synchronized void locked(long sentNanos) {
        unheardNanos = null;
        long moment = terms.momentFrom(sentNanos);
        if (moment - leaseEndNanos > 0) {
            leaseEndNanos = moment;
        }
    }

    /** The renewal sent at the given moment failed. */
    synchronized void unheard(long sentNanos) {
        if (unheardNanos == null) {
            unheardNanos = sentNanos;
        }
    }

    /** A renewal is due when a part of the lease has gone, or there is progress to write. */
    synchronized boolean wantsRenewal(long now) {
        return stop != Stop.LEASE_LOST && !committed && (progress != null || terms.isRenewalDue(now - askedNanos));
    }

    /**
     * A job that is locked by its handler's transaction cannot be rescued, so its lease does not run out, unless the
     * database has been away for so long that the transaction must be dead.
     */
    synchronized boolean isOver(long now) {
        boolean over = inTransaction
                ? unheardNanos != null && terms.isTransactionDead(now - unheardNanos)
                : now - leaseEndNanos >= 0;
        return over && !committed;
    }

    /**
     * {@return whether others may have the job although it is still held here} Its lease has been over for as long as it was, so it is not
     * just being told, and its handler goes on all the same. An outcome that is known is recorded, however late.
     */
    synchronized boolean isGivenUp(long now) {
        boolean ended = begun && thread == null;
        return !ended && isOver(now - terms.length().toNanos());
    }

    synchronized boolean isTimedOut(long now) {
        return thread != null && timeoutNanos != Long.MAX_VALUE && now - timeoutNanos >= 0;
    }

    /** {@return how long its run may take; null for as long as it likes} */
    synchronized @Nullable Duration limit() {
        return limit;
    }

    synchronized @Nullable Duration timeLeft() {
        return timeoutNanos == Long.MAX_VALUE ? null : Duration.ofNanos(Math.max(0, timeoutNanos - System.nanoTime()));
    }

    synchronized void transaction(boolean open) {
        inTransaction = open;
        goneNanos = null;
        unheardNanos = null;
    }

    synchronized boolean isInTransaction() {
        return inTransaction;
    }

    synchronized void commit() {
        committed = true;
        if (call != null && stop == null) {
            call.over();
        }
    }

    boolean isCommitted() {
        return committed;
    }

    /** Its transaction was rolled back because of a conflict with another one. */
    void conflict(Throwable by, boolean isOurs) {
        conflict = new Conflict(by, isOurs);
    }

    /** {@return the last conflict of its transactions; null if there was none} */
    @Nullable
    Conflict conflict() {
        return conflict;
    }

    /** Its run has ended itself, and was recorded as it did: the job is available again after so long. */
    synchronized void suspend(Duration length, boolean isCancelled) {
        committed = true;
        suspendedFor = length;
        cancelledAsItWaited = isCancelled;
    }

    /** {@return whether it was cancelled instead of waiting, because somebody had asked it to stop} */
    synchronized boolean isCancelledAsItWaited() {
        return cancelledAsItWaited;
    }

    /** What a step gave cannot be kept, so another attempt would do its work again. */
    synchronized void cannotKeep(String step) {
        unkept = step;
    }

    /** {@return the step whose value cannot be kept; null if there is none} */
    synchronized @Nullable String unkept() {
        return unkept;
    }

    /** {@return for how long the job waits; null if its run did not end itself} */
    @Nullable
    Duration suspendedFor() {
        return suspendedFor;
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

    /** Keeps progress that could not be written, unless there is newer. */
    synchronized void untakeProgress(@Nullable Integer taken) {
        if (progress == null) {
            progress = taken;
        }
    }
}
