package dev.pawl.internal.slot;

import dev.pawl.InvalidJobException;
import dev.pawl.PawlException;
import dev.pawl.Slot;
import dev.pawl.SlotException;
import dev.pawl.internal.store.sql.Failures;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A slot and the owner that its reservation drew. */
public final class ReservedSlot implements Slot {
    private static final Logger LOG = LoggerFactory.getLogger(ReservedSlot.class);
    private static final ScheduledExecutorService HEARTBEATS = Executors.newScheduledThreadPool(1, work -> {
        Thread thread = new Thread(work, "pawl-slots");
        thread.setDaemon(true);
        return thread;
    });

    private final Reservations reservations;
    private final String series;
    private final SlotRows.Place place;
    private final String owner;
    private volatile boolean used;
    private volatile boolean inTransaction;

    ReservedSlot(Reservations reservations, String series, SlotRows.Place place, String owner) {
        this.reservations = reservations;
        this.series = series;
        this.place = place;
        this.owner = owner;
    }

    @Override
    public String value() {
        return place.slot();
    }

    @Override
    public long ordinal() {
        return place.ordinal();
    }

    @Override
    public void use(Connection connection) throws SQLException {
        if (!reservations.rows().use(connection, series, place.slot(), owner)) {
            throw new SlotException("slot " + place.slot() + " of series " + series
                    + " is used already, was cleared, or its reservation ran out and another owner has it;"
                    + " nothing was written (is the ttl shorter than the job?)");
        }
        inTransaction = true;
    }

    @Override
    public void use() {
        Failures.wrapped(
                "cannot use slot " + place.slot(),
                () -> reservations.database().transaction(connection -> {
                    use(connection);
                    return true;
                }));
        used = true;
    }

    /** After the transaction in which {@link #use(Connection)} was called. */
    void committed() {
        used = inTransaction;
    }

    void rolledBack() {
        inTransaction = false;
    }

    boolean isTakenInTransaction() {
        return inTransaction;
    }

    /** For a handler that ended well and had no transaction. */
    public void useUnlessUsed() {
        if (!used && !inTransaction) {
            use();
        }
    }

    @Override
    public boolean clear() {
        return Failures.wrapped(
                "cannot clear slot " + place.slot(),
                () -> reservations
                        .database()
                        .transaction(connection -> reservations.rows().clear(connection, series, place.slot(), owner)));
    }

    /** The handler's failure is what counts; a slot that cannot be cleared becomes free when its time is over. */
    public void clearQuietly(Throwable failure) {
        try {
            clear();
        } catch (PawlException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public boolean extend(Duration ttl) {
        if (ttl.isNegative() || ttl.isZero()) {
            throw new InvalidJobException("ttl " + ttl + " is not valid: use more than zero");
        }
        return Failures.wrapped(
                "cannot extend slot " + place.slot(),
                () -> reservations
                        .database()
                        .transaction(connection ->
                                reservations.rows().extend(connection, series, place.slot(), owner, ttl)));
    }

    /** Extends the reservation every third of its time, until that is cancelled. */
    public Future<?> keepAlive(Duration ttl) {
        long third = ttl.toNanos() / 3;
        return HEARTBEATS.scheduleWithFixedDelay(() -> beat(ttl), third, third, TimeUnit.NANOSECONDS);
    }

    /** While a transaction has used the slot its row is locked, and there is nothing to extend. */
    private void beat(Duration ttl) {
        if (used || inTransaction) {
            return;
        }
        try {
            if (!extend(ttl)) {
                LOG.debug("slot {} of series {} is not reserved by its job any more", place.slot(), series);
            }
        } catch (RuntimeException e) {
            LOG.warn("cannot extend slot {} of series {}: {}", place.slot(), series, e.toString());
        }
    }
}
