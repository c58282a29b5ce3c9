package dev.pawl.internal.lane;

import dev.pawl.internal.store.Lease;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A range that this worker has claimed, with its state as far as this worker knows it. Other transactions may move jobs of the range to
 * rows of their own, because a user cancels a job or the lease expires. A {@link Plan} made before such a move is refused. Thread-safe.
 */
final class HeldRange {
    private static final long OLD_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final RangeKey key;
    private final long worker;
    private final long token;
    private final IdSet ids;
    private final List<String> kinds;
    private final BitSet done = new BitSet();
    private final BitSet moved = new BitSet();
    /** The jobs that this worker has not released. */
    private final BitSet held = new BitSet();

    /** Jobs whose handlers have opened a transaction that completes them. */
    private final BitSet inTransaction = new BitSet();
    /**
     * Jobs whose handlers have requested a transaction that completes them. If the reply to its commit was lost, only the fence shows
     * whether the job is completed.
     */
    private final BitSet hadTransaction = new BitSet();
    /**
     * Jobs to which this worker may be giving rows. Their handlers begin no transaction, because the move would wait for it while the range
     * is locked.
     */
    private final BitSet leaving = new BitSet();

    private int leavingParts;

    private boolean isInDoubt;
    private final ReentrantLock moving = new ReentrantLock();
    private final long claimedNanos = System.nanoTime();
    private volatile long touchedNanos = claimedNanos;
    private volatile long leaseNanos;

    /**
     * @param key of the range
     * @param worker that holds it
     * @param token of the claim
     * @param ids of its jobs
     * @param kinds of its jobs, by position
     * @param lease duration of the lease
     */
    HeldRange(RangeKey key, long worker, long token, IdSet ids, List<String> kinds, Duration lease) {
        this.leaseNanos = lease.toNanos();
        this.key = key;
        this.worker = worker;
        this.token = token;
        this.ids = ids;
        this.kinds = kinds;
    }

    RangeKey key() {
        return key;
    }

    long worker() {
        return worker;
    }

    long token() {
        return token;
    }

    Lease lease(long job) {
        return new Lease(job, token, this);
    }

    IdSet ids() {
        return ids;
    }

    /**
     * The lock that is held while jobs of this range get rows. A thread that has waited for the lock may find that its jobs have moved
     * already.
     */
    ReentrantLock moving() {
        return moving;
    }

    synchronized void hold(BitSet places) {
        held.or(places);
    }

    /** {@return whether this worker holds no job of the range any more} */
    synchronized boolean release(BitSet places) {
        held.andNot(places);
        return held.isEmpty();
    }

    synchronized boolean isHeld(int place) {
        return place >= 0 && held.get(place);
    }

    String kind(int place) {
        return kinds.get(place);
    }

    /** {@return the positions of jobs of these kinds} */
    BitSet positionsOf(Predicate<String> these) {
        BitSet places = new BitSet();
        for (int place = 0; place < kinds.size(); place++) {
            if (these.test(kinds.get(place))) {
                places.set(place);
            }
        }
        return places;
    }

    /**
     * A consistent snapshot from which completions are written (guard {@code OneLook} of the model {@code lanes.als}).
     *
     * @param range to write to
     * @param done all jobs that are completed after the write
     * @param moved jobs that this worker knows to have moved; if the table has a different set, nothing is written
     * @param before jobs that this worker knows to be completed before the write; if the table has a different set, nothing is written
     */
    record Plan(HeldRange range, BitSet done, BitSet moved, BitSet before) {
        boolean isAll() {
            return done.cardinality() + moved.cardinality() == range.ids.size();
        }
    }

    /** {@return how to record these completed jobs; null if not all bits can be written in one statement} */
    synchronized @Nullable Plan plan(BitSet newly) {
        if (isInDoubt
                || moved.intersects(newly)
                // a job may be completed already (guard AsksFence of the model fences.als)
                || hadTransaction.intersects(newly)) {
            return null;
        }
        BitSet all = (BitSet) done.clone();
        all.or(newly);
        return new Plan(this, all, (BitSet) moved.clone(), (BitSet) done.clone());
    }

    synchronized boolean hasMoved(int place) {
        return moved.get(place);
    }

    /** {@return whether the job is neither done nor moved, as far as this worker knows} */
    synchronized boolean isLeft(int place) {
        return !done.get(place) && !moved.get(place);
    }

    /**
     * {@return false if the job needs a row, because it has moved or is about to move, or its handler had a transaction before (guard
     * {@code OneTransaction} of the model {@code fences.als})} Until {@link #endTransaction}, this worker does not move the job.
     */
    synchronized boolean beginTransaction(int place) {
        boolean begins = !moved.get(place) && !leaving.get(place) && !hadTransaction.get(place);
        hadTransaction.set(place);
        if (begins) {
            inTransaction.set(place);
        }
        return begins;
    }

    /**
     * {@return whether {@link #beginTransaction} was called for the job; if so, only this job needs a row, and not all jobs of its kind}
     */
    synchronized boolean hadTransaction(int place) {
        return hadTransaction.get(place);
    }

    synchronized void endTransaction(int place) {
        inTransaction.clear(place);
    }

    /** {@return jobs between {@link #beginTransaction} and its end} */
    synchronized BitSet inTransaction() {
        return (BitSet) inTransaction.clone();
    }

    /**
     * Begins to give jobs rows. No transaction of these jobs begins until {@link #haveLeft}, which must be called afterwards.
     *
     * @return the jobs without an open transaction; any other job is completed by its transaction, or is
     *     still in the range when that transaction ends
     */
    synchronized BitSet leave(BitSet places) {
        BitSet free = (BitSet) places.clone();
        free.andNot(inTransaction);
        leaving.or(free);
        leavingParts++;
        return free;
    }

    synchronized void haveLeft() {
        leavingParts--;
        if (leavingParts == 0) { // parts may overlap
            leaving.clear();
        }
    }

    /** Called when the reply to a write was lost, because the table may then have more bits than this object. */
    synchronized void mayHaveMoreBits() { // guard DoubtLooks of the model lanes.als
        isInDoubt = true;
    }

    synchronized void recorded(BitSet nowDone) {
        done.or(nowDone);
    }

    /** Takes over the bits that were read from the table. Some bits of this object may be missing there, if the database has lost them. */
    synchronized void update(BitSet doneThere, BitSet movedThere) {
        done.clear();
        done.or(doneThere);
        learnMoved(movedThere);
        isInDoubt = false;
    }

    /**
     * Takes over the moved jobs from the table. A completed job has moved if a user retried it. A job that had moved is in the range again
     * if the database has lost the commit of the move.
     */
    synchronized void learnMoved(BitSet movedThere) {
        moved.clear();
        moved.or(movedThere);
        done.andNot(moved); // guard DoneLessMoved of the model lanes.als
    }

    /** Records that the lease was renewed. */
    void renewed(Duration lease) {
        leaseNanos = Math.max(leaseNanos, lease.toNanos());
        touchedNanos = System.nanoTime();
    }

    /** {@return whether the range was claimed more than two minutes ago} */
    boolean isOld() {
        return System.nanoTime() - claimedNanos > OLD_NANOS;
    }

    /** {@return whether the lease expired at least this long ago, and was not renewed since} */
    boolean hasExpiredFor(long nanos) {
        return System.nanoTime() - touchedNanos > leaseNanos + nanos;
    }
}
