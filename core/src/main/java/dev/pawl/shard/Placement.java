package dev.pawl.shard;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Chooses the shard of a job. A key is always on the same one, by rendezvous hashing: each shard draws a number for the key, and the
 * largest wins, so a new shard takes keys from all others and moves none between them. Jobs without a key are spread, and for some seconds
 * not to a shard whose database has just failed. Thread-safe.
 */
final class Placement {
    private static final long AVOID_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final int shards;
    private final AtomicInteger next = new AtomicInteger();
    /** Zero if the shard has not failed. */
    private final AtomicLongArray failedNanos;

    Placement(int shards) {
        this.shards = shards;
        this.failedNanos = new AtomicLongArray(shards);
    }

    /** {@return the shard of a key} Never changes for a number of shards: jobs are where it has said before. */
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
        long now = System.nanoTime();
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
        return failed != 0 && now - failed < AVOID_NANOS;
    }

    /** The database of a shard has failed. */
    void failed(int shard) {
        long now = System.nanoTime();
        failedNanos.set(shard, now == 0 ? 1 : now);
    }
}
