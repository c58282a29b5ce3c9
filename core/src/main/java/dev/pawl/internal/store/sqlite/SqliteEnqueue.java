package dev.pawl.internal.store.sqlite;

import dev.pawl.JobRequest;
import dev.pawl.internal.store.sql.Dialect;
import dev.pawl.internal.store.sql.InsertJobs;
import dev.pawl.internal.store.sql.JobValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/** Writes jobs with one multi-row INSERT … RETURNING. */
final class SqliteEnqueue implements InsertJobs {
    private final JobValues values;

    SqliteEnqueue(Dialect dialect) {
        this.values = new JobValues(dialect);
    }

    @Override
    public List<Long> insert(Connection connection, List<JobRequest> jobs) throws SQLException {
        List<Long> ids = values.insert(connection, jobs, " RETURNING id", SqliteEnqueue::ids);
        Collections.sort(ids); // rows get rising ids in the order of VALUES, but may be answered in any order
        return ids;
    }

    @Override
    public OptionalLong insertUnique(Connection connection, JobRequest job) throws SQLException {
        List<Long> ids = values.insert(
                connection,
                List.of(job),
                " ON CONFLICT (kind, unique_key) WHERE unique_key IS NOT NULL DO NOTHING RETURNING id",
                SqliteEnqueue::ids);
        return ids.isEmpty() ? OptionalLong.empty() : OptionalLong.of(ids.get(0));
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
}
