package dev.pawl.internal.schedule;

import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Tick;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.store.Declaration;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.TickSource;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Schedules in SQL: for workers, which turn ticks into jobs, and for users. */
public final class SqlSchedules implements TickSource {
    private static final Logger LOG = LoggerFactory.getLogger("dev.pawl.schedule");
    /** Delay of the next check of a schedule if a check failed or another worker has locked the schedule. */
    private static final Duration SOON = Duration.ofSeconds(1);

    /** Time limit of a call: far more than a tick takes, unless another transaction has locked the last job's key. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final Duration PUT_OFF = Duration.ofMinutes(1);
    /** If no check has ended for this long, the backlog is over, because a worker with a backlog checks again sooner. */
    private static final Duration BACKLOG_GAP = Duration.ofSeconds(30);

    private final Database database;
    private final ScheduleRows rows;
    private final WaitingSchedules waiting;
    private final Firing firing;
    private final ScheduleForms forms;
    private final Map<String, Long> failedNanos = new ConcurrentHashMap<>();
    private volatile @Nullable Backlog backlog;

    /**
     * @param database the pool and the dialect
     * @param store enqueues the jobs
     */
    public SqlSchedules(Database database, JobStore store) {
        this(database, store, job -> job, payload -> payload);
    }

    /**
     * @param database the pool and the dialect
     * @param store enqueues the jobs
     * @param interceptor called with each job before it is enqueued
     */
    public SqlSchedules(Database database, JobStore store, EnqueueInterceptor interceptor) {
        this(database, store, interceptor, payload -> payload);
    }

    /**
     * @param database the pool and the dialect
     * @param store enqueues the jobs
     * @param interceptor called with each job before it is enqueued
     * @param identity the part of a payload that is compared
     */
    public SqlSchedules(
            Database database, JobStore store, EnqueueInterceptor interceptor, UnaryOperator<String> identity) {
        this.forms = new ScheduleForms(identity);
        this.database = database;
        this.rows = new ScheduleRows(database.dialect());
        this.waiting = new WaitingSchedules(database.dialect());
        this.firing = new Firing(store, rows, interceptor);
    }

    @Override
    public Map<String, String> forms(List<Declaration> declared) {
        return forms.of(declared);
    }

    @Override
    public boolean declare(Declaration schedule) throws SQLException {
        return database.transaction(connection -> declare(connection, schedule));
    }

    private boolean declare(Connection connection, Declaration schedule) throws SQLException {
        ScheduleRow there = rows.lock(connection, schedule.name());
        String declared = schedule.recurrence().toString();
        if (there == null) {
            return rows.insert(connection, schedule, false, first(connection, schedule));
        }
        boolean otherwise = !declared.equals(there.declared());
        if (!otherwise && isAsDeclared(there, schedule)) {
            return false;
        }
        if (!rows.declaredByTheLiving(connection).isInForce(schedule.name(), forms.of(schedule))) {
            return false;
        }
        rows.redeclare(connection, there, schedule, otherwise ? declared : there.when(), declared);
        if (otherwise && !declared.equals(there.when())) {
            ScheduleRow now = rows.lock(connection, schedule.name());
            if (now != null) {
                rows.changeRecurrence(
                        connection, now, declared, due(connection, now, schedule.recurrence(), schedule.excluded()));
            }
        }
        return true;
    }

    @Override
    public Reconciled reconcile(List<Declaration> declared, String before) throws SQLException {
        LiveDeclarations living = database.autocommit(rows::declaredByTheLiving);
        // compares again after each start of a worker, because that worker may have changed a schedule and stopped
        // since
        String seen = living.fingerprint() + " " + database.autocommit(rows::newestWorker);
        if (seen.equals(before)) {
            return new Reconciled(seen, false, true);
        }
        Map<String, Declaration> own =
                declared.stream().collect(Collectors.toMap(Declaration::name, schedule -> schedule));
        boolean changed = false;
        boolean isSettled = true;
        // removed schedules are restored only when a program starts
        for (ScheduleRow row : database.autocommit(rows::all)) {
            Declaration schedule = own.get(row.name());
            if (schedule == null || ScheduleForms.same(forms.of(row), forms.of(schedule))) {
                continue;
            }
            if (living.isInForce(row.name(), forms.of(schedule)) && declare(schedule)) {
                changed = true;
                LOG.info(
                        "schedule {}: restored to what this program declares; no newer live worker declares it otherwise",
                        row.name());
            } else {
                isSettled = false;
            }
        }
        return new Reconciled(seen, changed, isSettled);
    }

    @Override
    public List<String> removeUndeclared(Predicate<String> queues) throws SQLException {
        Set<String> living = database.autocommit(rows::declaredByTheLiving).names();
        List<String> removed = new ArrayList<>();
        for (ScheduleRow row : database.autocommit(rows::all)) {
            if (isLeftBehind(row, queues) && !living.contains(row.name()) && removeIfLeftBehind(row.name(), queues)) {
                removed.add(row.name());
                LOG.info("schedule {}: removed, because no live worker declares it any more", row.name());
            }
        }
        return removed;
    }

