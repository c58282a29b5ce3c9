package dev.pawl.internal.admin;

import dev.pawl.admin.Admin;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.JobState;
import dev.pawl.internal.feature.JobTable;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.feature.RemovedJobs;
import dev.pawl.internal.feature.RowChanges;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.place.PlacePart;
import dev.pawl.internal.settle.Archive;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies a change to all matching jobs, page by page, from the newest job that existed at the start down to the oldest. Each page is read
 * without locks and changed in a transaction, which locks the jobs that still match and skips those that other transactions have locked.
 * Waiting jobs of lanes first get rows in {@code pawl_job}. Confined to one call.
 */
final class BulkChanges {
    private final Database database;
    private final Dialect dialect;
    private final JobQueries jobQueries;
    private final JobCommands jobCommands;
    private final LinkedRows linked;
    private final Archive archive;
    private final RowChanges linkedChanges;
    private final Set<String> woken = new HashSet<>();
    private final MatchingJobs which;
    private final JobFilter filter;
    private final LongConsumer progress;
    private long changed;
    private long left;

    /**
     * @param database the pool and the dialect
     * @param jobQueries turns the filter into SQL
     * @param jobCommands change single jobs
     * @param linked rows that follow the jobs
     * @param which the jobs
     * @param progress called with the number of changed jobs
     */
    BulkChanges(
            Database database,
            JobQueries jobQueries,
            JobCommands jobCommands,
            LinkedRows linked,
            MatchingJobs which,
            LongConsumer progress) {
        this.database = database;
        this.dialect = database.dialect();
        this.jobQueries = jobQueries;
        this.jobCommands = jobCommands;
        this.linked = linked;
        this.linkedChanges = linked.changes();
        this.archive = new Archive(dialect);
        this.which = which;
        this.filter = which.filter();
        this.progress = progress;
    }

    ChangeResult make(JobChange change) throws SQLException {
        if (change instanceof JobChange.Cancel) {
            cancel();
        } else if (change instanceof JobChange.Retry retry) {
            retry(retry.isSpread() ? stagger(retry) : null);
        } else if (change instanceof JobChange.Delete) {
            delete();
        } else if (change instanceof JobChange.Erase) {
            erase();
        } else if (change instanceof JobChange.Prioritize prioritize) {
            giveRows();
            eachPage(MatchingJobs.WAITING, (connection, ids) -> {
                linkedChanges.prioritizing(connection, ids, prioritize.priority());
                return update(connection, "priority = ?", ids, prioritize.priority());
            });
        } else if (change instanceof JobChange.Move move) {
            giveRows();
            eachPage(MatchingJobs.WAITING, (connection, ids) -> {
                linkedChanges.moving(connection, ids, move.queue());
                return update(connection, "queue = ?", ids, move.queue());
            });
            woken.addAll(linkedChanges.afterMoves(database));
        } else if (change instanceof JobChange.Reschedule reschedule) {
            giveRows();
            String set = "available_at = " + dialect.moment();
            eachPage(MatchingJobs.reschedulable(), (connection, ids) -> {
                int updated = update(connection, set, ids, reschedule.at());
                linkedChanges.rescheduled(connection, ids);
                return updated;
            });
        }
        return new ChangeResult(changed, left);
    }

    /** {@return queues in which the change made jobs available} */
    Set<String> woken() {
        return woken;
    }

    /**
     * Cancels the jobs. Reads the waiting jobs first, and then the waiting and running jobs together, because a running job may fail and
     * wait again, and a waiting job may be claimed.
     */
    private void cancel() throws SQLException {
        giveRows();
        eachPage(MatchingJobs.WAITING, jobCommands::cancelWaiting);
        left = 0;
        giveRowsToRunning();
        eachLivePage(jobCommands::cancelWaiting, this::askToStop);
    }

    private int askToStop(Connection connection, List<Long> ids) throws SQLException {
        jobCommands.askToStop(connection, ids);
        return ids.size();
    }

