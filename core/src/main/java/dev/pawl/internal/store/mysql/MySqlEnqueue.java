package dev.pawl.internal.store.mysql;

import dev.pawl.JobRequest;
import dev.pawl.internal.store.sql.Dialect;
import dev.pawl.internal.store.sql.Fault;
import dev.pawl.internal.store.sql.InsertJobs;
import dev.pawl.internal.store.sql.JobValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Writes jobs with one multi-row INSERT. */
final class MySqlEnqueue implements InsertJobs {
    private final JobValues values;

    MySqlEnqueue(Dialect dialect) {
        this.values = new JobValues(dialect);
    }

    /**
     * MySQL has no RETURNING. An INSERT whose number of rows is known takes its ids in one piece, in order, so the first
     * id and the server's step tell them all.
     */
    @Override
    public List<Long> insert(Connection connection, List<JobRequest> jobs) throws SQLException {
        values.insert(connection, jobs, "", PreparedStatement::executeUpdate);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID(), @@auto_increment_increment")) {
            row.next();
            long first = row.getLong(1);
            long step = row.getLong(2);
            List<Long> ids = new ArrayList<>(jobs.size());
            for (int i = 0; i < jobs.size(); i++) {
                ids.add(first + i * step);
            }
            return ids;
        }
    }

    /** A refused row rolls back the statement only; the caller's transaction goes on. */
    @Override
    public OptionalLong insertUnique(Connection connection, JobRequest job) throws SQLException {
        try {
            return OptionalLong.of(insert(connection, List.of(job)).get(0));
        } catch (SQLException e) {
            if (Fault.of(e) == Fault.UNIQUE) {
                return OptionalLong.empty();
            }
            throw e;
        }
    }
}
