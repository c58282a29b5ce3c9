package dev.pawl.internal.slot;

import dev.pawl.api.Slot;
import dev.pawl.api.SlotException;
import dev.pawl.internal.jdbc.Failures;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reserved slot, with the random owner that its reservation has generated. */
public final class ReservedSlot implements Slot {
    private static final Logger LOG = LoggerFactory.getLogger(ReservedSlot.class);
    private static final ScheduledExecutorService CLOCK = Executors.newScheduledThreadPool(1, ReservedSlot::thread);
    /** Threads without a limit, because a database that hangs must not delay the heartbeats of slots in another database. */
    private static final ExecutorService HEARTBEATS = Executors.newCachedThreadPool(ReservedSlot::thread);

    /** The state of the reservation, as far as this owner has changed it. */
    private enum Stage {
        OPEN,
        /** Used in a transaction that may not be committed yet; the row of the slot is locked. */
        TAKEN,
        USED,
        CLEARED
    }

    private final Reservations reservations;
    private final String series;
    private final SlotRows.Place place;
    private final String owner;
    private final AtomicBoolean beating = new AtomicBoolean();
    private volatile Stage stage = Stage.OPEN;
    /** The connection of the open transaction in which the slot was used; null for none. */
    private volatile @Nullable Connection takenWith;

    ReservedSlot(Reservations reservations, String series, SlotRows.Place place, String owner) {
        this.reservations = reservations;
        this.series = series;
        this.place = place;
        this.owner = owner;
    }

    @Override
    public String series() {
        return series;
    }

    @Override
    public String value() {
        return place.slot();
    }

    @Override
    public long ordinal() {
        return place.ordinal();
    }

    String owner() {
        return owner;
    }

    /**
     * {@return whether the slot may still be used or released} If it was used in a transaction whose connection is
     * closed by now, only the row tells whether that transaction was committed.
     */
    boolean mayBeOpen() {
        return stage == Stage.OPEN || (stage == Stage.TAKEN && isClosed(takenWith));
    }

    @Override
    public void use(Connection connection) throws SQLException {
        if (!reservations.rows().use(connection, series, place.slot(), owner)) {
            throw new SlotException("slot " + place.slot() + " of series " + series
                    + " is used already, was cleared, or its reservation ran out and another owner has it;"
                    + " nothing was written (is the ttl shorter than the job?)");
        }
        takenWith = connection;
        stage = Stage.TAKEN;
    }

    /** Uses the slot in the transaction of its run, unless the handler has used or released it already. */
    void useUnlessEnded(Connection connection) throws SQLException {
        boolean isOpen = stage == Stage.OPEN
                || (mayBeOpen() && !reservations.rows().isUsed(connection, series, place.slot(), owner));
        if (isOpen) {
            use(connection);
        }
    }

    /** Uses the slot in a transaction of its own, unless it was used or released already. */
    void useUnlessEnded() {
        if (mayBeOpen()) {
            useWith(this::useUnlessEnded);
        }
    }

    private interface Use {
        void run(Connection connection) throws SQLException;
    }

    private void useWith(Use use) {
        Failures.wrapped(
                "cannot use slot " + place.slot(),
                () -> reservations.database().transaction(connection -> {
                    use.run(connection);
                    return true;
                }));
        stage = Stage.USED;
    }

    /** Called when the transaction in which the slot was used was rolled back. */
    void rolledBack() {
        if (stage == Stage.TAKEN) {
            stage = Stage.OPEN;
        }
    }

    @Override
    public void use() {
        useWith(this::use);
    }

    /**
     * Releases the slot. A slot that was used in an open transaction counts as used, because waiting for that
     * transaction would be a deadlock.
     */
    @Override
    public boolean clear() {
        if (stage == Stage.TAKEN && !mayBeOpen()) {
            return false;
        }
        boolean cleared = Failures.wrapped(
                "cannot clear slot " + place.slot(),
                () -> reservations
                        .database()
                        .transaction(connection -> reservations.rows().clear(connection, series, place.slot(), owner)));
        if (cleared) {
            stage = Stage.CLEARED;
        }
        return cleared;
    }

    private static boolean isClosed(@Nullable Connection connection) {
        try {
            return connection != null && connection.isClosed();
        } catch (SQLException e) {
            LOG.debug("cannot read whether a connection is closed", e);
            return false;
        }
    }

    /**
     * Releases the slot after its run has failed. If another transaction has locked the row, or the database fails, the
     * slot becomes free when it expires. A retry of the job can get it before that.
     */
    void release() {
        try {
            boolean unused = reservations
                    .database()
                    .transaction(connection ->
                            reservations.rows().clearUnlessLocked(connection, series, place.slot(), owner));
        } catch (SQLException | RuntimeException e) {
            LOG.warn(
                    "slot {} of series {} is not released now, but when it expires: {}",
                    place.slot(),
                    series,
                    e.toString());
        }
    }

    @Override
    public boolean extend(Duration ttl) {
        if (ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException("ttl " + ttl + " is not valid: use more than zero");
        }
        return Failures.wrapped(
                "cannot extend slot " + place.slot(),
                () -> reservations
                        .database()
                        .transaction(connection ->
                                reservations.rows().extend(connection, series, place.slot(), owner, ttl)));
    }

    /** Extends the reservation after each third of its duration, until the returned task is cancelled. */
    Future<?> keepAlive(Duration ttl) {
        long third = ttl.toNanos() / 3;
        return CLOCK.scheduleWithFixedDelay(
                () -> {
                    if (mayBeOpen() && !beating.getAndSet(true)) {
                        HEARTBEATS.execute(() -> beat(ttl));
                    }
                },
                third,
                third,
                TimeUnit.NANOSECONDS);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "pawl-slots");
        thread.setDaemon(true);
        return thread;
    }

    /** Extends the reservation. While a transaction that uses the slot is open, the row is locked and needs no extension. */
    private void beat(Duration ttl) {
        try {
            if (mayBeOpen() && !extend(ttl)) {
                LOG.debug("slot {} of series {} is no longer reserved by its job", place.slot(), series);
            }
        } catch (RuntimeException e) {
            LOG.warn("cannot extend slot {} of series {}: {}", place.slot(), series, e.toString());
        } finally {
            beating.set(false);
        }
    }
}