    /**
     * @param stagger when each becomes available; null for now
     */
    private void retry(@Nullable Stagger stagger) throws SQLException {
        eachPage(which.delayed(), (connection, ids) -> {
            int updated = stagger == null
                    ? update(connection, "available_at = " + dialect.now(), ids, null)
                    : bringForward(connection, ids, moments(stagger, ids.size()));
            linkedChanges.retried(connection, ids);
            return updated;
        });
        eachPage(
                which.ended(),
                (connection, ids) ->
                        jobCommands.revive(connection, ids, stagger == null ? null : moments(stagger, ids.size())));
        if (which.retriesCompleted()) {
            eachWithoutRow(JobState.COMPLETED, (connection, id) -> {
                boolean done = jobCommands.retry(connection, id) == RetryResult.AVAILABLE_NOW;
                if (done && stagger != null) {
                    int unused = update(connection, "available_at = " + dialect.moment(), List.of(id), stagger.next());
                    linkedChanges.rescheduled(connection, List.of(id));
                }
                return done;
            });
        }
    }

    private Stagger stagger(JobChange.Retry retry) throws SQLException {
        return new Stagger(
                which.start(),
                retry,
                new MatchingCount(database, jobQueries, which)
                        .count(retry, Admin.NO_TIMEOUT)
                        .jobs());
    }

    /** {@return when each job of a page, by ascending id, becomes available} */
    private static List<Instant> moments(Stagger stagger, int jobs) {
        List<Instant> moments = new ArrayList<>(jobs);
        for (int i = 0; i < jobs; i++) {
            moments.add(0, stagger.next());
        }
        return moments;
    }

    /** Makes delayed jobs due at the given moments. A job that is due before its moment keeps its time. */
    private int bringForward(Connection connection, List<Long> ids, List<Instant> moments) throws SQLException {
        Sql sql = dialect.statement("UPDATE pawl_job SET available_at = " + dialect.moment()
                + " WHERE id = ? AND available_at > " + dialect.moment());
        Iterator<Instant> next = moments.iterator();
        sql.batch(connection, ids, id -> {
            Instant moment = next.next();
            return Sql.values(moment, id, moment);
        });
        return ids.size();
    }

    /**
     * Erases the jobs. Reads waiting jobs twice, because a running job may wait again. Running jobs are asked to stop, and counted as not
     * changed.
     */
    private void erase() throws SQLException {
        giveRows();
        List<PlacePart> all = JobPlaces.parts(database); // a job may have moved to another queue
        Erasure erasure = (connection, locked) -> {
            List<Long> ids = withoutCopies(connection, all, locked);
            if (!ids.isEmpty()) {
                RemovedJobs jobs = new RemovedJobs(connection, JobTable.LIVE, ids);
                linkedChanges.erasing(jobs);
                linked.remove(Transition.ERASE, jobs, () -> archive.delete(connection, ids));
            }
            return ids;
        };
        Step cancelling =
                (connection, locked) -> jobCommands.ended(connection, locked, () -> erasure.erase(connection, locked));
        eachPage(
                MatchingJobs.MARKED,
                (connection, locked) -> erasure.erase(connection, locked).size());
        eachPage(MatchingJobs.WAITING, cancelling);
        left = 0;
        giveRowsToRunning();
        eachLivePage(cancelling, (connection, ids) -> {
            int unused = askToStop(connection, ids);
            return 0;
        });
        eachPage(MatchingJobs.ENDED, (connection, locked) -> {
            List<Long> ids = withoutCopies(connection, all, locked);
            if (ids.isEmpty()) {
                return 0;
            }
            RemovedJobs jobs = new RemovedJobs(connection, JobTable.HISTORY, ids);
            linkedChanges.erasing(jobs);
            linked.remove(Transition.ERASE, jobs);
            return delete(connection, "pawl_job_history", "id", ids);
        });
        which.eachPageOfParts(JobState.COMPLETED, (part, page) -> delete(Transition.ERASE, part, page));
        linkedChanges.afterErasures(database, filter);
    }

    /** Deletes the copies of these jobs that are still in places without rows; returns the ids of the jobs of which no copy remains. */
    private static List<Long> withoutCopies(Connection connection, List<PlacePart> parts, List<Long> ids)
            throws SQLException {
        Set<Long> left = new HashSet<>();
        for (PlacePart part : parts) {
            left.addAll(part.deleteCopies(connection, ids));
        }
        return ids.stream().filter(id -> !left.contains(id)).toList();
    }

    private void delete() throws SQLException {
        eachPage(MatchingJobs.finished(), (connection, ids) -> {
            linked.remove(Transition.DELETE, new RemovedJobs(connection, JobTable.HISTORY, ids));
            return delete(connection, "pawl_job_history", "id", ids);
        });
        which.eachPageOfParts(JobState.COMPLETED, (part, page) -> delete(Transition.DELETE, part, page));
    }

