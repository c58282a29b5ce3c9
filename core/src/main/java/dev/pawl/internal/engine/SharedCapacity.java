package dev.pawl.internal.engine;

import dev.pawl.internal.store.Mutex;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Capacity that several workers of a process share: it bounds the number of jobs that they run at once in total. Any worker can use a free
 * place. If several have waiting jobs, a place goes to the worker that uses the fewest places; among equals, to the one that got its last
 * place first. Thread-safe.
 *
 * <p>The lock guards the buffers of all its workers, so another worker can use a place as soon as it is free.
 *
 * <p>A place is kept for a worker while its database claims a job or logs a start, but only for a moment. A worker whose database has
 * failed, or has not answered within that moment, gets no place until it has answered: it claims, and logs the start of one job, without a
 * place. So a database that hangs delays only its own jobs.
 */
public final class SharedCapacity {
    /** For how long a place is kept for a worker that waits for its database. */
    private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** For how long a claimed job may wait for a place before it is left to other processes. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Mutex lock = new Mutex();
    private final int count;
    private final long keptNanos;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final AtomicInteger taken = new AtomicInteger();
    private long turn;

    /**
     * @param count how many jobs run at once
     */
    public SharedCapacity(int count) {
        this(count, KEPT_NANOS);
    }

    SharedCapacity(int count, long keptNanos) {
        this.count = count;
        this.keptNanos = keptNanos;
    }

    /** {@return how many jobs run at once} */
    public int count() {
        return count;
    }

    /** {@return how many jobs run now} */
    public int taken() {
        return taken.get();
    }

    /** {@return how many workers share the capacity} */
    int workers() {
        return members.size();
    }

    /** {@return the lock of the buffers of all workers} */
    Mutex lock() {
        return lock;
    }

    private int free() {
        return Math.max(0, count - taken.get());
    }

    /** {@return the member object of a new worker} */
    Member join() {
        Member member = new Member();
        members.add(member);
        return member;
    }

    /** The callbacks of a worker, for when there are places for it. */
    interface Waiter {
        /** {@return whether a job and a handler wait, and lack only a place} */
        boolean waits();

        /** Called when there may be a place for a waiting job. */
        void jobMayStart();

        /** Called when there is a place for a job that is yet to be claimed. */
        void mayClaim();

        /** Called when a job whose start is not logged yet loses its place. */
        void returnPlace(HeldJob job);
    }

    /** A worker's part. Guarded by the lock, except {@link #reach} and {@link #isTrusted}. */
    final class Member {
        private final AtomicInteger used = new AtomicInteger();
        /** When a job last arrived or started: shortly afterwards, waiting jobs can still expect a place. */
        private volatile long movedNanos = System.nanoTime() - GRACE_NANOS;

        private long lastTurn;
        /** Whether the worker would claim if there was a place. */
        private boolean searches;
        /** The end of the time for which a place is kept for a job that the worker claims; meaningful only if {@link #isOffered}. */
        private long offerEndNanos;

        private boolean isOffered;
        /** Jobs whose start is being logged, with the time of the request; jobs of an untrusted worker have no places. */
        private final Map<HeldJob, Long> starting = new LinkedHashMap<>();

        private volatile boolean trusted = true;
        private boolean hasQuit;
        private Waiter waiter = new NoWaiter();

        void serves(Waiter newWaiter) {
            waiter = newWaiter;
        }

        /** {@return how much capacity the worker uses or could use within a moment} Safe to call from any thread. */
        int reach() {
            return used.get() + free() + (System.nanoTime() - movedNanos < GRACE_NANOS ? 1 : 0);
        }

        /** Reports that claimed jobs wait for places from now on. */
        void jobsCame() {
            movedNanos = System.nanoTime();
        }

        /**
         * {@return how many jobs may be taken: the free places that are not for another worker; at most one if its database must answer
         * first}
         */
        int room() {
            boolean unused = expireOthers();
            if (!trusted) {
                return starting.isEmpty() ? 1 : 0;
            }
            int room = free();
            for (Member other : members) {
                if (room > 0 && other != this && other.precedes(this)) {
                    room = other.isWaiting() ? 0 : room - (other.isOffered ? 1 : 0);
                }
            }
            return room;
        }

        /** {@return whether places were kept for other workers for too long, and are free now} */
        private boolean expireOthers() {
            boolean any = false;
            if (members.size() > 1) {
                long now = System.nanoTime();
                for (Member other : members) {
                    if (other != this && other.keptFor(now) <= 0) {
                        other.failed();
                        any = true;
                    }
                }
            }
            return any;
        }

        private boolean precedes(Member other) {
            int own = used.get();
            int others = other.used.get();
            return own < others || (own == others && lastTurn < other.lastTurn);
        }

