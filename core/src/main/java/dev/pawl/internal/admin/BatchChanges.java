package dev.pawl.internal.admin;

import dev.pawl.admin.CancelResult;
import dev.pawl.api.JobState;
import dev.pawl.internal.batch.SqlBatches;
import dev.pawl.internal.batch.SqlBatches.PendingAction;
import dev.pawl.internal.batch.SqlWorkflows;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlacePart;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.KeptStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cancels or releases jobs of a batch, page by page. */
public final class BatchChanges {
    private static final Logger LOG = LoggerFactory.getLogger(BatchChanges.class);
    private static final int PAGE = 500;
    /** The pause before a batch with only running jobs is read again, as a multiple of the time that the read took. */
    private static final int PAUSE_FACTOR = 10;

    private static final int MAX_PAUSED = 1_000;

    private final Database database;
    private final SqlBatches batches;
    private final SqlWorkflows workflows;
    private final JobCommands jobCommands;
    private final Map<Long, Long> pausedUntilNanos = new ConcurrentHashMap<>();

    /**
     * @param database the pool and the dialect
     * @param workflows reads workflows and their batches
     * @param jobCommands change single jobs
     */
    BatchChanges(Database database, SqlWorkflows workflows, JobCommands jobCommands) {
        this.workflows = workflows;
        this.database = database;
        this.batches = workflows.batches();
        this.jobCommands = jobCommands;
    }

    /**
     * Creates an instance for workers, which does not wait long for a transaction that is sealing a batch.
     *
     * @param database the pool and the dialect
     * @param workflows reads workflows and their batches
     * @param kept whether cancelled jobs are kept
     * @param completionHook called in the transaction that finishes jobs
     * @param linked rows that follow cancelled jobs
     * @return the instance
     */
    public static BatchChanges of(
            Database database,
            SqlWorkflows workflows,
            KeptStates kept,
            CompletionHook completionHook,
            LinkedRows linked) {
        JobCommands withoutWaiting = new JobCommands(database, kept, completionHook.withoutWaiting(), linked);
        return new BatchChanges(database, workflows, withoutWaiting);
    }

    /**
     * Runs the pending actions of batches and workflows: cancels the waiting jobs of stopped batches and of workflow nodes that must not
     * run. Releases the jobs of nodes that may run, and the remaining jobs of batches whose first jobs have completed. An action that is
     * not finished stays pending, for this worker or another one.
     *
     * @throws SQLException if the database is not available
     */
    public void runPendingActions() throws SQLException {
        PendingAction last = PendingAction.NONE;
        List<PendingAction> page;
        do {
            page = batches.actions(last);
            for (PendingAction action : page) {
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
                tryOne(action);
                last = action;
            }
        } while (page.size() == SqlBatches.ACTIONS_PER_PAGE);
    }

    private void tryOne(PendingAction action) throws SQLException {
        try {
            doOne(action);
        } catch (SQLException e) {
            Fault fault = Fault.of(e);
            if (fault.isOutage() || fault == Fault.SHORTAGE) { // otherwise this action would delay the others
                throw e;
            }
            LOG.warn(
                    "cannot cancel or release the waiting jobs of batch {} now, trying again: {}",
                    action.batch(),
                    e.getMessage());
        }
    }

    private void doOne(PendingAction action) throws SQLException {
        if (action.ofNode()) {
            doForNode(action);
        } else if (batches.isToRelease(action)) {
            if (batches.pauses().passed(action.batch())) {
                batches.release(action.batch());
            }
        } else {
            cancelWaitingJobs(action.batch());
        }
    }

    private void doForNode(PendingAction action) throws SQLException {
        if (workflows.isToCancel(action)) {
            workflows.eachPage(action, this::cancelPending);
        } else {
            workflows.release(action);
        }
    }

