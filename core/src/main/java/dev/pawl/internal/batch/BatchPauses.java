package dev.pawl.internal.batch;

import dev.pawl.api.JobState;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.feature.Notice;
import dev.pawl.internal.feature.RowChanges;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.jdbc.Steps;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses and resumes jobs of batches. Paused jobs are rows in a state of their own. While the batch waits for its first jobs to complete,
 * new jobs are written in this state. While the batch is paused, workers put the jobs that they claim into this state. A resume takes one
 * update for each page of the batch's jobs; features then change their rows of these jobs. Thread-safe.
 */
public final class BatchPauses {
    private static final int PAGE = 500;
    /** Maximum of pages for a batch in one sweep; the next sweep continues. */
    private static final int MAX_PAGES = 20;

    /**
     * When this time has passed since the end of a pause, all workers know that it has ended, and have committed the jobs that they had
     * paused.
     */
    static final Duration END_KNOWN = Duration.ofMinutes(2);

    /** The condition that a pause has ended, and that its jobs may have to be released. */
    static final String PAUSE_ENDED = "paused_at IS NULL AND (canary = 0 OR released_at IS NOT NULL)";

    private static final Logger LOG = LoggerFactory.getLogger(BatchPauses.class);

    private final Database database;
    private final Dialect dialect;
    private final Notice notice;
    private final LinkedRows linked;
    private final Sql pausedJobs;

    /**
     * @param database the pool and the dialect
     * @param notice sent for jobs that are released
     */
    public BatchPauses(Database database, Notice notice) {
        this.database = database;
        this.dialect = database.dialect();
        this.notice = notice;
        this.linked = LinkedRows.installed(dialect);
        // A scalar subquery, because a planner may begin a join with all jobs.
        pausedJobs = dialect.planned("SELECT b.job_id FROM pawl_batch_job b WHERE b.batch_id = ? AND b.job_id > ?"
                + " AND (SELECT j.state FROM pawl_job j WHERE j.id = b.job_id AND j.lease_token >= ?) = "
                + JobState.PAUSED.code() + " ORDER BY b.job_id LIMIT " + PAGE);
    }

    /** Makes the rest of a new batch wait until its first jobs have completed. */
    void canary(Connection connection, long batch, int jobs) throws SQLException {
        Sql insert = dialect.statement("INSERT INTO pawl_batch_pause (batch_id, canary) VALUES (?, ?)");
        insert.on(connection, batch, jobs).run();
    }

    /**
     * Pauses a batch, so that workers start none of its jobs; also pauses the nodes of a workflow.
     *
     * @param batch its id
     * @throws SQLException from the driver
     */
    public void pause(long batch) throws SQLException {
        database.transaction(connection -> {
            Sql insert = dialect.statement(dialect.insertIfMissing("pawl_batch_pause (batch_id) VALUES (?)"));
            Sql pause = dialect.statement("UPDATE pawl_batch_pause SET paused_at = COALESCE(paused_at, " + dialect.now()
                    + ") WHERE batch_id = ?");
            Sql there = dialect.statement("SELECT 1 FROM pawl_batch_pause WHERE batch_id = ? " + dialect.forUpdate());
            int paused = 0;
            for (long each : withNodes(connection, batch)) {
                insert.on(connection, each).run();
                paused += pause.on(connection, each).update();
                // Reads the row instead of trusting the update count, because some servers count only changed rows, and
                // this batch may have been paused before.
                if (!there.on(connection, each).exists()) {
                    throw new SQLException("the pause of batch " + each + " has just been deleted: try again", "40001");
                }
            }
            return paused;
        });
    }

    /**
     * Resumes a batch, and releases its paused jobs. If its first jobs have not completed yet, releases only jobs that workers have paused.
     *
     * @param batch its id
     * @return whether it was paused
     * @throws SQLException from the driver
     */
    public boolean resume(long batch) throws SQLException {
        List<Long> all = database.autocommit(connection -> withNodes(connection, batch));
        Sql resume = dialect.statement("UPDATE pawl_batch_pause SET paused_at = NULL, released_at = " + dialect.now()
                + " WHERE batch_id = ? AND paused_at IS NOT NULL");
        boolean paused = database.transaction(connection -> {
            int resumed = 0;
            for (long each : all) {
                resumed += resume.on(connection, each).update();
            }
            return resumed > 0;
        });
        for (long each : all) {
            releaseUnlessPaused(each); // in any case, because an earlier resume may have failed before this
        }
        return paused;
    }

    /** {@return a batch and, if it is a workflow, its nodes, because the jobs of a workflow belong to its nodes} */
    private List<Long> withNodes(Connection connection, long batch) throws SQLException {
        Sql nodes = dialect.statement("SELECT id FROM pawl_node WHERE workflow_id = ? ORDER BY id");
        List<Long> all = nodes.on(connection, batch).longs();
        all.add(0, batch);
        return all;
    }

    /**
     * Releases the rest of a batch, because its first jobs have completed.
     *
     * @param batch its id
     * @return false if a transaction, which may take long, is adding jobs to the batch: try again
     * @throws SQLException from the driver
     */
    public boolean passed(long batch) throws SQLException {
        // This needs the lock of the row, which a transaction that adds jobs holds. Jobs that are added afterwards are
        // due.
        String exists = "SELECT 1 FROM pawl_batch_pause WHERE batch_id = ? ";
        Sql passed = dialect.statement(
                "UPDATE pawl_batch_pause SET canary = 0, released_at = " + dialect.now() + " WHERE batch_id = ?");
        boolean free = database.transaction(connection -> {
            if (dialect.statement(exists + dialect.skipLocked())
                    .on(connection, batch)
                    .exists()) {
                passed.on(connection, batch).run();
                return true;
            }
            return !dialect.statement(exists).on(connection, batch).exists();
        });
        if (free) {
            releaseUnlessPaused(batch);
        }
        return free;
    }

