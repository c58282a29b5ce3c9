package dev.pawl.internal.engine;

import dev.pawl.internal.store.Mutex;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Capacity that several workers of a process share: it bounds the number of jobs that they run at once in total. Any worker can use free
 * capacity. If several have waiting jobs, the worker that uses the least capacity gets it; among equals, the worker that got capacity least
 * recently. Thread-safe.
 *
 * <p>The lock guards the buffers of all its workers, so another worker can use capacity as soon as it is free.
 *
 * <p>A unit of capacity is reserved for a worker while its database claims a job or logs a start, but only for a moment. A worker whose
 * database has failed, or has not answered within that moment, gets no capacity until the database has answered. To get an answer, the
 * worker claims, and logs the start of one job, without capacity. So a database that hangs delays only its own jobs.
 */
public final class SharedCapacity {
    /** For how long capacity is reserved for a worker that waits for its database. */
    private static final long RESERVED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** For how long a claimed job may wait for capacity before it is left to other processes. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Mutex lock = new Mutex();
    private final int count;
    private final long reservedNanos;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final AtomicInteger taken = new AtomicInteger();
    private long takes;

    /**
     * @param count how many jobs run at once
     */
    public SharedCapacity(int count) {
        this(count, RESERVED_NANOS);
    }

    SharedCapacity(int count, long reservedNanos) {
        this.count = count;
        this.reservedNanos = reservedNanos;
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

    /** The callbacks of a worker, for when there is capacity for it. */
    interface Waiter {
        /** {@return whether a job and a handler wait, and lack only capacity} */
        boolean waits();

        /** Called when there may be capacity for a waiting job. */
        void jobMayStart();

        /** Called when there is capacity for a job that is yet to be claimed. */
        void mayClaim();

        /** Called when a job whose start is not logged yet loses its capacity. */
        void returnCapacity(HeldJob job);
    }

    /** A worker's part. Guarded by the lock, except {@link #reach} and {@link #isTrusted}. */
    final class Member {
        private final AtomicInteger used = new AtomicInteger();
        /** When a job last arrived or started: shortly afterwards, waiting jobs can still expect capacity. */
        private volatile long movedNanos = System.nanoTime() - GRACE_NANOS;

        private long lastTake;
        /** Whether the worker would claim if there was capacity. */
        private boolean wantsToClaim;
        /** The end of the time for which capacity is reserved for a job that the worker claims; meaningful only if {@link #isOffered}. */
        private long offerEndNanos;

        private boolean isOffered;
        /** Jobs whose start is being logged, with the time of the request; jobs of an untrusted worker have no capacity. */
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

        /** Reports that claimed jobs wait for capacity from now on. */
        void jobsCame() {
            movedNanos = System.nanoTime();
        }

        /**
         * {@return how many jobs this worker may take: the free capacity that is not for another worker; at most one while this worker's
         * database must answer first}
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

        /** {@return whether capacity was reserved for other workers for too long, and is free now} */
        private boolean expireOthers() {
            boolean any = false;
            if (members.size() > 1) {
                long now = System.nanoTime();
                for (Member other : members) {
                    if (other != this && other.reservedFor(now) <= 0) {
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
            return own < others || (own == others && lastTake < other.lastTake);
        }

        private boolean isWaiting() {
            return trusted && waiter.waits();
        }

        /** {@return whether the last call to its database succeeded, and in time} Safe to call from any thread. */
        boolean isTrusted() {
            return trusted;
        }

        /** {@return how long capacity is still reserved for it while it waits for its database; {@link Long#MAX_VALUE} if none is} */
        private long reservedFor(long now) {
            if (!trusted) {
                return Long.MAX_VALUE;
            }
            long reserved = isOffered ? offerEndNanos - now : Long.MAX_VALUE;
            return starting.isEmpty()
                    ? reserved
                    : Math.min(reserved, starting.values().iterator().next() + reservedNanos - now);
        }

        /** Reports that its database has failed, or hangs. */
        void failed() {
            trusted = false;
            isOffered = false;
            List.copyOf(starting.keySet()).forEach(waiter::returnCapacity);
            pass();
            probeDatabase();
        }

        /** Reports that its database has answered. */
        void answered() {
            if (!trusted) {
                trusted = true;
                goOn();
            }
        }

        /**
         * Reports that its database has logged starts. For jobs whose start is still to be logged, the wait is counted from now on. An
         * answered claim does not restart that wait.
         */
        void onStartsLogged() {
            long now = System.nanoTime();
            starting.replaceAll((job, since) -> now);
            answered();
        }

        /**
         * Reports that a job has left the buffer, and will start when its start is logged. It has no capacity while the database must
         * answer first.
         */
        void beginLogging(HeldJob job) {
            starting.putIfAbsent(job, System.nanoTime());
            if (!trusted || hasQuit) {
                waiter.returnCapacity(job);
            }
        }

        /** Reports that the start of a job is logged, or that it does not start. */
        void endLogging(HeldJob job) {
            if (starting.remove(job) != null && !trusted) {
                probeDatabase();
            }
        }

        /** Lets another job, or a claim, find out whether the database answers. */
        private void probeDatabase() {
            if (starting.isEmpty()) {
                goOn();
            }
        }

        private void goOn() {
            if (waiter.waits()) {
                waiter.jobMayStart();
            } else if (wantsToClaim) {
                wantsToClaim = false;
                waiter.mayClaim();
            }
        }

        /** {@return how much capacity the worker got: none while its database must answer first} */
        int take(int units) {
            isOffered = false;
            if (!trusted) {
                return 0;
            }
            taken.addAndGet(units);
            used.addAndGet(units);
            lastTake = ++takes;
            movedNanos = System.nanoTime();
            pass();
            return units;
        }

        void release(int units) {
            taken.addAndGet(-units);
            used.addAndGet(-units);
            if (units > 0) {
                pass();
            }
        }

        /** Offers free capacity, which this worker does not take, to the other workers. */
        void pass() {
            if (free() == 0) {
                return;
            }
            for (Member other : members) {
                if (other == this) {
                    continue;
                }
                if (other.wantsToClaim && other.trusted) {
                    other.wantsToClaim = false;
                    if (other.precedes(this)) {
                        other.isOffered = true;
                        other.offerEndNanos = System.nanoTime() + reservedNanos;
                    }
                    other.waiter.mayClaim();
                } else if (other.isWaiting()) {
                    other.waiter.jobMayStart();
                }
            }
        }

        /**
         * Begins a round of claims.
         *
         * @param lacksCapacity whether the worker claims nothing because there is no capacity for a job
         */
        void beginRound(boolean lacksCapacity) {
            wantsToClaim = lacksCapacity;
        }

        /** Ends a round of claims: no capacity is reserved for the worker unless a job waits. */
        void endRound() {
            wantsToClaim = false;
            isOffered = false;
            pass();
        }

        /**
         * {@return how long capacity is reserved for another worker, which waits for its database; {@link Long#MAX_VALUE} if none is
         * reserved, or if this worker gets none because its database must answer first}
         */
        long untilCapacity() {
            if (!trusted) {
                return Long.MAX_VALUE;
            }
            if (expireOthers()) {
                return 1; // tries once more; nothing is reserved for the expired workers now, so this happens only once
            }
            long least = Long.MAX_VALUE;
            long now = System.nanoTime();
            for (Member other : members) {
                if (other != this) {
                    least = Math.min(least, other.reservedFor(now));
                }
            }
            return Math.max(1, least);
        }

        /**
         * Removes the worker, because it stops. Capacity that its handlers still use is not free; jobs whose start is not logged yet get
         * capacity if there is any.
         */
        void quit() {
            members.remove(this);
            hasQuit = true;
            isOffered = false;
            List.copyOf(starting.keySet()).forEach(waiter::returnCapacity);
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
            throw new IllegalStateException("nothing is claimed");
        }

        @Override
        public void returnCapacity(HeldJob job) {
            throw new IllegalStateException("nothing starts");
        }
    }
}
