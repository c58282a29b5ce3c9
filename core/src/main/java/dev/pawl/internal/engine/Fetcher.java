package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimedJob;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims batches for the free capacity of the worker: at once while batches come back full, else when there is news of
 * jobs or, at the latest, after the poll interval. One thread; the only one of its process that claims.
 */
final class Fetcher implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Fetcher.class);
    private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(200);

    private final WorkerConfig config;
    private final Strategies strategies;
    private final List<String> kinds;
    private final LongSupplier workerId;
    private final Buffer buffer;
    private final HeldJobs heldJobs;
    private final Waker waker;
    private final Counters counters;
    private final Backoff poll;
    private final Backoff outage = new Backoff(100, 5_000);
    private volatile boolean stopping;
    private final AtomicLong emptyRounds = new AtomicLong();

    Fetcher(
            WorkerConfig config,
            Strategies strategies,
            LongSupplier workerId,
            Buffer buffer,
            HeldJobs heldJobs,
            Waker waker,
            Counters counters) {
        this.config = config;
        this.strategies = strategies;
        this.kinds = config.handlers().kinds();
        this.workerId = workerId;
        this.buffer = buffer;
        this.heldJobs = heldJobs;
        this.waker = waker;
        this.counters = counters;
        this.poll = new Backoff(5, config.pollInterval().toMillis());
    }

    @Override
    public void run() {
        Prefetch prefetch = new Prefetch(config.buffer(), config.batch(), System.nanoTime());
        try {
            while (!stopping) {
                waker.clear();
                int wanted = prefetch.wanted(buffer.level(), System.nanoTime());
                if (wanted == 0) {
                    waker.awaitRoom(LOOK_AGAIN);
                } else {
                    fetch(wanted);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the fetcher was interrupted", e);
        }
    }

    private void fetch(int wanted) throws InterruptedException {
        Round round = new Round(wanted);
        try {
            strategies.refresh();
            round.run();
            outage.reset();
        } catch (SQLException | RuntimeException e) {
            long wait = outage.next();
            LOG.warn(
                    "{}: cannot claim jobs, trying again in {} ms: {}",
                    config.name(),
                    TimeUnit.NANOSECONDS.toMillis(wait),
                    e.toString());
            LOG.debug("cannot claim jobs", e);
            waker.pause(wait);
            return;
        }
        if (round.claimed > 0) {
            poll.reset();
        }
        if (round.cutShort) {
            waker.awaitRoom(LOOK_AGAIN);
        } else if (round.claimed < wanted) {
            if (round.claimed == 0) {
                emptyRounds.incrementAndGet();
            }
            if (waker.awaitJobs(poll.next()) != Waker.News.NONE) {
                poll.reset();
            }
        }
    }

    /** Each queue its share; then, if some had less, what is left from those that gave their share in full. */
    private final class Round {
        private final int wanted;
        private final Set<String> empty = new HashSet<>();
        private int claimed;
        private boolean cutShort;

        Round(int wanted) {
            this.wanted = wanted;
        }

        void run() throws SQLException {
            List<QueueOrder.Share> shares = config.order().shares(wanted);
            for (int pass = 1; pass <= 2 && claimed < wanted; pass++) {
                for (QueueOrder.Share share : shares) {
                    int limit = pass == 1 ? Math.min(share.limit(), wanted - claimed) : wanted - claimed;
                    if (limit > 0 && !empty.contains(share.queue()) && !stopping) {
                        claim(share.queue(), limit);
                    }
                }
            }
        }

        private void claim(String queue, int limit) throws SQLException {
            int most = strategies.isTransactional(queue) ? Math.min(limit, idle()) : limit;
            int got = most > 0 ? Fetcher.this.claim(queue, most) : 0;
            claimed += got;
            if (got < most) {
                empty.add(queue);
            } else if (most < limit) {
                cutShort = true;
                empty.add(queue);
            }
        }
    }

    /** A transactional job is not buffered: its transaction is its claim. */
    private int idle() {
        Buffer.Level level = buffer.level();
        return level.idle() - level.buffered();
    }

    private int claim(String queue, int limit) throws SQLException {
        long sent = System.nanoTime();
        Duration lease = strategies.lease(queue, config.lease());
        List<ClaimedJob> claimed =
                strategies.claim(queue).claim(new ClaimRequest(queue, kinds, limit, workerId.getAsLong(), lease));
        List<HeldJob> held = new ArrayList<>(claimed.size());
        for (ClaimedJob job : claimed) {
            held.add(new HeldJob(job, sent, lease));
        }
        held.forEach(heldJobs::add);
        buffer.add(held);
        counters.claimed.add(held.size());
        return held.size();
    }

    /** Rounds in which nothing was found, so far. */
    long emptyRounds() {
        return emptyRounds.get();
    }

    /** Claims no more. */
    void stop() {
        stopping = true;
        waker.close();
    }
}
