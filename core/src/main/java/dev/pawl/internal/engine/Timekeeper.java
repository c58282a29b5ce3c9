package dev.pawl.internal.engine;

import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.store.TickSource;
import dev.pawl.internal.wake.WakeHub;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the database which schedules this program declares, and turns ticks into jobs when they are due. Where nobody has
 * schedules, it costs no statement of its own: when the next tick is due is read with the settings of the queues. Used by one
 * thread.
 */
final class Timekeeper {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.schedule");
    private static final long DECLARE_AGAIN = TimeUnit.SECONDS.toNanos(5);
    private static final long REST = TimeUnit.SECONDS.toNanos(2);
    /** Each costs a transaction, and a program may declare thousands: ticks that are due do not wait for all of them. */
    static final int MOST_TOLD = 100;

    private final TickSource ticks;
    private final Strategies strategies;
    private final List<Declaration> declared;
    private final WakeHub wakes;
    private final DatabaseHealth health;
    private final Deque<Declaration> untold;
    /** What could not be told; told again later. */
    private final List<Declaration> failed = new ArrayList<>();

    private volatile boolean hasTold;
    private long restNanos = System.nanoTime();
    private long toldNanos = System.nanoTime();

    Timekeeper(
            TickSource ticks, Strategies strategies, List<Declaration> declared, WakeHub wakes, DatabaseHealth health) {
        this.health = health;
        this.ticks = ticks;
        this.strategies = strategies;
        this.declared = declared;
        this.wakes = wakes;
        this.untold = new ArrayDeque<>(declared);
        this.hasTold = declared.isEmpty();
    }

    /** While the database is away, it is not asked four times a second. */
    void look() throws SQLException {
        if (System.nanoTime() - restNanos < 0) {
            return;
        }
        restNanos = System.nanoTime() + REST;
        see();
        restNanos = System.nanoTime();
    }

    private void see() throws SQLException {
        boolean isNew = tell();
        strategies.refresh();
        if (isNew || strategies.isTickDue()) {
            TickSource.Look look = ticks.look(declared);
            strategies.nextTickIn(look.next());
            wakes.enqueued(look.queues());
        }
    }

    /** {@return whether the database knows all that the program declares} */
    boolean hasTold() {
        return hasTold;
    }

    /** One that cannot be declared holds up no other, and none of those that are in the database. */
    private boolean tell() {
        if (untold.isEmpty() && !failed.isEmpty() && System.nanoTime() - toldNanos >= DECLARE_AGAIN) {
            untold.addAll(failed);
            failed.clear();
        }
        if (untold.isEmpty()) {
            return false;
        }
        for (int told = 0; told < MOST_TOLD && !untold.isEmpty(); told++) {
            Declaration schedule = untold.remove();
            try {
                ticks.declare(schedule);
            } catch (OutOfMemoryError e) {
                failed.add(schedule);
                throw e;
            } catch (SQLException | RuntimeException | Error e) { // its days are told by code of the application
                failed.add(schedule);
                if (!health.failed("declare schedules", e)) {
                    LOG.warn(
                            "schedule {} cannot be declared, will try again in {} s: {}",
                            schedule.name(),
                            TimeUnit.NANOSECONDS.toSeconds(DECLARE_AGAIN),
                            ErrorText.firstLine(e));
                }
            }
        }
        toldNanos = System.nanoTime();
        hasTold = untold.isEmpty() && failed.isEmpty();
        return true;
    }
}
