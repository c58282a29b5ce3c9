package dev.pawl.internal.admin;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobCount;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetryResult;
import dev.pawl.internal.enqueue.HeldKeys;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.SqlWork;
import dev.pawl.internal.key.KeyedJobs;
import dev.pawl.internal.key.SqlKeys;
import dev.pawl.internal.lane.Lane;
import dev.pawl.internal.lane.LaneDrain;
import dev.pawl.internal.lane.LaneErasure;
import dev.pawl.internal.lane.LaneInterventions;
import dev.pawl.internal.lane.LanePages;
import dev.pawl.internal.lane.LaneReads;
import dev.pawl.internal.settle.Archive;
import dev.pawl.internal.store.KeyTurns.JobKey;
import dev.pawl.internal.store.LaidAside;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the same to all jobs that match: page by page, from the newest one that was there at the beginning downwards. Each page is
 * found by a plain read and changed in a transaction, which locks what still matches and passes by what somebody else has
 * locked. Jobs of lanes that wait get rows first. Confined to one call.
 */
final class BulkChanges {
    private static final int PAGE = 500;
    /** Of jobs with their payloads. */
    private static final int SMALL_PAGE = 100;
    /** Of keys, in one transaction. */
    private static final int TURNS = 100;
    /** Of keys altogether: whoever waits has the rest done by workers. */
    private static final int MOST_TURNS = 1_000;
    /** Of which what tells of them is deleted together. */
    private static final int ERASED_KEYS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(BulkChanges.class);
    /** Of the first range of ids that is counted within a time. */
    private static final long FIRST_WIDTH = 20_000;

    private static final long QUICK = Duration.ofMillis(200).toNanos();

    private static final Place WAITING = new Place("pawl_job", "state = 0", JobState.AVAILABLE);
    /** Completed, and soon swept into the history. */
    private static final Place MARKED = new Place("pawl_job", "state = 2", JobState.COMPLETED);

    private static final Place RUNNING = new Place("pawl_job", "state = 1", JobState.RUNNING);

    private final Database database;
    private final Dialect dialect;
    private final Finders finders;
    private final Interventions interventions;
    private final Archive archive;
    private final KeyedJobs keyed;
    private final SqlKeys turns;
    private final Set<JobKey> keysToTurn = new LinkedHashSet<>();
    private final Set<String> woken = new HashSet<>();
    private final Set<String> erasedKeys = new HashSet<>();
    private final LaneReads lanes;
    private final JobFilter filter;
    private final LongConsumer progress;
    private final Instant start;
    private final long newest;
    private final List<Lane> ofFilter;
    /** Up to which jobs are counted. */
    private long most = Long.MAX_VALUE;
    /** Jobs with smaller ids are not counted. */
    private long floor;

    /** When counting stops, by {@link System#nanoTime}; null for never. */
    private @Nullable Long deadline;

    private boolean isCut;

    private long changed;
    private long left;

    /**
     * @param database the pool and the dialect
     * @param finders knows what a filter asks for
     * @param interventions what is done to a single job
     * @param filter which jobs
     * @param progress is told how many were changed
     * @throws SQLException from the driver
     */
    BulkChanges(
            Database database, Finders finders, Interventions interventions, JobFilter filter, LongConsumer progress)
            throws SQLException {
        this.database = database;
        this.dialect = database.dialect();
        this.finders = finders;
        this.interventions = interventions;
        this.archive = new Archive(dialect);
        this.keyed = new KeyedJobs(dialect);
        this.turns = new SqlKeys(database);
        this.lanes = new LaneReads(dialect);
        this.filter = filter;
        this.progress = progress;
        this.start = database.autocommit(connection -> Present.of(connection, dialect));
        this.ofFilter = Finders.needsRow(filter)
                ? List.of()
                : database.autocommit(lanes::lanes).stream()
                        .filter(lane -> filter.queues().fits(lane.queue()))
                        .toList();
        this.newest = database.autocommit(this::newest);
    }

    /**
     * Where jobs are that a step concerns.
     *
     * @param table of rows
     * @param condition on them
     * @param state of the jobs; null for all that are finished
     */
    private record Place(
            String table, String condition, @Nullable JobState state) {}

