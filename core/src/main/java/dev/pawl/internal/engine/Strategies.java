package dev.pawl.internal.engine;

import dev.pawl.InvalidJobException;
import dev.pawl.SchemaException;
import dev.pawl.Strategy;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.JobStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The strategy for claiming jobs of each queue: the worker's own, else the one set for the queue, else the one that
 * is best. Settings are read again every few seconds; what has been claimed ends the way it began.
 * Thread-safe.
 */
final class Strategies {
    private static final Logger LOG = LoggerFactory.getLogger(Strategies.class);
    private static final long READ_AGAIN = TimeUnit.SECONDS.toNanos(5);

    private final JobStore store;
    private final Strategy own;
    private final boolean elsewhere;
    private final Consumer<JobStore.Settings> others;
    private final ServerClock clock;
    private final Map<Strategy, ClaimStrategy> inUse = new ConcurrentHashMap<>();
    private final Map<String, String> refused = new ConcurrentHashMap<>();
    private volatile Map<String, Strategy> settings = Map.of();
    private volatile long readNanos = System.nanoTime() - READ_AGAIN;
    private volatile @Nullable Long tickNanos;
    private final ReentrantLock reading = new ReentrantLock();

    /**
     * @param store the verbs
     * @param own the worker's
     * @param elsewhere whether runs are given away: then no transaction may be open around their handlers
     * @param others told of the settings each time they are read
     * @param clock told what the database's says each time
     * @throws SchemaException if the database does not support the worker's own strategy
     */
    Strategies(JobStore store, Strategy own, boolean elsewhere, Consumer<JobStore.Settings> others, ServerClock clock) {
        this.store = store;
        this.clock = clock;
        this.own = own;
        this.elsewhere = elsewhere;
        this.others = others;
        inUse.put(own, store.strategy(own));
    }

    /** For uses that do not compare the database's clock. */
    Strategies(JobStore store, Strategy own, boolean elsewhere, Consumer<JobStore.Settings> others) {
        this(store, own, elsewhere, others, new ServerClock("", Duration.ZERO));
    }

    /** Reads the settings again, if it is time. */
    void refresh() throws SQLException {
        if (System.nanoTime() - readNanos < READ_AGAIN) {
            return;
        }
        reading.lock();
        try {
            if (System.nanoTime() - readNanos >= READ_AGAIN) {
                read();
            }
        } finally {
            reading.unlock();
        }
    }

    /** Reads the settings again, whether or not it is time: soon nobody will for long. */
    void readAgain() throws SQLException {
        reading.lock();
        try {
            read();
        } finally {
            reading.unlock();
        }
    }

    /** Reads them, and with them the clock of the database. */
    boolean isClockSteady(Duration renewed) throws SQLException {
        readAgain();
        return clock.isSteady(renewed);
    }

    private void read() throws SQLException {
        long sent = clock.nanos();
        JobStore.Settings settings = store.settings();
        clock.read(settings.nowMicros(), sent, clock.nanos());
        read(settings);
        readNanos = System.nanoTime();
    }

    private void read(JobStore.Settings read) {
        if (own instanceof Strategy.Auto) {
            Map<String, Strategy> strategies = new HashMap<>();
            read.strategies().forEach((queue, text) -> strategies.put(queue, understood(queue, text)));
            settings = Map.copyOf(strategies);
        }
        nextTickIn(read.untilTick());
        others.accept(read);
    }

    /** {@return whether a schedule is to be looked at} */
    boolean isTickDue() {
        Long due = tickNanos;
        return due != null && System.nanoTime() - due >= 0;
    }

    /** Sets when a schedule is to be looked at next. */
    void nextTickIn(Optional<Duration> wait) {
        tickNanos = wait.isPresent() ? Long.valueOf(System.nanoTime() + nanos(wait.get())) : null;
    }

    /** It is read again long before that. */
    private static long nanos(Duration wait) {
        return Math.min(wait.toMillis(), TimeUnit.HOURS.toMillis(1)) * TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** A newer program may have written a strategy that this one does not know, or that this database does not support. */
    private Strategy understood(String queue, String text) {
        try {
            Strategy strategy = Strategy.parse(text);
            if (elsewhere && strategy instanceof Strategy.Transactional) {
                throw new InvalidJobException("'" + text + "' runs handlers in the transaction of the claim, and this"
                        + " worker has its jobs run elsewhere; its jobs are claimed as suits the database");
            }
            inUse.computeIfAbsent(strategy, store::strategy);
            return strategy;
        } catch (InvalidJobException | SchemaException e) {
            if (!text.equals(refused.put(queue, text))) {
                LOG.error("queue {}: its strategy is ignored: {}", queue, e.getMessage());
            }
            return own;
        }
    }

    /** {@return how jobs of a queue are claimed now} */
    ClaimStrategy of(String queue) {
        return inUse.computeIfAbsent(settings.getOrDefault(queue, own), store::strategy);
    }

    /** Does what the strategies have postponed. */
    void tidy() throws SQLException {
        for (ClaimStrategy strategy : inUse.values()) {
            strategy.tidy();
        }
    }

    /** {@return whether the same claim may succeed later, from this queue and from others} */
    boolean isTransient(SQLException failure) {
        return store.isTransient(failure);
    }

    /** {@return how many claims were lost to workers that were faster} */
    long lost() {
        return inUse.values().stream().mapToLong(ClaimStrategy::lost).sum();
    }
}
