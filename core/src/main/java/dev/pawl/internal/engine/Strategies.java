package dev.pawl.internal.engine;

import dev.pawl.InvalidJobException;
import dev.pawl.SchemaException;
import dev.pawl.Strategy;
import dev.pawl.internal.store.Claim;
import dev.pawl.internal.store.JobStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which strategy each queue is run with: the worker's own, else what people have set for the queue, else what suits the
 * database. Settings are read again every few seconds. Thread-safe.
 */
final class Strategies {
    private static final Logger LOG = LoggerFactory.getLogger(Strategies.class);
    private static final long READ_AGAIN = TimeUnit.SECONDS.toNanos(5);
    private static final Duration SHORT_LEASE = Duration.ofSeconds(3);

    private final JobStore store;
    private final Strategy own;
    private final Map<Strategy, Claim> claims = new ConcurrentHashMap<>();
    private final Map<String, String> refused = new ConcurrentHashMap<>();
    private volatile Map<String, Strategy> settings = Map.of();
    private volatile long readNanos = System.nanoTime() - READ_AGAIN;

    /**
     * @throws SchemaException if the database cannot do the worker's own strategy
     */
    Strategies(JobStore store, Strategy own) {
        this.store = store;
        this.own = own;
        claims.put(own, store.claim(own));
    }

    /** Reads what people have set, if it is time. */
    void refresh() throws SQLException {
        if (own instanceof Strategy.Auto && System.nanoTime() - readNanos >= READ_AGAIN) {
            Map<String, Strategy> read = new HashMap<>();
            store.strategies().forEach((queue, text) -> read.put(queue, understood(queue, text)));
            settings = Map.copyOf(read);
            readNanos = System.nanoTime();
        }
    }

    /** A newer program may have written what this one does not know, or another database could do. */
    private Strategy understood(String queue, String text) {
        try {
            Strategy strategy = Strategy.parse(text);
            claims.computeIfAbsent(strategy, store::claim);
            return strategy;
        } catch (InvalidJobException | SchemaException e) {
            if (!text.equals(refused.put(queue, text))) {
                LOG.error("queue {}: its strategy is left aside: {}", queue, e.getMessage());
            }
            return own;
        }
    }

    /** {@return the strategy of a queue; AUTO where nothing else is known} */
    Strategy of(String queue) {
        return settings.getOrDefault(queue, own);
    }

    Claim claim(String queue) {
        return claims.computeIfAbsent(of(queue), store::claim);
    }

    /** {@return how many claims were lost to workers that were faster} */
    long lost() {
        return claims.values().stream().mapToLong(Claim::lost).sum();
    }

    /** A transaction's lock outlives any lease, and a short one lets the job go soon after the lock. */
    Duration lease(String queue, Duration configured) {
        return of(queue) instanceof Strategy.Transactional && configured.compareTo(SHORT_LEASE) > 0
                ? SHORT_LEASE
                : configured;
    }

    boolean isTransactional(String queue) {
        return of(queue) instanceof Strategy.Transactional;
    }

    /** {@return whether this worker marks jobs of any queue} */
    boolean marks() {
        return marks(own) || settings.values().stream().anyMatch(Strategies::marks);
    }

    boolean marks(String queue) {
        return marks(of(queue));
    }

    private static boolean marks(Strategy strategy) {
        return strategy instanceof Strategy.Pessimistic pessimistic && pessimistic.deleteMark();
    }

    /** {@return how often outcomes of a queue are tried to be recorded before waiting longer} */
    int tries(String queue) {
        return of(queue) instanceof Strategy.Pessimistic pessimistic
                ? pessimistic.deleteRetry() + 1
                : JobStore.USUAL_TRIES;
    }
}
