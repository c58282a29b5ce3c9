package dev.pawl.internal.retention;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.LogLine;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes log lines of handlers, which arrive some time after the run. The job may have been erased by then. So the
 * lines of jobs that do not exist are deleted at once, and once more a moment later, because a transaction that erases
 * a job may commit in between. Thread-safe.
 */
public final class JobLines {
    private static final Logger LOG = LoggerFactory.getLogger(JobLines.class);
    private static final int SLICE = 500;

    private final Database database;
    private final Sql insert;
    private final Set<Long> unsure = new HashSet<>();

    /**
     * @param database the pool and the dialect
     */
    public JobLines(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        insert = dialect.statement("INSERT INTO pawl_job_log (job_id, attempt, logged_at, line) VALUES (?, ?, "
                + dialect.nowPlusMicros() + ", ?)");
    }

    /**
     * @param lines to write to the log of their jobs
     * @throws SQLException from the driver; then no line is written
     */
    public void write(List<LogLine> lines) throws SQLException {
        database.transaction(connection -> insert.batch(
                connection,
                lines,
                line -> Sql.values(line.jobId(), line.attempt(), -Micros.of(line.age()), line.line())));
        Set<Long> jobs = lines.stream().map(LogLine::jobId).collect(Collectors.toSet());
        synchronized (unsure) {
            unsure.addAll(jobs);
        }
        try {
            forget(jobs);
        } catch (SQLException e) { // the lines are written nevertheless
            LOG.debug("the check for lines of deleted jobs failed and is repeated", e);
        }
    }

    /**
     * Repeats the check for the lines that were written since the last call.
     *
     * @throws SQLException from the driver
     */
    public void tidy() throws SQLException {
        Set<Long> jobs;
        synchronized (unsure) {
            jobs = Set.copyOf(unsure);
        }
        forget(jobs);
        synchronized (unsure) {
            unsure.removeAll(jobs);
        }
    }

    private void forget(Collection<Long> jobs) throws SQLException {
        List<Long> all = jobs.stream().sorted().toList();
        for (int from = 0; from < all.size(); from += SLICE) {
            List<Long> some = all.subList(from, Math.min(from + SLICE, all.size()));
            List<Long> deleted = database.autocommit(connection -> deleted(connection, some));
            if (!deleted.isEmpty()) {
                int unused = database.transaction(connection -> delete(connection, deleted));
            }
        }
    }

    private List<Long> deleted(Connection connection, List<Long> jobs) throws SQLException {
        Dialect dialect = database.dialect();
        Sql sql = dialect.planned("SELECT DISTINCT t.job_id FROM pawl_job_log t WHERE "
                + dialect.anyOf("t.job_id", jobs.size()) + OrphanRows.NO_JOB);
        return sql.on(connection, jobs).longs();
    }

    private int delete(Connection connection, List<Long> jobs) throws SQLException {
        Dialect dialect = database.dialect();
        Sql sql = dialect.planned("DELETE FROM pawl_job_log WHERE " + dialect.anyOf("job_id", jobs.size()));
        return sql.on(connection, jobs).update();
    }
}