    /**
     * Cancels the pending jobs of a page. A job that an operator ran early is not pending any more, so it is not
     * cancelled.
     */
    private void cancelPending(List<Long> page) throws SQLException {
        int unused = database.racing(connection -> {
            List<Long> pending = workflows.lockPending(connection, page);
            return pending.isEmpty() ? 0 : jobCommands.cancelWaiting(connection, pending);
        });
    }

    /**
     * Cancels the waiting jobs of a stopped batch. A running job may fail and wait for a retry, so the action stays
     * pending while jobs run.
     */
    private void cancelWaitingJobs(long batch) throws SQLException {
        Long pausedUntil = pausedUntilNanos.get(batch);
        if (pausedUntil != null && pausedUntil - System.nanoTime() > 0) {
            return;
        }
        pausedUntilNanos.remove(batch);
        long begun = System.nanoTime();
        SqlBatches.Progress before = batches.progress(batch);
        Remaining remaining = cancelWaitingWithin(batch);
        if (remaining == Remaining.NOTHING) {
            batches.cancelled(batch, before);
        } else if (remaining == Remaining.RUNS) {
            if (pausedUntilNanos.size() >= MAX_PAUSED) { // most of these batches are done
                pausedUntilNanos.clear();
            }
            long now = System.nanoTime();
            pausedUntilNanos.put(batch, now + PAUSE_FACTOR * (now - begun));
        }
    }

    /** What is left of a batch's jobs. If several pages give different answers, the constant that is declared last counts. */
    private enum Remaining {
        NOTHING,
        /** Some of its jobs are running, and none was waiting. */
        RUNS,
        /** Jobs were waiting. They were cancelled, or another process is cancelling them, so the batch must be checked again. */
        WAITED;

        Remaining or(Remaining other) {
            return compareTo(other) < 0 ? other : this;
        }
    }

    private Remaining cancelWaitingWithin(long batch) throws SQLException {
        return cancelWaitingWithin(batch, batch);
    }

    private Remaining cancelWaitingWithin(long batch, long stopped) throws SQLException {
        Remaining remaining = Remaining.NOTHING;
        long lastInner = 0;
        List<Long> inner;
        do {
            inner = batches.within(batch, lastInner, PAGE);
            for (long each : inner) {
                remaining = remaining.or(cancelWaitingWithin(each, stopped));
                lastInner = each;
            }
        } while (!inner.isEmpty() && !Thread.currentThread().isInterrupted());
        List<PlacePart> parts = JobPlaces.parts(database);
        long last = 0;
        List<Long> page;
        do {
            page = batches.jobs(batch, last, PAGE);
            Remaining found = page.isEmpty() ? Remaining.NOTHING : remainingOf(parts, page);
            if (found == Remaining.WAITED
                    && (Thread.currentThread().isInterrupted() || !cancelWaiting(page, stopped))) {
                return found;
            }
            remaining = remaining.or(found);
            last = page.isEmpty() ? last : page.get(page.size() - 1);
        } while (!page.isEmpty());
        return remaining;
    }

    /** {@return the state of a page of jobs} Gives rows to waiting jobs without one. */
    private Remaining remainingOf(List<PlacePart> parts, List<Long> page) throws SQLException {
        boolean waits = false;
        boolean runs = false;
        for (PlacePart part : parts) {
            PlacePart.Found found = part.takeWaiting(page);
            waits |= !found.waiting().isEmpty();
            runs |= found.anyRuns();
        }
        Live live = database.autocommit(connection -> live(connection, page, ""));
        waits |= !live.waiting.isEmpty();
        runs |= !live.running.isEmpty();
        return waits ? Remaining.WAITED : runs ? Remaining.RUNS : Remaining.NOTHING;
    }