        private boolean isWaiting() {
            return trusted && waiter.waits();
        }

        /** {@return whether the last call to its database succeeded, and in time} Safe to call from any thread. */
        boolean isTrusted() {
            return trusted;
        }

        /** {@return how long places are still kept for it while it waits for its database; {@link Long#MAX_VALUE} if no place is kept} */
        private long keptFor(long now) {
            if (!trusted) {
                return Long.MAX_VALUE;
            }
            long kept = isOffered ? offerEndNanos - now : Long.MAX_VALUE;
            return starting.isEmpty()
                    ? kept
                    : Math.min(kept, starting.values().iterator().next() + keptNanos - now);
        }

        /** Reports that its database has failed, or hangs. */
        void failed() {
            trusted = false;
            isOffered = false;
            List.copyOf(starting.keySet()).forEach(waiter::returnPlace);
            pass();
            searchWithoutPlace();
        }

        /** Reports that its database has answered. */
        void answered() {
            if (!trusted) {
                trusted = true;
                goOn();
            }
        }

        /**
         * Reports that its database has logged starts: the wait of the remaining ones is counted from now on. An answered claim does not
         * restart that wait.
         */
        void logged() {
            long now = System.nanoTime();
            starting.replaceAll((job, since) -> now);
            answered();
        }

        /**
         * Reports that a job has left the buffer, and will start when its start is logged. It has no place while the database must answer
         * first.
         */
        void starts(HeldJob job) {
            starting.putIfAbsent(job, System.nanoTime());
            if (!trusted || hasQuit) {
                waiter.returnPlace(job);
            }
        }

        /** Reports that the start of a job is logged, or that it does not start. */
        void started(HeldJob job) {
            if (starting.remove(job) != null && !trusted) {
                searchWithoutPlace();
            }
        }

        /** Lets another job, or a claim, find out whether the database answers. */
        private void searchWithoutPlace() {
            if (starting.isEmpty()) {
                goOn();
            }
        }

        private void goOn() {
            if (waiter.waits()) {
                waiter.jobMayStart();
            } else if (searches) {
                searches = false;
                waiter.mayClaim();
            }
        }

        /** {@return how many places the worker got: none while its database must answer first} */
        int take(int places) {
            isOffered = false;
            if (!trusted) {
                return 0;
            }
            taken.addAndGet(places);
            used.addAndGet(places);
            lastTurn = ++turn;
            movedNanos = System.nanoTime();
            pass();
            return places;
        }

        void leave(int places) {
            taken.addAndGet(-places);
            used.addAndGet(-places);
            if (places > 0) {
                pass();
            }
        }

        /** Offers free places, which this worker does not take, to the other workers. */
        void pass() {
            if (free() == 0) {
                return;
            }
            for (Member other : members) {
                if (other == this) {
                    continue;
                }
                if (other.searches && other.trusted) {
                    other.searches = false;
                    if (other.precedes(this)) {
                        other.isOffered = true;
                        other.offerEndNanos = System.nanoTime() + keptNanos;
                    }
                    other.waiter.mayClaim();
                } else if (other.isWaiting()) {
                    other.waiter.jobMayStart();
                }
            }
        }

        /** Reports that the worker is about to claim jobs, or to wait because there is no place for a job. */
        void searches(boolean forPlace) {
            searches = forPlace;
        }

        /** Reports the end of a round of claims, so no place is kept for the worker unless a job waits. */
        void searched() {
            searches = false;
            isOffered = false;
            pass();
        }

        /**
         * {@return how long a place is kept for another worker, which waits for its database; {@link Long#MAX_VALUE} if no place is kept,
         * or if this worker gets none because its database must answer first}
         */
        long untilPlace() {
            if (!trusted) {
                return Long.MAX_VALUE;
            }
            if (expireOthers()) {
                return 1; // tries once more; the expired workers have no place now, so this happens only once
            }
            long least = Long.MAX_VALUE;
            long now = System.nanoTime();
            for (Member other : members) {
                if (other != this) {
                    least = Math.min(least, other.keptFor(now));
                }
            }
            return Math.max(1, least);
        }

        /**
         * Removes the worker, because it stops. Places that its handlers still use are not free; jobs whose start is not logged yet get a
         * place if there is one.
         */
        void quit() {
            members.remove(this);
            hasQuit = true;
            isOffered = false;
            List.copyOf(starting.keySet()).forEach(waiter::returnPlace);
            pass();
        }
    }

    /** The callbacks before the worker has a buffer. */
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

        @Override
        public void returnPlace(HeldJob job) {
            throw new IllegalStateException("nothing starts");
        }
    }
}
