package dev.pawl.shard;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Chooses the shard of a job. A key is always on the same shard. By rendezvous hashing, each shard has a number for the key, and the shard
 * with the largest number gets the key. So a new shard takes keys from all other shards, and no key moves between the other shards. Jobs
 * without a key are spread evenly. A shard whose database has just failed or does not answer gets no jobs without a key for some seconds.
 * Then one such job tries the shard again. Thread-safe.
 */
final class Placement {
    private static final long AVOID_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long HANGS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final int shards;
    private final AtomicInteger next = new AtomicInteger();
    /** When each shard failed last; zero if it has not failed since it last answered. */
    private final AtomicLongArray failedNanos;
    /** Number of calls to each shard that have not returned. */
    private final AtomicIntegerArray calls;
    /** When each shard last made progress: a call returned, or a call began while no other call was open. */
    private final AtomicLongArray movedNanos;

    Placement(int shards) {
        this.shards = shards;
        this.failedNanos = new AtomicLongArray(shards);
        this.calls = new AtomicIntegerArray(shards);
        this.movedNanos = new AtomicLongArray(shards);
    }

    /**
     * {@return the shard of a key} For a given number of shards the result must never change, because earlier jobs of the key are on that
     * shard.
     */
    int of(String key) {
        long hash = FNV_OFFSET;
        for (byte each : key.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * FNV_PRIME;
        }
        int best = 0;
        long most = Long.MIN_VALUE;
        for (int shard = 0; shard < shards; shard++) {
            long drawn = mixed(hash ^ mixed((shard + 1) * GOLDEN));
            if (drawn > most) {
                most = drawn;
                best = shard;
            }
        }
        return best;
    }

    /** The finalizer of SplitMix64: every bit of the input changes half of the output. */
    private static long mixed(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    /** {@return the shard of a job without a key} */
    int any() {
        return any(System.nanoTime());
    }

    /**
     * @param now {@link System#nanoTime()}
     */
    int any(long now) {
        int first = Math.floorMod(next.getAndIncrement(), shards);
        for (int i = 0; i < shards; i++) {
            int shard = (first + i) % shards;
            if (!isAvoided(shard, now)) {
                return shard;
            }
        }
        return first;
    }

    private boolean isAvoided(int shard, long now) {
        long failed = failedNanos.get(shard);
        if (failed != 0) { // after the wait, one caller tries the shard, and the others avoid it for another wait
            return now - failed < AVOID_NANOS || !failedNanos.compareAndSet(shard, failed, mark(now));
        }
        boolean hangs = calls.get(shard) > 0 && now - movedNanos.get(shard) > HANGS_NANOS;
        if (hangs) {
            failedNanos.compareAndSet(shard, 0, mark(now));
        }
        return hangs;
    }

    private static long mark(long now) {
        return now == 0 ? 1 : now;
    }

    /** Called when a call to a shard begins. */
    void begun(int shard) {
        begun(shard, System.nanoTime());
    }

    void begun(int shard, long now) {
        if (calls.getAndIncrement(shard) == 0) {
            movedNanos.set(shard, now);
        }
    }

    /** Called when the database has answered a call. */
    void answered(int shard) {
        failedNanos.set(shard, 0);
        ended(shard);
    }

    /** Called when the database has failed. */
    void failed(int shard) {
        failed(shard, System.nanoTime());
    }

    void failed(int shard, long now) {
        failedNanos.set(shard, mark(now));
        ended(shard);
    }

    /** Called when a call has returned, but shows nothing about the database. */
    void ended(int shard) {
        movedNanos.set(shard, System.nanoTime());
        calls.decrementAndGet(shard);
    }
}