    /** Changes a page, whose rows are locked; returns how many jobs were changed. */
    private interface Step {
        int apply(Connection connection, List<Long> ids) throws SQLException;
    }

    /** Erases the jobs of a page if possible; returns the ids of the erased ones. */
    private interface Erasure {
        List<Long> erase(Connection connection, List<Long> locked) throws SQLException;
    }

    private void eachPage(MatchingJobs.Place place, Step step) throws SQLException {
        if (which.isWanted(place)) {
            eachPageOf(place, (connection, ids) -> on(place, step, connection, ids));
        }
    }

    /**
     * Applies one step to waiting jobs and another to running jobs. A job that changes between the read and the lock is
     * left, and counted as left.
     */
    private void eachLivePage(Step waiting, Step running) throws SQLException {
        eachPageOf(
                MatchingJobs.LIVE,
                (connection, ids) -> on(MatchingJobs.WAITING, waiting, connection, ids)
                        + on(MatchingJobs.RUNNING, running, connection, ids));
    }

    private int on(MatchingJobs.Place place, Step step, Connection connection, List<Long> ids) throws SQLException {
        List<Long> free = which.isWanted(place) ? which.lock(connection, place, ids) : List.of();
        return free.isEmpty() ? 0 : step.apply(connection, free);
    }

    private void eachPageOf(MatchingJobs.Place place, Step step) throws SQLException {
        long below = which.newest() + 1;
        while (!Thread.currentThread().isInterrupted()) {
            List<Long> page = which.page(place, below);
            if (page.isEmpty()) {
                return;
            }
            below = page.get(page.size() - 1);
            List<Long> upwards = upwards(page);
            int done = database.racing(connection -> step.apply(connection, upwards));
            changed += done;
            left += page.size() - done;
            linkedChanges.afterPage(database, filter);
            progress.accept(changed);
        }
    }

    private int update(Connection connection, String set, List<Long> ids, @Nullable Object value) throws SQLException {
        Sql sql = dialect.planned(
                "UPDATE " + dialect.jobsById() + " SET " + set + " WHERE " + dialect.anyOf("id", ids.size()));
        (value == null ? sql.on(connection, ids) : sql.on(connection, value, ids)).run();
        return ids.size(); // a driver may count only rows that really changed
    }

    private int delete(Connection connection, String table, String column, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned("DELETE FROM " + table + " WHERE " + dialect.anyOf(column, ids.size()));
        return sql.on(connection, ids).update();
    }

    /**
     * Gives rows to all waiting jobs that have none, or to the one job whose id the filter names. The filter is tested on the rows
     * afterwards.
     */
    private void giveRows() throws SQLException {
        if (!which.isWanted(JobState.AVAILABLE)) {
            return;
        }
        Long one = filter.id();
        if (one != null) {
            JobState unused = jobCommands.giveRow(one);
            return;
        }
        for (PlacePart part : which.parts()) {
            while (!Thread.currentThread().isInterrupted()
                    && database.racing(connection -> part.giveRows(connection, which.newest(), MatchingJobs.PAGE))
                            == MatchingJobs.PAGE) {
                progress.accept(changed);
            }
        }
    }

    /**
     * Gives rows to running jobs that have none, because a job is asked to stop by its row. Jobs whose handlers have open transactions get
     * no row, and are counted as not changed.
     */
    private void giveRowsToRunning() throws SQLException {
        which.eachPageOfParts(JobState.RUNNING, (part, page) -> left += part.takeRunning(upwards(page)));
    }

    private static List<Long> upwards(List<Long> ids) {
        return ids.stream().sorted().toList();
    }

    /** Changes one job; returns whether it was changed. */
    private interface One {
        boolean apply(Connection connection, long id) throws SQLException;
    }

    private void eachWithoutRow(JobState state, One one) throws SQLException {
        which.eachPageOfParts(state, (part, page) -> {
            for (long id : page) {
                boolean done = jobCommands.retrying(connection -> one.apply(connection, id));
                changed += done ? 1 : 0;
                left += done ? 0 : 1;
            }
            progress.accept(changed);
        });
    }

    private void delete(Transition transition, PlacePart part, List<Long> page) throws SQLException {
        int deleted = database.transaction(connection -> {
            List<Long> gone = part.delete(connection, upwards(page));
            if (!gone.isEmpty()) {
                linked.remove(transition, new RemovedJobs(connection, null, gone));
            }
            return gone.size();
        });
        changed += deleted;
        left += page.size() - deleted;
        progress.accept(changed);
    }
}