    /**
     * Cancels the waiting jobs of a page; returns false if the batch is no longer to be cancelled. The batch is read after the jobs were
     * locked, because a retry of one job of the batch ends the cancellation.
     */
    private boolean cancelWaiting(List<Long> page, long stopped) throws SQLException {
        return database.racing(connection -> {
            List<Long> free = live(connection, page, database.dialect().skipLocked()).waiting;
            if (free.isEmpty()) { // they are locked: the next round finds them again
                return true;
            }
            if (!batches.isToCancel(connection, stopped)) {
                return false;
            }
            int unused = jobCommands.cancelWaiting(connection, free);
            return true;
        });
    }

    /**
     * Cancels all jobs of a workflow, from the last node to the first, so that no further job is released.
     *
     * @return how many were cancelled or asked to stop
     */
    long cancelWorkflow(long workflow) throws SQLException {
        List<Long> nodes = workflows.nodes(workflow);
        long cancelled = 0;
        for (int place = nodes.size() - 1; place >= 0; place--) {
            cancelled += cancel(nodes.get(place));
        }
        return cancelled;
    }

    /**
     * Cancels all jobs of a batch and of its inner batches; running jobs are asked to stop.
     *
     * @return how many were cancelled or asked to stop
     */
    long cancel(long batch) throws SQLException {
        long cancelled = 0;
        long lastInner = 0;
        List<Long> inner;
        do {
            inner = batches.within(batch, lastInner, PAGE);
            for (long each : inner) {
                cancelled += cancel(each);
                lastInner = each;
            }
        } while (!inner.isEmpty() && !Thread.currentThread().isInterrupted());
        List<PlacePart> parts = JobPlaces.parts(database);
        long last = 0;
        List<Long> page;
        do {
            page = batches.jobs(batch, last, PAGE);
            if (Thread.currentThread().isInterrupted()) {
                return cancelled;
            }
            cancelled += page.isEmpty() ? 0 : cancel(parts, page);
            last = page.isEmpty() ? last : page.get(page.size() - 1);
        } while (!page.isEmpty());
        return cancelled;
    }

    /**
     * Cancels a page of jobs. Jobs that are locked are then cancelled one by one, because a claim locks them for a moment only. Jobs that a
     * handler's transaction has locked are not cancelled.
     */
    private long cancel(List<PlacePart> parts, List<Long> page) throws SQLException {
        Set<Long> left = new TreeSet<>();
        for (PlacePart part : parts) {
            left.addAll(part.takeWaiting(page).waiting());
            int unused = part.takeRunning(page);
        }
        Live done = database.racing(connection -> {
            Live free = live(connection, page, database.dialect().skipLocked());
            jobCommands.askToStop(connection, free.running);
            if (!free.waiting.isEmpty()) {
                int unused = jobCommands.cancelWaiting(connection, free.waiting);
            }
            return free;
        });
        left.addAll(
                database.autocommit(connection -> live(connection, page, "")).all());
        left.removeAll(Set.copyOf(done.all()));
        long cancelled = done.all().size();
        for (long job : left) {
            CancelResult result = jobCommands.cancel(job);
            cancelled += result == CancelResult.CANCELLED || result == CancelResult.REQUESTED ? 1 : 0;
        }
        return cancelled;
    }

    /** Unfinished jobs with rows. */
    private record Live(List<Long> waiting, List<Long> running) {
        List<Long> all() {
            List<Long> all = new ArrayList<>(waiting);
            all.addAll(running);
            return all;
        }
    }

    private Live live(Connection connection, List<Long> page, String lock) throws SQLException {
        Dialect dialect = database.dialect();
        Sql sql = dialect.planned("SELECT id, state FROM " + dialect.jobsById() + " WHERE "
                + dialect.anyOf("id", page.size()) + " AND " + dialect.isLive() + " ORDER BY id " + lock);
        Live live = new Live(new ArrayList<>(), new ArrayList<>());
        sql.on(connection, page).each(rows -> {
            boolean waits = JobState.ofCode(rows.getInt(2)).isWaiting();
            (waits ? live.waiting : live.running).add(rows.getLong(1));
        });
        return live;
    }
}