    private static boolean isLeftBehind(ScheduleRow row, Predicate<String> queues) {
        return row.declared() != null && queues.test(row.job().options().queue());
    }

    /**
     * Removes a schedule if no live worker declares it. A schedule that a program is just declaring stays, because that program has locked
     * it, or inserts it again afterwards.
     */
    private boolean removeIfLeftBehind(String name, Predicate<String> queues) throws SQLException {
        return database.transaction(connection -> {
            ScheduleRow now = rows.lockUnlessLocked(connection, name);
            return now != null
                    && isLeftBehind(now, queues)
                    && !rows.declaredByTheLiving(connection).has(name)
                    && rows.delete(connection, name);
        });
    }

    private static boolean isAsDeclared(ScheduleRow there, Declaration schedule) {
        return there.job().equals(schedule.job())
                && there.missed().equals(schedule.missed())
                && there.overlap() == schedule.overlap()
                && there.hasLocalExclusions() == (schedule.excluded() != null);
    }

    /** Computes the first tick. If runs are separated by a pause, the first run needs none before it. */
    private Instant first(Connection connection, Declaration schedule) throws SQLException {
        Instant now = rows.now(connection);
        Recurrence recurrence = schedule.recurrence();
        DueTicks ticks = new DueTicks(recurrence, now, schedule.excluded());
        Instant first = recurrence instanceof Recurrence.Pause ? ticks.notBefore(now) : ticks.next(now);
        if (first == null) {
            throw new InvalidJobException(
                    "schedule '" + schedule.name() + "' is never due: some 4,000 candidate days in a row are excluded");
        }
        return first;
    }

    /** Computes the next tick. A pause is counted from the end of the last run, if there was one, even if the pause was changed since. */
    private ScheduleRows.Due due(
            Connection connection, ScheduleRow row, Recurrence recurrence, @Nullable Predicate<LocalDate> excluded)
            throws SQLException {
        Instant now = rows.now(connection);
        if (recurrence instanceof Recurrence.Pause) {
            return row.lastJobId() == null ? new ScheduleRows.Due(now, now) : new ScheduleRows.Due(null, now);
        }
        Instant next = new DueTicks(recurrence, now, excluded).next(now);
        Instant due = next == null ? recurrence.next(now, now) : next; // excluded days are skipped at the next check
        return new ScheduleRows.Due(due, due);
    }

    /**
     * A backlog of ticks that this process handles over several checks. Ticks that are late only because of the backlog
     * do not count as
     * missed.
     *
     * @param since when it began, by the database's clock
     * @param checkedNanos when the last check ended
     */
    private record Backlog(Instant since, long checkedNanos) {
        boolean isCurrent() {
            return System.nanoTime() - checkedNanos < BACKLOG_GAP.toNanos();
        }
    }

    /**
     * Handles due ticks. Schedules that fail here, or that other transactions have locked, may fill whole pages, so further pages are read.
     */
    @Override
    public Processed processDue(List<Declaration> declared) throws SQLException {
        Map<String, Declaration> withDays = declared.stream()
                .filter(schedule -> schedule.excluded() != null)
                .collect(Collectors.toMap(Declaration::name, schedule -> schedule));
        List<String> known = List.copyOf(withDays.keySet());
        Set<String> queues = new HashSet<>();
        SQLException fault = null;
        Backlog before = backlog;
        Instant since = before != null && before.isCurrent() ? before.since() : null;
        int seen = 0;
        boolean isMore = true;
        for (WaitingSchedules.Waiting last = null; isMore && fault == null && seen < WaitingSchedules.MAX; ) {
            WaitingSchedules.Waiting from = last;
            List<WaitingSchedules.Waiting> page =
                    database.autocommit(connection -> waiting.read(connection, known, from));
            for (WaitingSchedules.Waiting each : page) {
                last = each;
                since = since == null ? each.nextCheckAt().minus(each.left()) : since;
                if (each.isDue() && !isPutOff(each.name())) {
                    Declaration schedule = withDays.get(each.name());
                    try {
                        Handled tick = fire(each.name(), schedule == null ? null : schedule.excluded(), since);
                        seen += tick == null ? 0 : 1;
                        if (tick != null && tick.queue() != null) {
                            queues.add(tick.queue());
                        }
                    } catch (SQLException e) {
                        fault = e; // other workers may succeed
                    }
                }
            }
            isMore = page.size() == WaitingSchedules.MAX && last != null && last.isDue();
        }
        backlog = isMore && since != null ? new Backlog(since, System.nanoTime()) : null;
        if (fault != null && queues.isEmpty()) {
            throw fault;
        }
        Optional<Duration> next = isMore
                ? Optional.of(Duration.ZERO)
                : database.autocommit(connection -> waiting.read(connection, known, null)).stream()
                        .map(each -> each.isDue() ? SOON : each.left())
                        .min(Duration::compareTo);
        return new Processed(queues, next);
    }

