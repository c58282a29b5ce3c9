package dev.pawl.internal.engine;

import dev.pawl.internal.quota.LocalLimits;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.RunMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the keeper of keys may claim in the turns that it takes, so that such jobs need not stand in their queue's line first. Only where
 * nobody stands before them, in that line or in those of the worker's other queues: a round of claims of a moment ago has taken all that there
 * was, and another one follows soon. And only what begins in a moment, which needs no announcement. Everything else goes through the
 * line. Thread-safe.
 */
final class TurnClaims {
    /** For so long after a round that has come up short all lines count as empty, so nobody in one is passed by for longer. */
    private static final long EMPTY_FOR = TimeUnit.MILLISECONDS.toNanos(250);

    /** Not more often: each look may pass over what the jobs have left behind that were claimed without it. */
    private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(150);

    private final WorkerConfig config;
    private final Strategies strategies;
    private final LongSupplier workerId;
    private final Places places;
    private final Buffer buffer;
    private final Prefetch prefetch;
    private final LocalLimits localLimits;
    private final FetchSignal signal;
    private final Intake intake;
    /** When all lines were empty; null if they were not. */
    private volatile @Nullable Long emptyNanos;

    private volatile boolean resting;
    private int reserved;
    /** Whether the fetcher has found no room because of what was reserved. */
    private boolean refused;

    TurnClaims(
            WorkerConfig config,
            Strategies strategies,
            LongSupplier workerId,
            Places places,
            Buffer buffer,
            Prefetch prefetch,
            LocalLimits localLimits,
            FetchSignal signal,
            Intake intake) {
        this.config = config;
        this.strategies = strategies;
        this.workerId = workerId;
        this.places = places;
        this.buffer = buffer;
        this.prefetch = prefetch;
        this.localLimits = localLimits;
        this.signal = signal;
        this.intake = intake;
    }

    /**
     * What a turn may claim.
     *
     * @param requests by queue
     * @param reserved how many jobs at most
     * @param sentNanos before the turn was taken
     */
    record Wanted(
            Map<String, ClaimRequest> requests, Map<String, ClaimStrategy> strategies, int reserved, long sentNanos) {
        static final Wanted NOTHING = new Wanted(Map.of(), Map.of(), 0, 0);
    }

    /** A round of claims has begun at that moment, and has taken all that there was, or there was more. */
    void claimed(boolean all, long begunNanos) {
        emptyNanos = all ? Long.valueOf(begunNanos) : null;
    }

    /** The worker claims nothing, or again. */
    void rest(boolean wanted) {
        resting = wanted;
    }

    /** {@return how many of the wanted jobs there is still room for} */
    synchronized int besideTurns(int wanted) {
        refused |= wanted > 0 && wanted <= reserved;
        return Math.max(0, wanted - reserved);
    }

    /**
     * @param queues of the keys of a turn
     * @param together how many such turns are taken at the same time
     * @return what it may claim; {@link #take} must follow
     */
    Wanted wanted(Set<String> queues, int together) {
        long now = System.nanoTime();
        if (resting
                || !areEmpty(now)
                || !localLimits.none()
                || places.isCounted()
                || places.anyChunks()
                || config.handlers().anyElsewhere()) {
            return Wanted.NOTHING;
        }
        Map<String, ClaimStrategy> open = new HashMap<>();
        for (String queue : queues) {
            ClaimStrategy strategy = strategies.of(queue);
            if (strategy.mode() == RunMode.BUFFERED) {
                open.put(queue, strategy);
            }
        }
        List<String> kinds = config.handlers().openKinds();
        if (open.isEmpty() || kinds.isEmpty()) {
            return Wanted.NOTHING;
        }
        long worker = workerId.getAsLong();
        int each = reserve(open.size(), together, now);
        if (each == 0) {
            return Wanted.NOTHING;
        }
        Map<String, ClaimRequest> requests = new HashMap<>();
        open.forEach((queue, strategy) -> requests.put(
                queue, new ClaimRequest(queue, kinds, each, worker, strategy.lease(config.lease()), false)));
        return new Wanted(requests, open, each * open.size(), now);
    }

    private boolean areEmpty(long now) {
        Long since = emptyNanos;
        if (since == null || now - since >= EMPTY_FOR) {
            return false;
        }
        if (now - since >= LOOK_AGAIN) {
            signal.look();
        }
        return true;
    }

    /** {@return for how many jobs of each queue there is room} */
    private synchronized int reserve(int queues, int together, long now) {
        Buffer.Level level = buffer.level();
        int room = prefetch.wanted(level, now);
        int some = prefetch.isSoon(level, room, now) ? room : Math.min(room, level.idle() - level.buffered());
        int each = Math.max(0, Math.min(some - reserved, some / together)) / queues;
        reserved += each * queues;
        return each;
    }

    /** The turn is over. */
    void take(Wanted wanted, List<Grant> claimed) {
        try {
            Map<String, List<Grant>> byQueue = new HashMap<>();
            claimed.forEach(grant -> byQueue.computeIfAbsent(grant.job().queue(), queue -> new ArrayList<>())
                    .add(grant));
            byQueue.forEach((queue, grants) -> {
                ClaimStrategy strategy = wanted.strategies.getOrDefault(queue, strategies.of(queue));
                intake.take(strategy, grants, false, wanted.sentNanos, new LeaseTerms(strategy.lease(config.lease())));
            });
        } finally {
            release(wanted.reserved);
        }
    }

    private void release(int jobs) {
        boolean tell;
        synchronized (this) {
            reserved -= jobs;
            tell = refused && jobs > 0;
            refused &= !tell;
        }
        if (tell) {
            signal.room();
        }
    }
}
