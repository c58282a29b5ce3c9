package dev.pawl.internal.retention;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.LogLine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the lines of handlers, which come some time after their run. A job may have been erased by then: what was written of it is deleted
 * at once, and once more a moment later, because the transaction that erases it may not have been committed. Thread-safe.
 */
public final class JobLines {
    private static final Logger LOG = LoggerFactory.getLogger(JobLines.class);
    private static final int SLICE = 500;

    private final Database database;
    private final String insert;
    private final Set<Long> unsure = new HashSet<>();

    /**
     * @param database the pool and the dialect
     */
    public JobLines(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        insert = dialect.sql("INSERT INTO pawl_job_log (job_id, attempt, logged_at, line) VALUES (?, ?, "
                + dialect.nowPlusMicros() + ", ?)");
    }

    /**
     * @param lines to write
     * @throws SQLException from the driver; then none is written
     */
    public void write(List<LogLine> lines) throws SQLException {
        database.transaction(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(insert)) {
                for (LogLine line : lines) {
                    statement.setLong(1, line.jobId());
                    statement.setInt(2, line.attempt());
                    statement.setLong(3, -Micros.of(line.age()));
                    statement.setString(4, line.line());
                    statement.addBatch();
                }
                return statement.executeBatch();
            }
        });
        Set<Long> jobs = lines.stream().map(LogLine::jobId).collect(Collectors.toSet());
        synchronized (unsure) {
            unsure.addAll(jobs);
        }
        try {
            forget(jobs);
        } catch (SQLException e) { // they are written
            LOG.debug("whether jobs are gone whose lines were written is looked for again", e);
        }
    }

    /**
     * Looks once more for what was written since the last time.
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
            List<Long> gone = database.autocommit(connection -> gone(connection, some));
            if (!gone.isEmpty()) {
                int unused = database.transaction(connection -> delete(connection, gone));
            }
        }
    }

    private List<Long> gone(Connection connection, List<Long> jobs) throws SQLException {
        Dialect dialect = database.dialect();
        String sql = dialect.sql("SELECT DISTINCT t.job_id FROM pawl_job_log t WHERE "
                + dialect.anyOf("t.job_id", jobs.size()) + Leftovers.NO_JOB);
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int unused = dialect.bindIds(statement, 1, jobs);
            return Removal.ids(statement);
        }
    }

    private int delete(Connection connection, List<Long> jobs) throws SQLException {
        Dialect dialect = database.dialect();
        String sql = dialect.sql("DELETE FROM pawl_job_log WHERE " + dialect.anyOf("job_id", jobs.size()));
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int unused = dialect.bindIds(statement, 1, jobs);
            return statement.executeUpdate();
        }
    }
}
