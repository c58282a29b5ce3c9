package dev.pawl.internal.engine;

import dev.pawl.internal.store.Mutex;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Capacity that several workers of a process share: together they run no more jobs at once. Every free place is for any of them. If several
 * have waiting jobs, a place goes to the one that uses the fewest, and of equals to the one that got its last place first. Thread-safe.
 *
 * <p>The lock guards the buffers of all its workers, so a place that one of them frees is another's at once.
 */
public final class SharedPlaces {
    /** For how long a place is kept for a worker that searches for a job, should its database be slow. */
    private static final long OFFER_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** For how long a claimed job may wait for a place before it is left to other processes. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Mutex lock = new Mutex();
    private final int count;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final AtomicInteger taken = new AtomicInteger();
    private long turn;

    /**
     * @param count how many jobs run at once
     */
    public SharedPlaces(int count) {
        this.count = count;
    }

    /** {@return how many jobs run at once} */
    public int count() {
        return count;
    }

    /** {@return how many run now} */
    public int taken() {
        return taken.get();
    }

    /** {@return the lock of the buffers of all workers} */
    Mutex lock() {
        return lock;
    }

    private int free() {
        return Math.max(0, count - taken.get());
    }

    /** {@return the part of a worker} */
    Member join() {
        Member member = new Member();
        members.add(member);
        return member;
    }

    /** What a worker does when there are places for it. */
    interface Waiter {
        /** {@return whether a job and a handler wait for a place only} */
        boolean waits();

        /** There may be a place for a waiting job. */
        void jobMayStart();

        /** There is a place for a job that is yet to be claimed. */
        void mayClaim();
    }

    /** A worker's part. Guarded by the lock, except {@link #reach}. */
    final class Member {
        private final AtomicInteger used = new AtomicInteger();
        /** When a job came or started, so that the others have not waited in vain for long. */
        private volatile long movedNanos = System.nanoTime() - GRACE_NANOS;

        private long lastTurn;
        /** Whether the worker would claim if there was a place. */
        private boolean searches;
        /** Until when a place is kept for a job that the worker claims; meaningful only if {@link #isOffered}. */
        private long offerEndNanos;

        private boolean isOffered;
        private Waiter waiter = new NoWaiter();

        void serves(Waiter newWaiter) {
            waiter = newWaiter;
        }

        /** {@return how much capacity the worker uses or could use within a moment} Safe to call from any thread. */
        int reach() {
            return used.get() + free() + (System.nanoTime() - movedNanos < GRACE_NANOS ? 1 : 0);
        }

        /** Claimed jobs wait for places from now on. */
        void jobsCame() {
            movedNanos = System.nanoTime();
        }

        /** {@return how many places are free and not for another worker} */
        int room() {
            int free = free();
            if (free > 0 && members.size() > 1) {
                long now = System.nanoTime();
                for (Member other : members) {
                    if (other != this && other.precedes(this) && other.wants(now)) {
                        return 0;
                    }
                }
            }
            return free;
        }

        private boolean precedes(Member other) {
            int own = used.get();
            int others = other.used.get();
            return own < others || (own == others && lastTurn < other.lastTurn);
        }

        private boolean wants(long now) {
            isOffered &= offerEndNanos - now > 0;
            return isOffered || waiter.waits();
        }

        void take(int places) {
            taken.addAndGet(places);
            used.addAndGet(places);
            lastTurn = ++turn;
            movedNanos = System.nanoTime();
            isOffered = false;
            pass();
        }

        void leave(int places) {
            taken.addAndGet(-places);
            used.addAndGet(-places);
            if (places > 0) {
                pass();
            }
        }

        /** Another worker may use what is free and this one does not take. */
        void pass() {
            if (free() == 0) {
                return;
            }
            for (Member other : members) {
                if (other == this) {
                    continue;
                }
                if (other.searches) {
                    other.searches = false;
                    if (other.precedes(this)) {
                        other.isOffered = true;
                        other.offerEndNanos = System.nanoTime() + OFFER_NANOS;
                    }
                    other.waiter.mayClaim();
                } else if (other.waiter.waits()) {
                    other.waiter.jobMayStart();
                }
            }
        }

        /** The worker is about to claim jobs, or to wait because there is no place for one. */
        void searches(boolean forPlace) {
            searches = forPlace;
        }

        /** The worker has claimed what it could, so no place is kept for it unless a job waits. */
        void searched() {
            searches = false;
            isOffered = false;
            pass();
        }

        /** {@return how long a place that this worker may not take is kept for one that searches; {@link Long#MAX_VALUE} if none is} */
        long untilOffersEnd() {
            long least = Long.MAX_VALUE;
            if (free() > 0) {
                long now = System.nanoTime();
                for (Member other : members) {
                    if (other != this && other.isOffered) {
                        long left = other.offerEndNanos - now;
                        other.isOffered = left > 0;
                        least = Math.min(least, Math.max(1, left)); // tries once more if it has just ended
                    }
                }
            }
            return least;
        }

        /** The worker stops; what its handlers still use is not free. */
        void quit() {
            members.remove(this);
            isOffered = false;
            pass();
        }
    }

    /** Before there is a buffer. */
    private static final class NoWaiter implements Waiter {
        @Override
        public boolean waits() {
            return false;
        }

        @Override
        public void jobMayStart() {
            throw new IllegalStateException("nothing waits");
        }

        @Override
        public void mayClaim() {
            throw new IllegalStateException("nothing searches");
        }
    }
}
