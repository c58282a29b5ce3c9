package dev.pawl.internal.engine;

import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Mutex;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claim strategy of each queue: the worker's own, else the one set for the queue, else the default. Settings are read again every few
 * seconds; claimed jobs are settled by the strategy that claimed them. Thread-safe.
 */
final class Strategies {
    private static final Logger LOG = LoggerFactory.getLogger(Strategies.class);
    private static final long READ_AGAIN = TimeUnit.SECONDS.toNanos(5);

    private final JobStore store;
    private final Strategy own;
    private final boolean remote;
    private final Consumer<JobStore.Settings> others;
    private final ServerClock clock;
    private final Map<Strategy, ClaimStrategy> inUse = new ConcurrentHashMap<>();
    private final Map<String, String> refused = new ConcurrentHashMap<>();
    private volatile Map<String, Strategy> settings = Map.of();
    private volatile long readNanos = System.nanoTime() - READ_AGAIN;
    private volatile @Nullable Long tickNanos;
    private final Mutex reading = new Mutex();

    /**
     * @param store provides the strategies
     * @param own the worker's
     * @param remote whether runs are handed off: then no transaction may be open around their handlers
     * @param others receives the settings each time they are read
     * @param clock receives the database's time with each reading
     * @throws SchemaException if the database does not support the worker's own strategy
     */
    Strategies(JobStore store, Strategy own, boolean remote, Consumer<JobStore.Settings> others, ServerClock clock) {
        this.store = store;
        this.clock = clock;
        this.own = own;
        this.remote = remote;
        this.others = others;
        inUse.put(own, store.strategy(own));
    }

    /** Creates strategies that do not compare the database's clock. */
    Strategies(JobStore store, Strategy own, boolean remote, Consumer<JobStore.Settings> others) {
        this(store, own, remote, others, new ServerClock("", Duration.ZERO));
    }

    /** Reads the settings again, if the interval has passed. */
    void refresh() throws SQLException {
        if (System.nanoTime() - readNanos < READ_AGAIN) {
            return;
        }
        reading.lock();
        try (reading) {
            if (System.nanoTime() - readNanos >= READ_AGAIN) {
                read();
            }
        }
    }

    /** Reads the settings again at once. */
    void readAgain() throws SQLException {
        reading.lock();
        try (reading) {
            read();
        }
    }

    /**
     * Reads the settings and with them the database's clock.
     *
     * @return whether the clock is steady, see {@link ServerClock#isSteady(Duration)}
     */
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

    /** {@return whether a schedule is due} */
    boolean isTickDue() {
        Long due = tickNanos;
        return due != null && System.nanoTime() - due >= 0;
    }

    /** Sets when the next schedule is due. */
    void nextTickIn(Optional<Duration> wait) {
        tickNanos = wait.isPresent() ? Long.valueOf(System.nanoTime() + nanos(wait.get())) : null;
    }

    /** Bounded, because the wait is read again long before it ends. */
    private static long nanos(Duration wait) {
        return Math.min(wait.toMillis(), TimeUnit.HOURS.toMillis(1)) * TimeUnit.MILLISECONDS.toNanos(1);
    }

    /** A newer program may have written a strategy that is unknown here, or that this database does not support. */
    private Strategy understood(String queue, String text) {
        try {
            Strategy strategy = Strategy.parse(text);
            if (remote && strategy instanceof Strategy.Transactional) {
                throw new IllegalArgumentException(
                        "'" + text + "' runs handlers in the transaction of the claim, and this"
                                + " worker hands its jobs off; jobs of the queue are claimed by the default strategy");
            }
            inUse.computeIfAbsent(strategy, store::strategy);
            return strategy;
        } catch (IllegalArgumentException | SchemaException e) {
            if (!text.equals(refused.put(queue, text))) {
                LOG.error("queue {}: its strategy is ignored: {}", queue, e.getMessage());
            }
            return own;
        }
    }

    /** {@return the current claim strategy of a queue} */
    ClaimStrategy of(String queue) {
        return inUse.computeIfAbsent(settings.getOrDefault(queue, own), store::strategy);
    }

    /** Runs the deferred work of all strategies. */
    void tidy() throws SQLException {
        for (ClaimStrategy strategy : inUse.values()) {
            strategy.tidy();
        }
    }

    /** {@return whether the same claim may succeed later, from this queue and from others} */
    boolean isTransient(SQLException failure) {
        return store.isTransient(failure);
    }

    FailurePauses newFailurePauses() {
        return new FailurePauses(store);
    }

    /** {@return how many claims were lost to faster workers} */
    long lost() {
        return inUse.values().stream().mapToLong(ClaimStrategy::lost).sum();
    }
}