    /**
     * Releases the paused jobs of a batch, unless it is paused. If its first jobs have not completed, releases only jobs that workers have
     * paused.
     *
     * @param batch its id
     * @throws SQLException from the driver
     */
    public void releaseUnlessPaused(long batch) throws SQLException {
        Sql sql = dialect.statement("SELECT CASE WHEN paused_at IS NULL THEN canary ELSE -1 END FROM pawl_batch_pause"
                + " WHERE batch_id = ?");
        int canary = database.autocommit(connection ->
                sql.on(connection, batch).first(row -> row.getInt(1)).orElse(0));
        if (canary >= 0) {
            boolean unused = release(batch, canary, Integer.MAX_VALUE);
        }
    }

    /**
     * Releases the jobs that are still paused although the pause of their batch has ended. For example, a worker that did not know of the
     * end has paused them, and has died since. Then deletes the row of the pause, unless the batch waits for its first jobs. Reads at most
     * ten thousand paused jobs of each batch. A batch that fails does not stop the others.
     *
     * @throws SQLException from the driver, after all batches
     */
    public void sweep() throws SQLException {
        record Ended(long batch, int canary) {}
        Sql some = dialect.statement("SELECT batch_id, canary FROM pawl_batch_pause WHERE batch_id > ? AND "
                + PAUSE_ENDED + " ORDER BY batch_id LIMIT 100");
        Steps each = new Steps();
        long last = 0;
        List<Ended> free;
        do {
            long after = last;
            free = database.autocommit(
                    connection -> some.on(connection, after).list(row -> new Ended(row.getLong(1), row.getInt(2))));
            for (Ended ended : free) {
                each.take(() -> {
                    if (release(ended.batch, ended.canary, MAX_PAGES)) {
                        forget(ended.batch, ended.canary);
                    }
                    return 0;
                });
                last = ended.batch;
            }
        } while (!free.isEmpty() && !Thread.currentThread().isInterrupted());
        long unused = each.end();
    }

    /** Deletes the row of a pause, or only the time of its end, if it ended so long ago that all workers know. */
    private void forget(long batch, int canary) throws SQLException {
        Sql sql = dialect.statement(
                (canary == 0 ? "DELETE FROM pawl_batch_pause" : "UPDATE pawl_batch_pause SET released_at = NULL")
                        + " WHERE batch_id = ? AND canary = ? AND paused_at IS NULL"
                        + " AND (released_at IS NULL OR released_at < " + dialect.nowPlusMicros() + ")");
        int unused = database.transaction(connection ->
                sql.on(connection, batch, canary, -Micros.of(END_KNOWN)).update());
    }

    /**
     * Releases paused jobs; returns false if some remain, because they are locked or more than the maximum. While the batch waits for its
     * first jobs, the others stay paused: they were written in this state, so they were never claimed.
     */
    private boolean release(long batch, int canary, int mostPages) throws SQLException {
        int minToken = canary > 0 ? 1 : 0;
        long last = 0;
        boolean all = true;
        for (int page = 1; page <= mostPages && !Thread.currentThread().isInterrupted(); page++) {
            long after = last;
            List<Long> ids = database.autocommit(connection ->
                    pausedJobs.on(connection, batch, after, minToken).longs());
            if (ids.isEmpty()) {
                return all;
            }
            all &= release(ids) == ids.size();
            last = ids.get(ids.size() - 1);
            if (ids.size() < PAGE) {
                return all;
            }
        }
        return false;
    }

    /**
     * Releases a page of jobs. Locked rows are skipped, because a handler may hold them for long: {@link #sweep} finds
     * them.
     */
    private int release(List<Long> page) throws SQLException {
        RowChanges changes = linked.changes();
        int gone = database.transaction(connection -> release(connection, page, changes));
        Set<String> queues = changes.afterResumes(database);
        if (!queues.isEmpty()) {
            send(queues);
        }
        return gone;
    }

    private void send(Set<String> queues) {
        try {
            int unused = database.transaction(connection -> {
                notice.send(connection, queues);
                return queues.size();
            });
        } catch (SQLException e) {
            LOG.debug("workers are not told of resumed jobs, and find them with their next poll", e);
        }
    }

    private int release(Connection connection, List<Long> page, RowChanges changes) throws SQLException {
        Set<String> queues = new HashSet<>();
        List<Long> ids = lock(connection, page, queues);
        if (!ids.isEmpty()) {
            Sql release = dialect.planned(
                    "UPDATE pawl_job SET " + RowStates.CLAIMABLE + " WHERE " + dialect.anyOf("id", ids.size()));
            release.on(connection, ids).run();
            changes.resumed(connection, ids);
            notice.send(connection, queues);
        }
        return ids.size();
    }

    private List<Long> lock(Connection connection, List<Long> page, Set<String> queues) throws SQLException {
        Sql sql = dialect.planned("SELECT id, queue FROM " + dialect.jobsById() + " WHERE "
                + dialect.anyOf("id", page.size()) + " AND " + dialect.isIn(JobState.PAUSED) + " "
                + dialect.skipLocked());
        return sql.on(connection, page).list(row -> {
            queues.add(row.getString(2));
            return row.getLong(1);
        });
    }
}