    /** {@return the greatest id of a job that has not ended} */
    private long newest(Connection connection) throws SQLException {
        Long one = filter.id();
        if (one != null) {
            return one;
        }
        long newest = 0;
        for (String table : new String[] {"pawl_job", "pawl_job_history"}) {
            try (PreparedStatement statement =
                            connection.prepareStatement(dialect.sql("SELECT MAX(id) FROM " + table));
                    ResultSet row = statement.executeQuery()) {
                row.next();
                newest = Math.max(newest, row.getLong(1));
            }
        }
        for (Lane lane : ofFilter) {
            newest = Math.max(newest, lanes.newest(connection, lane.id()));
        }
        return newest;
    }

    ChangeResult make(JobChange change) throws SQLException {
        if (change instanceof JobChange.Cancel) {
            cancel();
        } else if (change instanceof JobChange.Retry retry) {
            retry(retry.isSpread() ? new Stagger(start, retry, count(retry)) : null);
        } else if (change instanceof JobChange.Delete) {
            delete();
        } else if (change instanceof JobChange.Erase) {
            erase();
        } else if (change instanceof JobChange.Prioritize prioritize) {
            giveRows();
            eachPage(WAITING, (connection, ids) -> {
                keyed.prioritize(connection, ids, prioritize.priority());
                return update(connection, "priority = ?", ids, prioritize.priority());
            });
        } else if (change instanceof JobChange.Move move) {
            giveRows();
            eachPage(WAITING, (connection, ids) -> {
                keysToTurn.addAll(keyed.move(connection, ids, move.queue()));
                return update(connection, "queue = ?", ids, move.queue());
            });
            takeTurns();
        } else if (change instanceof JobChange.Reschedule reschedule) {
            giveRows();
            String set = "available_at = " + dialect.moment();
            eachPage(unblocked(), (connection, ids) -> {
                int updated = update(connection, set, ids, reschedule.at());
                keyed.park(connection, ids);
                return updated;
            });
        }
        return new ChangeResult(changed, left);
    }

    /** {@return queues in which jobs are available now whose turn has come by what was done} */
    Set<String> woken() {
        return woken;
    }

    /** When all are there, so that they go in order. Of what is not done now, the next sweep of a worker does the rest. */
    private void takeTurns() {
        List<JobKey> all = List.copyOf(keysToTurn);
        for (int from = 0; from < Math.min(MOST_TURNS, all.size()); from += TURNS) {
            try {
                woken.addAll(turns.letGo(all.subList(from, Math.min(all.size(), from + TURNS)))
                        .queues());
            } catch (SQLException e) {
                LOG.debug("the turns of keys whose jobs were moved are left to workers", e);
            }
        }
    }

    /** The same for somebody who waits: up to a number, and among the newest jobs of each table. */
    JobCount count(JobChange change, int upTo) throws SQLException {
        most = upTo + 1L;
        boolean isAll = finders.ofRows(filter).sql().isEmpty()
                && filter.states().isAll()
                && !(change instanceof JobChange.Retry); // which passes over those that are completed
        JobFilter looked = !filter.states().isAll()
                ? filter
                : change instanceof JobChange.Delete
                        ? filter.state(JobState.COMPLETED)
                        : change instanceof JobChange.Retry || change instanceof JobChange.Erase
                                ? filter
                                : filter.state(JobState.AVAILABLE);
        floor = isAll || filter.id() != null ? 0 : database.autocommit(connection -> finders.floor(connection, looked));
        long count = count(change);
        return new JobCount(Math.min(upTo, count), count > upTo || floor > 0);
    }

    /** The exact number, unless that takes longer than this: no single statement reads more than what takes about a second. */
    JobCount count(JobChange change, Duration atMost) throws SQLException {
        deadline = System.nanoTime() + atMost.toNanos();
        long count = count(change);
        return new JobCount(count, isCut);
    }

    private boolean isOver() {
        isCut |= deadline != null && System.nanoTime() - deadline >= 0;
        return isCut;
    }

    /** {@return how many jobs a change concerns, as they are now} */
    long count(JobChange change) throws SQLException {
        long count = 0;
        if (change instanceof JobChange.Delete || change instanceof JobChange.Erase) {
            count += count(finished()) + countOfLanes(JobState.COMPLETED);
        }
        if (change instanceof JobChange.Retry) {
            count += count(ended()) + (retriesCompleted() ? countOfLanes(JobState.COMPLETED) : 0);
        }
        if (change instanceof JobChange.Retry) {
            count += count(delayed());
        } else if (!(change instanceof JobChange.Delete)) {
            count += count(change instanceof JobChange.Reschedule ? unblocked() : WAITING)
                    + countOfLanes(JobState.AVAILABLE);
        }
        if (change instanceof JobChange.Erase) {
            count += count(MARKED);
        }
        if (change instanceof JobChange.Cancel || change instanceof JobChange.Erase) {
            count += count(RUNNING) + countOfLanes(JobState.RUNNING);
        }
        return count;
    }

