package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimOffer;
import dev.pawl.internal.store.ClaimOffers;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Mutex;
import dev.pawl.internal.store.RunMode;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Lets an enqueue of this process claim its new job for an idle handler, under the conditions of {@link ReleaseClaims}. The worker is not
 * suspended while an offer is open. Thread-safe.
 */
final class HandlerOffers implements ClaimOffers.Source {
    private final Claiming claiming;
    private final ClaimReceiver receiver;
    private final ReleaseClaims reservations;
    private final Host host;
    private final Mutex lock = new Mutex();
    private final Condition ended = lock.newCondition();
    private int open;
    private boolean closed;

    HandlerOffers(Claiming claiming, ClaimReceiver receiver, ReleaseClaims reservations, Host host) {
        this.claiming = claiming;
        this.receiver = receiver;
        this.reservations = reservations;
        this.host = host;
    }

    @Override
    public @Nullable ClaimOffer offer(String queue, String kind) {
        WorkerConfig config = claiming.config();
        if (!config.order().names().contains(queue)
                || !config.handlers().openKinds().contains(kind)) {
            return null;
        }
        ClaimStrategy strategy = claiming.strategies().of(queue);
        if (strategy.mode() != RunMode.BUFFERED || !strategy.claimsAtEnqueue() || !host.tryStayAwake()) {
            return null;
        }
        Offer offer = null;
        try {
            Offer made = new Offer(queue, kind, strategy);
            offer = begin() ? made : null;
        } finally {
            if (offer == null) {
                host.maySuspend();
            }
        }
        return offer;
    }

    private boolean begin() {
        lock.lock();
        try (lock) {
            boolean begun = !closed && reservations.reserveIdle();
            open += begun ? 1 : 0;
            return begun;
        }
    }

    private void end() {
        reservations.release(1);
        host.maySuspend();
        lock.lock();
        try (lock) {
            open--;
            ended.signalAll();
        }
    }

    /** Makes no further offers, and waits for the end of those that were made, so that their jobs can be released. */
    void close(long nanos) throws InterruptedException {
        lock.lock();
        try (lock) {
            closed = true;
            long left = nanos;
            while (open > 0 && left > 0) {
                left = ended.awaitNanos(left);
            }
        }
    }

    private final class Offer implements ClaimOffer {
        private final String queue;
        private final String kind;
        private final ClaimStrategy strategy;
        private final LeaseTerms terms;
        private final long sentNanos = System.nanoTime();

        Offer(String queue, String kind, ClaimStrategy strategy) {
            this.queue = queue;
            this.kind = kind;
            this.strategy = strategy;
            this.terms = new LeaseTerms(strategy.lease(claiming.config().lease()));
        }

        @Override
        public ClaimStrategy strategy() {
            return strategy;
        }

        @Override
        public ClaimRequest request() {
            long worker = claiming.workerId().getAsLong();
            return new ClaimRequest(queue, List.of(kind), 1, worker, terms.length(), false);
        }

        @Override
        public void take(List<Grant> claimed) {
            try {
                if (!claimed.isEmpty()) {
                    claiming.signal().noted();
                    receiver.take(strategy, claimed, claimed.size(), sentNanos, terms);
                }
            } finally {
                end();
            }
        }
    }
}
