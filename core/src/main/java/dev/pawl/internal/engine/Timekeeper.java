package dev.pawl.internal.engine;

import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.store.TickSource;
import dev.pawl.internal.wake.WakeHub;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
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

    private static final long RECONCILE = TimeUnit.SECONDS.toNanos(15);
    /** Others may have started at the same time, and are still declaring theirs. */
    private static final long TIME_TO_DECLARE = TimeUnit.MINUTES.toNanos(1);
    /** A worker that has not looked for longer was frozen, or without its database, and perhaps other workers were, too. */
    private static final long GAP = TimeUnit.SECONDS.toNanos(20);
    /** After a longer gap other workers believed that this one was dead. */
    private static final long BELIEVED_DEAD = TimeUnit.SECONDS.toNanos(50);

    /** By then each worker that lives has written one. */
    private static final Duration HEARTBEATS = Duration.ofSeconds(30);

    private final TickSource ticks;
    private final Strategies strategies;
    private final List<Declaration> declared;
    private final WakeHub wakes;
    private final DatabaseHealth health;
    private final Deque<Declaration> untold;
    /** What could not be told; told again later. */
    private final List<Declaration> failed = new ArrayList<>();

    private final boolean onlyDeclared;
    private final Predicate<String> queues;
    private final LongSupplier nanoTime;

    /** Since when this worker has looked without a gap. */
    private long steadyNanos;

    private volatile long seenNanos;
    private volatile boolean hasTold;
    private volatile boolean isSettled;
    private String seen = "";
    private long reconciledNanos;
    private long restNanos = System.nanoTime();
    private long toldNanos = System.nanoTime();

    /**
     * @param onlyDeclared whether schedules of some queues go that programs have declared, and no live worker declares any more
     * @param queues these queues
     * @param nanoTime as {@link System#nanoTime}
     */
    Timekeeper(
            TickSource ticks,
            Strategies strategies,
            List<Declaration> declared,
            boolean onlyDeclared,
            Predicate<String> queues,
            WakeHub wakes,
            DatabaseHealth health,
            LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.steadyNanos = nanoTime.getAsLong();
        this.seenNanos = steadyNanos;
        this.reconciledNanos = steadyNanos - RECONCILE;
        this.health = health;
        this.ticks = ticks;
        this.strategies = strategies;
        this.declared = declared;
        this.wakes = wakes;
        this.untold = new ArrayDeque<>(declared);
        this.hasTold = declared.isEmpty();
        this.isSettled = declared.isEmpty();
        this.onlyDeclared = onlyDeclared;
        this.queues = queues;
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
        long gap = nanoTime.getAsLong() - seenNanos;
        if (gap >= GAP) {
            steadyNanos = nanoTime.getAsLong();
        }
        if (gap >= BELIEVED_DEAD && onlyDeclared) {
            tellAgain();
        }
        boolean isNew = tell();
        if (hasTold && nanoTime.getAsLong() - reconciledNanos >= RECONCILE) {
            isNew |= reconcile();
        }
        strategies.refresh();
        seenNanos = nanoTime.getAsLong();
        if (isNew || strategies.isTickDue()) {
            TickSource.Look look = ticks.look(declared);
            strategies.nextTickIn(look.next());
            wakes.enqueued(look.queues());
        }
    }

    /** The worker was asleep, which others knew: that was no gap. */
    void resumed() {
        seenNanos = nanoTime.getAsLong();
    }

    /** As after a start: another worker may have removed what this one declares. */
    private void tellAgain() {
        untold.clear();
        untold.addAll(declared);
        failed.clear();
        hasTold = declared.isEmpty();
    }

    /** {@return whether the database has all that the program declares, so that the worker may sleep} */
    boolean isSettled() {
        return hasTold && isSettled;
    }

    /**
     * Compares what is in force with what this program declares; beside no other duty.
     *
     * @return whether a schedule has changed
     */
    boolean reconcile() throws SQLException {
        if (!hasTold || (declared.isEmpty() && !onlyDeclared)) {
            return false;
        }
        reconciledNanos = nanoTime.getAsLong();
        if (!strategies.isClockSteady(HEARTBEATS)) {
            return false; // workers that live look dead until they have written their heartbeats
        }
        boolean changed = false;
        if (!declared.isEmpty()) {
            TickSource.Reconciled result = ticks.reconcile(declared, isSettled ? seen : "");
            seen = result.seen();
            isSettled = result.isSettled();
            changed = result.changed();
        }
        boolean isSteady = nanoTime.getAsLong() - steadyNanos >= TIME_TO_DECLARE;
        if (onlyDeclared && isSteady && !health.isLost()) {
            changed |= !ticks.removeUndeclared(queues).isEmpty();
        }
        if (changed) {
            wakes.changed();
        }
        return changed;
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
        boolean changed = false;
        for (int told = 0; told < MOST_TOLD && !untold.isEmpty(); told++) {
            Declaration schedule = untold.remove();
            try {
                changed |= ticks.declare(schedule);
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
        if (changed) {
            wakes.changed(); // programs of other releases that sleep
        }
        return true;
    }
}