    private static Place finished() {
        return new Place("pawl_job_history", "finished_at <= %s", null);
    }

    /** What has been done is done again only where it is asked for, by its state or its id. */
    private boolean retriesCompleted() {
        return filter.states().names(JobState.COMPLETED) || filter.id() != null;
    }

    /** What has ended, and a retry concerns. */
    private Place ended() {
        return retriesCompleted()
                ? finished()
                : new Place("pawl_job_history", "finished_at <= %s AND state <> " + JobState.COMPLETED.code(), null);
    }

    private Place delayed() {
        return new Place(
                "pawl_job",
                unblocked().condition + " AND available_at > " + dialect.now() + " AND " + KeyedJobs.NOT_PARKED,
                JobState.AVAILABLE);
    }

    /** What waits, but not for other jobs of its workflow, and is not held back by its batch. */
    private Place unblocked() {
        return new Place(
                "pawl_job",
                "state = 0 AND %1$s <> %2$s AND NOT (%1$s >= %3$s AND %1$s < %4$s)"
                        .formatted(
                                dialect.micros("available_at"),
                                Micros.of(Job.BLOCKED),
                                Micros.of(LaidAside.FROM),
                                Micros.of(LaidAside.UNTIL)),
                JobState.AVAILABLE);
    }

    /** A job may fail, and wait again, after the first look at those that wait; and be claimed after it. */
    private void cancel() throws SQLException {
        giveRows();
        eachPage(WAITING, interventions::cancelWaiting);
        left = 0;
        giveRowsToRunning();
        eachPage(RUNNING, this::askToStop);
        eachPage(WAITING, interventions::cancelWaiting);
    }

    private int askToStop(Connection connection, List<Long> ids) throws SQLException {
        interventions.askToStop(connection, ids);
        return ids.size();
    }

    /**
     * @param stagger when each becomes available; null for now
     */
    private void retry(@Nullable Stagger stagger) throws SQLException {
        eachPage(delayed(), (connection, ids) -> {
            int updated = stagger == null
                    ? update(connection, "available_at = " + dialect.now(), ids, null)
                    : bringForward(connection, ids, moments(stagger, ids.size()));
            keyed.parkHeld(connection, ids);
            return updated;
        });
        eachPage(
                ended(),
                (connection, ids) ->
                        interventions.revive(connection, ids, stagger == null ? null : moments(stagger, ids.size())));
        if (retriesCompleted()) {
            eachOfLanes(JobState.COMPLETED, (connection, id) -> {
                boolean done = interventions.retry(connection, id) == RetryResult.AVAILABLE_NOW;
                if (done && stagger != null) {
                    int unused = update(connection, "available_at = " + dialect.moment(), List.of(id), stagger.next());
                    keyed.park(connection, List.of(id));
                }
                return done;
            });
        }
    }

    /** {@return the moments of the jobs of a page, which are ordered by rising ids} */
    private static List<Instant> moments(Stagger stagger, int jobs) {
        List<Instant> moments = new ArrayList<>(jobs);
        for (int i = 0; i < jobs; i++) {
            moments.add(0, stagger.next());
        }
        return moments;
    }

