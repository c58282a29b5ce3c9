package dev.pawl.internal.engine;

import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.store.Duty;
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
 * Declares the schedules of this program in the database, and turns due ticks into jobs. Without schedules it sends no statements of its
 * own, because the time of the next tick is read together with the settings of the queues. Confined to one thread.
 */
final class Timekeeper {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.schedule");
    private static final Duration TICK = Duration.ofMillis(250);
    private static final long DECLARE_AGAIN = TimeUnit.SECONDS.toNanos(5);
    private static final long REST = TimeUnit.SECONDS.toNanos(2);
    /**
     * Maximum number of declarations in one round. Each is a transaction, and due ticks must not wait until thousands of schedules are
     * declared.
     */
    static final int MAX_DECLARED = 100;

    private static final long RECONCILE = TimeUnit.SECONDS.toNanos(15);
    /** Time for workers that started at the same time to declare their schedules. */
    private static final long TIME_TO_DECLARE = TimeUnit.MINUTES.toNanos(1);
    /** A worker with a longer gap between two checks was frozen or without its database, and other workers may have been, too. */
    private static final long GAP = TimeUnit.SECONDS.toNanos(20);
    /** After a longer gap, other workers believed that this one was dead. */
    private static final long BELIEVED_DEAD = TimeUnit.SECONDS.toNanos(50);

    /** Within this time each live worker writes a heartbeat. */
    private static final Duration HEARTBEATS = Duration.ofSeconds(30);

    private final TickSource ticks;
    private final Strategies strategies;
    private final List<Declaration> declared;
    private final WakeHub wakes;
    private final DatabaseHealth health;
    private final Deque<Declaration> undeclared;
    /** Failed declarations, to be retried later. */
    private final List<Declaration> failed = new ArrayList<>();

    private final boolean onlyDeclared;
    private final Predicate<String> queues;
    private final LongSupplier nanoTime;

    /** Start of the current period without a gap. */
    private long steadyNanos;

    private volatile long seenNanos;
    private volatile boolean hasDeclared;
    private volatile boolean isSettled;
    private String seen = "";
    private long reconciledNanos;
    private long restNanos = System.nanoTime();
    private long declaredNanos = System.nanoTime();

    /**
     * The schedules of the program.
     *
     * @param schedules that it declares
     * @param onlyDeclared whether to remove declared schedules that no live worker declares any more
     * @param queues whose schedules are removed
     */
    record Declared(List<Declaration> schedules, boolean onlyDeclared, Predicate<String> queues) {}

    /**
     * @param nanoTime as {@link System#nanoTime}
     */
    Timekeeper(
            TickSource ticks,
            Strategies strategies,
            Declared declared,
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
        this.declared = declared.schedules();
        this.wakes = wakes;
        this.undeclared = new ArrayDeque<>(this.declared);
        this.hasDeclared = this.declared.isEmpty();
        this.isSettled = this.declared.isEmpty();
        this.onlyDeclared = declared.onlyDeclared();
        this.queues = declared.queues();
    }

    /** {@return the duty that declares the schedules, and turns due ticks into jobs} */
    Duty duty() {
        return new Duty("process schedules", TICK, Duty.WhileSuspended.wakesFor(TickSource.TICKS), this::tick);
    }

    /** Processes schedules, unless the last try failed a moment ago: an unavailable database is not queried four times a second. */
    void tick() throws SQLException {
        if (System.nanoTime() - restNanos < 0) {
            return;
        }
        restNanos = System.nanoTime() + REST;
        tickNow();
        restNanos = System.nanoTime();
    }

    private void tickNow() throws SQLException {
        long gap = nanoTime.getAsLong() - seenNanos;
        if (gap >= GAP) {
            steadyNanos = nanoTime.getAsLong();
        }
        if (gap >= BELIEVED_DEAD && onlyDeclared) {
            declareAgain();
        }
        boolean isNew = declareAll();
        if (hasDeclared && nanoTime.getAsLong() - reconciledNanos >= RECONCILE) {
            isNew |= reconcile();
        }
        strategies.refresh();
        seenNanos = nanoTime.getAsLong();
        if (isNew || strategies.isTickDue()) {
            TickSource.Processed processed = ticks.processDue(declared);
            strategies.nextTickIn(processed.next());
            wakes.enqueued(processed.queues());
        }
    }

    /** Notes the end of a suspension. It does not count as a gap, because other workers knew of it. */
    void resumed() {
        seenNanos = nanoTime.getAsLong();
    }

    /** Declares everything again, because another worker may have removed it. */
    private void declareAgain() {
        undeclared.clear();
        undeclared.addAll(declared);
        failed.clear();
        hasDeclared = declared.isEmpty();
    }

    /** {@return whether the database has all declarations of this program, so that the worker may be suspended} */
    boolean isSettled() {
        return hasDeclared && isSettled;
    }

    /**
     * Compares the schedules in force with the declarations of this program; never concurrently.
     *
     * @return whether a schedule has changed
     */
    boolean reconcile() throws SQLException {
        if (!hasDeclared || (declared.isEmpty() && !onlyDeclared)) {
            return false;
        }
        reconciledNanos = nanoTime.getAsLong();
        if (!strategies.isClockSteady(HEARTBEATS)) {
            return false; // live workers look dead until they have written their heartbeats
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

    /** A failed declaration blocks neither other declarations nor the schedules in the database. */
    private boolean declareAll() {
        if (undeclared.isEmpty() && !failed.isEmpty() && System.nanoTime() - declaredNanos >= DECLARE_AGAIN) {
            undeclared.addAll(failed);
            failed.clear();
        }
        if (undeclared.isEmpty()) {
            return false;
        }
        boolean changed = false;
        for (int declared = 0; declared < MAX_DECLARED && !undeclared.isEmpty(); declared++) {
            Declaration schedule = undeclared.remove();
            try {
                changed |= ticks.declare(schedule);
            } catch (OutOfMemoryError e) {
                failed.add(schedule);
                throw e;
            } catch (SQLException | RuntimeException | Error e) {
                // the application's code for excluded days may throw anything
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
        declaredNanos = System.nanoTime();
        hasDeclared = undeclared.isEmpty() && failed.isEmpty();
        if (changed) {
            wakes.changed(); // for suspended workers that run other releases of the program
        }
        return true;
    }
}