    /** Whether a schedule has failed here within the last minute, and so is left to other workers. */
    private boolean isPutOff(String name) {
        Long since = failedNanos.get(name);
        return since != null && System.nanoTime() - since < PUT_OFF.toNanos();
    }

    /**
     * The result of a handled tick.
     *
     * @param queue of the new job; null if there is none
     */
    private record Handled(@Nullable String queue) {}

    /** {@return the result; null if this program could not handle the schedule, or another transaction has locked it} */
    private @Nullable Handled fire(String name, @Nullable Predicate<LocalDate> excluded, Instant since)
            throws SQLException {
        try {
            Optional<Handled> seen = database.transaction(connection -> {
                ScheduleRow schedule = rows.lockUnlessLocked(connection, name);
                if (schedule == null) {
                    return Optional.<Handled>empty();
                }
                boolean isNew = firing.fire(connection, schedule, excluded, since);
                return Optional.of(new Handled(isNew ? schedule.job().options().queue() : null));
            });
            failedNanos.remove(name);
            return seen.orElse(null);
        } catch (SQLException e) {
            if (Fault.of(e) == Fault.UNIQUE) {
                return new Handled(null); // another worker has handled the tick
            }
            if (Fault.of(e).isTransient()) {
                throw e;
            }
            putOff(name, e);
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (RuntimeException
                | Error e) { // the schedule is unreadable here, or an interceptor or the code for excluded days fails
            putOff(name, e);
        }
        return null;
    }

    private void putOff(String name, Throwable e) {
        failedNanos.put(name, System.nanoTime());
        LOG.error(
                "schedule {}: this program cannot enqueue its tick, and tries again in {} s: {}",
                name,
                PUT_OFF.toSeconds(),
                e.getMessage() == null || e.getMessage().isBlank() ? e.toString() : e.getMessage());
        LOG.debug("schedule {}", name, e);
    }

    /** {@return all schedules, by name} */
    public List<ScheduleInfo> list() throws SQLException {
        return new ScheduleList(database, forms).list();
    }

    /** {@return names of schedules that do not exist although live workers declare them and have had time to write them} */
    public List<String> undeclared() throws SQLException {
        return new ScheduleList(database, forms).undeclared();
    }

    /** {@return whether the schedule was added; false if the name is already used} */
    public boolean add(Declaration schedule) throws SQLException {
        return database.transaction(connection -> rows.insert(connection, schedule, true, first(connection, schedule)));
    }

    /** {@return whether the schedule was added; false if the name is already used} The caller may set the first tick, and commits. */
    public boolean add(Connection connection, Declaration schedule, @Nullable Instant first) throws SQLException {
        return rows.insert(connection, schedule, true, first == null ? first(connection, schedule) : first);
    }

    /** {@return the queue and the result of an extra job; empty if there is no such schedule} */
    public Optional<Map.Entry<String, EnqueueResult>> runNow(String name) throws SQLException {
        return database.transaction(connection -> {
            ScheduleRow row = rows.lock(connection, name);
            if (row == null) {
                return Optional.empty();
            }
            Instant now = rows.now(connection);
            EnqueueResult result = firing.enqueue(connection, row, now);
            if (result instanceof EnqueueResult.Inserted) {
                rows.insertTick(connection, name, now, Tick.Outcome.BY_HAND, result.jobId());
                rows.move(
                        connection,
                        row,
                        new ScheduleRows.Position(
                                row.nextAt(), row.nextCheckAt(), row.isOverlapping(), now, result.jobId()));
            }
            return Optional.of(Map.entry(row.job().options().queue(), result));
        });
    }

    /** {@return false if the schedule is paused already, or does not exist} */
    public boolean pause(String name) throws SQLException {
        return database.transaction(connection -> {
            ScheduleRow row = rows.lock(connection, name);
            if (row == null || row.pausedAt() != null) {
                return false;
            }
            rows.pause(connection, row);
            return true;
        });
    }

    /** {@return false if the schedule is not paused, or does not exist} */
    public boolean resume(String name) throws SQLException {
        return database.transaction(connection -> {
            ScheduleRow row = rows.lock(connection, name);
            if (row == null || row.pausedAt() == null) {
                return false;
            }
            rows.resume(connection, row, due(connection, row, row.recurrence(), null));
            return true;
        });
    }

    /** {@return false if the schedule does not exist} */
    public boolean change(String name, Recurrence recurrence) throws SQLException {
        return database.transaction(connection -> {
            ScheduleRow row = rows.lock(connection, name);
            if (row == null) {
                return false;
            }
            rows.changeRecurrence(connection, row, recurrence.toString(), due(connection, row, recurrence, null));
            return true;
        });
    }

    /** {@return false if the schedule does not exist} */
    public boolean remove(String name) throws SQLException {
        return database.transaction(connection -> rows.delete(connection, name));
    }

    /** {@return the last ticks of a schedule, the latest first} */
    public List<Tick> ticks(String name, int limit) throws SQLException {
        return database.autocommit(connection -> rows.ticks(connection, name, limit));
    }
}