    /** What is due earlier than its turn keeps its time. */
    private int bringForward(Connection connection, List<Long> ids, List<Instant> moments) throws SQLException {
        String sql = dialect.sql("UPDATE pawl_job SET available_at = " + dialect.moment()
                + " WHERE id = ? AND available_at > " + dialect.moment());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < ids.size(); i++) {
                dialect.bind(statement, 1, moments.get(i));
                statement.setLong(2, ids.get(i));
                dialect.bind(statement, 3, moments.get(i));
                statement.addBatch();
            }
            statement.executeBatch();
            return ids.size();
        }
    }

    /** Waiting ones twice: one that ran may wait again. What runs on is left, and named as such. */
    private void erase() throws SQLException {
        giveRows();
        List<Lane> all = database.autocommit(lanes::lanes); // a job may have moved to another queue
        LaneErasure copies = new LaneErasure(dialect);
        Erasure erasure = (connection, locked) -> {
            List<Long> ids = copies.eraseCopies(connection, all, locked);
            if (!ids.isEmpty()) {
                erasedKeys.addAll(keyed.keys(connection, "pawl_job", ids));
                deleteBelongings(connection, ids);
                forgetUnique(connection, "pawl_job", ids);
                archive.delete(connection, ids);
                keyed.forget(connection, ids);
            }
            return ids;
        };
        Step cancelling =
                (connection, locked) -> interventions.ended(connection, locked, () -> erasure.of(connection, locked));
        eachPage(MARKED, (connection, locked) -> erasure.of(connection, locked).size());
        eachPage(WAITING, cancelling);
        left = 0;
        giveRowsToRunning();
        eachPage(RUNNING, (connection, ids) -> {
            int unused = askToStop(connection, ids);
            return 0;
        });
        eachPage(WAITING, cancelling);
        eachPage(finished(), (connection, locked) -> {
            List<Long> ids = copies.eraseCopies(connection, all, locked);
            if (ids.isEmpty()) {
                return 0;
            }
            erasedKeys.addAll(keyed.keys(connection, "pawl_job_history", ids));
            deleteBelongings(connection, ids);
            forgetUnique(connection, "pawl_job_history", ids);
            keyed.forget(connection, ids);
            return delete(connection, "pawl_job_history", "id", ids);
        });
        deleteFromLanes();
        if (filter.key() != null) {
            erasedKeys.add(filter.key()); // its last job may have gone long ago
        }
        eraseKeys();
    }

    /** What is kept of a key, such as how much of its rate is left, would still tell its name. */
    private void eraseKeys() throws SQLException {
        if (!erasedKeys.isEmpty()) {
            turns.erase(erasedKeys, filter.queues()::fits);
            erasedKeys.clear();
        }
    }

    /** A unique key may outlive its job. */
    private void forgetUnique(Connection connection, String table, List<Long> ids) throws SQLException {
        String read = dialect.sql("SELECT id, kind, unique_key, headers FROM " + table
                + " WHERE (unique_key IS NOT NULL OR headers IS NOT NULL) AND " + dialect.anyOf("id", ids.size()));
        String delete = dialect.sql("DELETE FROM pawl_unique WHERE kind = ? AND unique_key = ? AND job_id = ?");
        try (PreparedStatement found = dialect.planned(connection, read)) {
            dialect.bindIds(found, 1, ids);
            try (ResultSet rows = found.executeQuery();
                    PreparedStatement forget = connection.prepareStatement(delete)) {
                boolean any = false;
                while (rows.next()) {
                    String key = rows.getString(3);
                    if (key == null) {
                        key = JobRows.headers(rows.getString(4)).get(HeldKeys.UNIQUE);
                    }
                    if (key == null) {
                        continue;
                    }
                    forget.setString(1, rows.getString(2));
                    forget.setString(2, key);
                    forget.setLong(3, rows.getLong(1));
                    forget.addBatch();
                    any = true;
                }
                if (any) {
                    forget.executeBatch();
                }
            }
        }
    }

    private void delete() throws SQLException {
        eachPage(finished(), (connection, ids) -> {
            deleteBelongings(connection, ids);
            return delete(connection, "pawl_job_history", "id", ids);
        });
        deleteFromLanes();
    }

    private void deleteBelongings(Connection connection, List<Long> ids) throws SQLException {
        for (String table :
                new String[] {"pawl_attempt", "pawl_job_log", "pawl_assignment", "pawl_step", "pawl_result"}) {
            int unused = delete(connection, table, "job_id", ids);
        }
    }

    /** What is done to a page, whose rows are locked; returns how many were changed. */
    private interface Step {
        int on(Connection connection, List<Long> ids) throws SQLException;
    }

    /** Erases of a page what it can; returns the ids of what is gone. */
    private interface Erasure {
        List<Long> of(Connection connection, List<Long> locked) throws SQLException;
    }

    private boolean isWanted(@Nullable JobState state) {
        return state == null ? Finders.mayBeFinished(filter) : filter.states().fits(state);
    }

    private void eachPage(Place place, Step step) throws SQLException {
        if (!isWanted(place.state)) {
            return;
        }
        long below = newest + 1;
        while (!Thread.currentThread().isInterrupted()) {
            long end = below;
            List<Long> page = database.autocommit(connection -> page(connection, place, end));
            if (page.isEmpty()) {
                return;
            }
            below = page.get(page.size() - 1);
            List<Long> upwards = upwards(page);
            int done = patiently(connection -> {
                List<Long> free = lock(connection, place, upwards);
                return free.isEmpty() ? 0 : step.on(connection, free);
            });
            changed += done;
            left += page.size() - done;
            if (erasedKeys.size() > ERASED_KEYS) {
                eraseKeys();
            }
            progress.accept(changed);
        }
    }

    private long count(Place place) throws SQLException {
        if (!isWanted(place.state)) {
            return 0;
        }
        if (most < Long.MAX_VALUE) {
            return database.autocommit(
                    connection -> countSome(connection, place, floor, Long.MAX_VALUE, " LIMIT " + most));
        }
        if (deadline != null) {
            return countByRanges(place);
        }
        long count = 0;
        List<Long> page = database.autocommit(connection -> page(connection, place, newest + 1));
        while (!page.isEmpty()) {
            count += page.size();
            long below = page.get(page.size() - 1);
            page = database.autocommit(connection -> page(connection, place, below));
        }
        return count;
    }

    /** Ranges of ids grow while they are counted quickly: ids may have large gaps. */
    private long countByRanges(Place place) throws SQLException {
        long count = 0;
        long width = FIRST_WIDTH;
        for (long top = newest; top > 0 && !isOver(); ) {
            long begun = System.nanoTime();
            long upTo = top;
            long above = Math.max(0, top - width);
            count += database.autocommit(connection -> countSome(connection, place, above, upTo, ""));
            width = System.nanoTime() - begun < QUICK ? Math.min(width * 2, Long.MAX_VALUE / 4) : width;
            top = above;
        }
        return count;
    }

    private long countSome(Connection connection, Place place, long above, long upTo, String limit)
            throws SQLException {
        List<Object> values = new ArrayList<>();
        String where = where(place, values);
        values.add(above);
        values.add(upTo);
        boolean areFew = place.equals(RUNNING) || place.equals(MARKED); // and have an index
        String sql = "SELECT COUNT(*) FROM (SELECT 1 AS one FROM "
                + (areFew ? place.table : dialect.alongIds(place.table)) + where
                + " AND id > ? AND id <= ?" + limit + ") matching";
        try (PreparedStatement statement = dialect.planned(connection, dialect.sql(sql))) {
            int unused = finders.bind(statement, values);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private List<Long> page(Connection connection, Place place, long below) throws SQLException {
        List<Object> values = new ArrayList<>();
        String where = where(place, values);
        values.add(below);
        String sql = "SELECT id FROM " + place.table + where + " AND id < ? ORDER BY id DESC LIMIT " + PAGE;
        try (PreparedStatement statement = dialect.planned(connection, dialect.sql(sql))) {
            int unused = finders.bind(statement, values);
            return ids(statement);
        }
    }

    /** Everything is asked for again: since the page was read, a job may have moved to another queue. */
    private List<Long> lock(Connection connection, Place place, List<Long> ids) throws SQLException {
        List<Object> values = new ArrayList<>();
        // They are found by their ids, so the planner is offered no index on a part of the table.
        String where =
                where(place, values).replace("state = 0", dialect.waits()).replace("state = 1", dialect.runs());
        String sql = "SELECT id FROM " + place.table + where + " AND " + dialect.anyOf("id", ids.size())
                + " ORDER BY id " + dialect.skipLocked();
        try (PreparedStatement statement = dialect.planned(connection, dialect.sql(sql))) {
            dialect.bindIds(statement, finders.bind(statement, values), ids);
            return ids(statement);
        }
    }

    private String where(Place place, List<Object> values) {
        StringBuilder where = new StringBuilder(" WHERE ");
        if (place.state == null) { // what has ended since, perhaps by this call, is left alone
            where.append(place.condition.formatted(dialect.moment()));
            values.add(start);
        } else {
            where.append(place.condition);
        }
        LaneReads.Conditions conditions = finders.ofRows(filter);
        where.append(conditions.sql());
        values.addAll(conditions.values());
        if (place.state == null) {
            Finders.choose(where, values, "state", filter.states(), JobState::code);
        }
        return where.toString();
    }

    private static List<Long> ids(PreparedStatement statement) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    private int update(Connection connection, String set, List<Long> ids, @Nullable Object value) throws SQLException {
        String sql = dialect.sql(
                "UPDATE " + dialect.jobsById() + " SET " + set + " WHERE " + dialect.anyOf("id", ids.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int index = value == null ? 1 : finders.bind(statement, List.of(value));
            dialect.bindIds(statement, index, ids);
            statement.executeUpdate(); // a driver may count only rows that really changed
            return ids.size();
        }
    }

    private int delete(Connection connection, String table, String column, List<Long> ids) throws SQLException {
        String sql = dialect.sql("DELETE FROM " + table + " WHERE " + dialect.anyOf(column, ids.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            dialect.bindIds(statement, 1, ids);
            return statement.executeUpdate();
        }
    }

    /** All that waits in the lanes, or the one that is meant: which of them match is asked of their rows. */
    private void giveRows() throws SQLException {
        if (!isWanted(JobState.AVAILABLE)) {
            return;
        }
        Long one = filter.id();
        if (one != null) {
            LaneInterventions lane = new LaneInterventions(dialect);
            patiently(connection -> {
                dialect.seeLatest(connection);
                return Optional.ofNullable(lane.takeOut(connection, one));
            });
            return;
        }
        LaneDrain drain = new LaneDrain(dialect);
        for (Lane lane : ofFilter) {
            while (!Thread.currentThread().isInterrupted()
                    && patiently(connection -> drain.drain(connection, lane, newest, PAGE)) == PAGE) {
                progress.accept(changed);
            }
        }
    }

    /** What runs in the lanes is asked to stop by its row. */
    private void giveRowsToRunning() throws SQLException {
        LanePages pages = new LanePages(database);
        eachPageOfLanes(JobState.RUNNING, (lane, page) -> pages.takeRunning(lane, upwards(page)));
    }

    private static List<Long> upwards(List<Long> ids) {
        return ids.stream().sorted().toList();
    }

    /** What is done to one job; returns whether it was changed. */
    private interface One {
        boolean to(Connection connection, long id) throws SQLException;
    }

    /** A page of jobs of a lane. */
    private interface Some {
        void are(Lane lane, List<Long> downwards) throws SQLException;
    }

    private void eachOfLanes(JobState state, One one) throws SQLException {
        eachPageOfLanes(state, (lane, page) -> {
            for (long id : page) {
                boolean done = patiently(connection -> one.to(connection, id));
                changed += done ? 1 : 0;
                left += done ? 0 : 1;
            }
            progress.accept(changed);
        });
    }

    private long countOfLanes(JobState state) throws SQLException {
        if (most < Long.MAX_VALUE) {
            return Finders.needsRow(filter) || !isWanted(state)
                    ? 0
                    : database.autocommit(connection -> lanes.list(
                                    connection,
                                    filter.queues()::fits,
                                    each -> each == state,
                                    finders.common(filter),
                                    floor,
                                    (int) most,
                                    false))
                            .size();
        }
        long[] count = new long[1];
        eachPageOfLanes(state, (lane, page) -> count[0] += page.size());
        return count[0];
    }

    private void eachPageOfLanes(JobState state, Some some) throws SQLException {
        if (!isWanted(state)) {
            return;
        }
        for (Lane lane : ofFilter) {
            long below = newest + 1;
            while (!Thread.currentThread().isInterrupted() && !isOver()) {
                long end = below;
                List<Job> page = database.autocommit(
                        connection -> lanes.ofLane(connection, lane, state, finders.common(before(end)), SMALL_PAGE));
                if (page.isEmpty()) {
                    break;
                }
                below = page.stream().mapToLong(Job::id).min().orElse(0);
                some.are(
                        lane,
                        page.stream()
                                .filter(job -> job.finishedAt() == null
                                        || !job.finishedAt().isAfter(start))
                                .map(Job::id)
                                .sorted(Comparator.reverseOrder())
                                .toList());
            }
        }
    }

    private JobFilter before(long id) {
        return filter.beforeId() == null || filter.beforeId() > id ? filter.before(id) : filter;
    }

    private void deleteFromLanes() throws SQLException {
        LaneErasure erasure = new LaneErasure(dialect);
        eachPageOfLanes(JobState.COMPLETED, (of, page) -> {
            List<Long> upwards = upwards(page);
            int erased = database.transaction(connection -> {
                List<Long> gone = new ArrayList<>();
                for (Lane lane : ofFilter) {
                    gone.addAll(erasure.erase(connection, lane.id(), upwards));
                }
                if (!gone.isEmpty()) {
                    deleteBelongings(connection, gone);
                }
                return gone.size();
            });
            changed += erased;
            left += page.size() - erased;
            progress.accept(changed);
        });
    }

    private <T> T patiently(SqlWork<T> work) throws SQLException {
        return Patiently.transaction(database, work);
    }
}
