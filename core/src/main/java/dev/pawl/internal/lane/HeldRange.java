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
 * A range that this worker has claimed, and what it knows of it. Others may move its jobs to rows of their own (a person
 * cancels one, its lease runs out); {@link Plan} tells whether that has happened. Thread-safe.
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
    /** The jobs that this worker has not let go of. */
    private final BitSet held = new BitSet();

    private boolean isInDoubt;
    private final ReentrantLock moving = new ReentrantLock();
    private final long claimedNanos = System.nanoTime();
    private volatile long touchedNanos = claimedNanos;
    private volatile long leaseNanos;

    /**
     * @param key which
     * @param worker who holds it
     * @param token of the claim
     * @param ids its jobs
     * @param kinds theirs, place by place
     * @param lease how long it lasts
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

    /** Held while jobs of it are given rows: whoever waits for it may find that nothing is left to do. */
    ReentrantLock moving() {
        return moving;
    }

    synchronized void hold(BitSet places) {
        held.or(places);
    }

    /** {@return whether nothing is held any more} */
    synchronized boolean letGo(BitSet places) {
        held.andNot(places);
        return held.isEmpty();
    }

    synchronized boolean isHeld(int place) {
        return place >= 0 && held.get(place);
    }

    String kind(int place) {
        return kinds.get(place);
    }

    /** {@return the places of jobs of such kinds} */
    BitSet placesOf(Predicate<String> these) {
        BitSet places = new BitSet();
        for (int place = 0; place < kinds.size(); place++) {
            if (these.test(kinds.get(place))) {
                places.set(place);
            }
        }
        return places;
    }

    /**
     * What a write of completions rests on, all of one moment (guard, twin {@code OneLook}).
     *
     * @param range of which
     * @param done all that is done then
     * @param moved which have moved so far; if they are others in the table, nothing is written
     * @param completed how many were done before; the same for their number
     */
    record Plan(HeldRange range, BitSet done, BitSet moved, int completed) {
        boolean isAll() {
            return done.cardinality() + moved.cardinality() == range.ids.size();
        }
    }

    /** {@return how to record these; null if something speaks against writing all bits at once} */
    synchronized @Nullable Plan plan(BitSet newly) {
        if (isInDoubt || moved.intersects(newly)) {
            return null;
        }
        BitSet all = (BitSet) done.clone();
        all.or(newly);
        return new Plan(this, all, (BitSet) moved.clone(), done.cardinality());
    }

    synchronized boolean hasMoved(int place) {
        return moved.get(place);
    }

    /** The reply to a write was lost: the bits in the table may be more than are known here. */
    synchronized void doubt() { // guard (twin DoubtLooks)
        isInDoubt = true;
    }

    synchronized void recorded(BitSet nowDone) {
        done.or(nowDone);
    }

    /** What the table says. */
    synchronized void learn(BitSet doneThere, BitSet movedThere) {
        done.or(doneThere);
        learnMoved(movedThere);
        isInDoubt = false;
    }

    /**
     * One that was completed here has moved if a person tries it again. One that had moved has not if the database has lost that commit.
     */
    synchronized void learnMoved(BitSet movedThere) {
        moved.clear();
        moved.or(movedThere);
        done.andNot(moved); // guard (twin DoneLessMoved)
    }

    /** Its lease is renewed. */
    void touch(Duration lease) {
        leaseNanos = Math.max(leaseNanos, lease.toNanos());
        touchedNanos = System.nanoTime();
    }

    /** {@return whether what is left of it takes long} */
    boolean isOld() {
        return System.nanoTime() - claimedNanos > OLD_NANOS;
    }

    /** {@return whether nothing has been done with it for so long since its lease was over} */
    boolean isOverFor(long nanos) {
        return System.nanoTime() - touchedNanos > leaseNanos + nanos;
    }
}
