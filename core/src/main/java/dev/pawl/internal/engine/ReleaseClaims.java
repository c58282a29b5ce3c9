package dev.pawl.internal.engine;

import dev.pawl.internal.store.Admission;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.RunMode;
import dev.pawl.internal.store.WorkerHost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a release of concurrency keys claim the released jobs in its own transaction, so that these jobs need not become available first. A
 * release may claim only if it overtakes no other available job. That is the case if the last round of claims emptied all queues of the
 * worker a moment ago, and another round follows soon. The release claims only jobs that start within a moment, so that their start need
 * not be logged. The other released jobs become available. Thread-safe.
 */
final class ReleaseClaims {
    /** How long queues count as empty after a round that emptied them. This also limits how long an available job is overtaken. */
    private static final long EMPTY_FOR = TimeUnit.MILLISECONDS.toNanos(250);

    /**
     * Minimum interval between rounds that check whether the queues are empty: each may have to skip index entries of jobs that were
     * claimed by a release.
     */
    private static final long MIN_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private final WorkerConfig config;
    private final Strategies strategies;
    private final LongSupplier workerId;
    private final Capacity capacity;
    private final Buffer buffer;
    private final Prefetch prefetch;
    private final Admission admission;
    private final FetchSignal signal;
    private final ClaimReceiver receiver;
    /** When the round that emptied all queues began; null if the last round did not. */
    private volatile @Nullable Long emptyNanos;

    private volatile boolean paused;
    private int reserved;
    /** How many jobs the current round may claim. */
    private int inRound;
    /** Whether the fetcher found no capacity because of the reservation. */
    private boolean refused;

    ReleaseClaims(Claiming claiming, ClaimReceiver receiver) {
        config = claiming.config();
        strategies = claiming.strategies();
        workerId = claiming.workerId();
        capacity = claiming.capacity();
        buffer = claiming.buffer();
        prefetch = claiming.prefetch();
        admission = claiming.admission();
        signal = claiming.signal();
        this.receiver = receiver;
    }

    /**
     * Reports the result of a round of claims.
     *
     * @param all whether it emptied all queues
     * @param begunNanos when it began
     */
    void claimed(boolean all, long begunNanos) {
        emptyNanos = all ? Long.valueOf(begunNanos) : null;
    }

    /** Reports that the worker stops or resumes claiming. */
    void pause(boolean wanted) {
        paused = wanted;
    }

    /** {@return whether a new job may be claimed for an idle handler; if so, {@link #release} must follow} */
    boolean reserveIdle() {
        long now = System.nanoTime();
        if (!mayReserve() || !mayOvertake(now)) {
            return false;
        }
        synchronized (this) {
            Buffer.Level level = buffer.level();
            boolean any = level.idle() - level.buffered() > reserved + inRound;
            reserved += any ? 1 : 0;
            return any;
        }
    }

    /**
     * Whether a new job may be claimed at once, although it may overtake available jobs. Any job may for {@link #EMPTY_FOR} after a round
     * that emptied the queues. During the following poll interval one job may, and further jobs only after the next such round. No job may
     * after a notification, because the jobs that it announces were enqueued first.
     */
    private boolean mayOvertake(long now) {
        Long emptied = emptyNanos;
        if (emptied == null || signal.hasNewsSince(emptied)) {
            return false;
        }
        if (areEmpty(now)) {
            return true;
        }
        synchronized (this) {
            Long since = emptyNanos;
            if (since == null || now - since > config.pollInterval().toNanos() + EMPTY_FOR) {
                return false;
            }
            emptyNanos = null;
        }
        signal.poll();
        return true;
    }

    /** {@return how many of the wanted jobs fit beside the reservation} {@link #roundEnded} must follow. */
    synchronized int besideReleases(int wanted) {
        refused |= wanted > 0 && wanted <= reserved;
        inRound = Math.max(0, wanted - reserved);
        return inRound;
    }

    /** Reports that the jobs which the round has claimed are held now. */
    synchronized void roundEnded() {
        inRound = 0;
    }

    /**
     * @param queues of the keys to be released
     * @param parallel how many releases run in parallel
     * @return what the release may claim; its {@code take} must follow
     */
    WorkerHost.ReleaseClaim wanted(Set<String> queues, int parallel) {
        long now = System.nanoTime();
        if (!mayReserve() || !areEmpty(now)) {
            return WorkerHost.ReleaseClaim.NOTHING;
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
            return WorkerHost.ReleaseClaim.NOTHING;
        }
        long worker = workerId.getAsLong();
        int each = reserve(open.size(), parallel, now);
        if (each == 0) {
            return WorkerHost.ReleaseClaim.NOTHING;
        }
        Map<String, ClaimRequest> requests = new HashMap<>();
        open.forEach((queue, strategy) -> requests.put(
                queue, new ClaimRequest(queue, kinds, each, worker, strategy.lease(config.lease()), false)));
        return new Wanted(requests, open, each * open.size(), now);
    }

    /** {@return whether nothing can delay the start of a job, and any idle handler can start any job} */
    private boolean mayReserve() {
        return !paused && admission.none() && capacity.isPlain();
    }

    private boolean areEmpty(long now) {
        Long since = emptyNanos;
        if (since == null || now - since >= EMPTY_FOR) {
            return false;
        }
        if (now - since >= MIN_INTERVAL_NANOS) {
            signal.poll();
        }
        return true;
    }

    /** {@return how many jobs of each queue fit} */
    private synchronized int reserve(int queues, int parallel, long now) {
        Buffer.Level level = buffer.level();
        int room = prefetch.wanted(level, now);
        int some = prefetch.isSoon(level, room, now) ? room : Math.min(room, level.idle() - level.buffered());
        int each = Math.max(0, Math.min(some - reserved, some / parallel)) / queues;
        reserved += each * queues;
        return each;
    }

    /** The claims of a release, for which jobs are reserved. */
    private final class Wanted implements WorkerHost.ReleaseClaim {
        private final Map<String, ClaimRequest> requests;
        private final Map<String, ClaimStrategy> strategiesOfQueues;
        private final int jobs;
        private final long sentNanos;

        Wanted(Map<String, ClaimRequest> requests, Map<String, ClaimStrategy> strategies, int jobs, long sentNanos) {
            this.requests = requests;
            this.strategiesOfQueues = strategies;
            this.jobs = jobs;
            this.sentNanos = sentNanos;
        }

        @Override
        public Map<String, ClaimRequest> requests() {
            return requests;
        }

        @Override
        public void take(List<Grant> claimed) {
            try {
                Map<String, List<Grant>> byQueue = new HashMap<>();
                claimed.forEach(grant -> byQueue.computeIfAbsent(grant.job().queue(), queue -> new ArrayList<>())
                        .add(grant));
                byQueue.forEach((queue, grants) -> {
                    ClaimStrategy strategy = strategiesOfQueues.getOrDefault(queue, strategies.of(queue));
                    receiver.take(
                            strategy, grants, grants.size(), sentNanos, new LeaseTerms(strategy.lease(config.lease())));
                });
            } finally {
                release(jobs);
            }
        }
    }

    /** Ends the reservation of these jobs. */
    void release(int jobs) {
        boolean notify;
        synchronized (this) {
            reserved -= jobs;
            notify = refused && jobs > 0;
            refused &= !notify;
        }
        if (notify) {
            signal.capacityFreed();
        }
    }
}
