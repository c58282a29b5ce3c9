package dev.pawl.internal.database.mysql;

import dev.pawl.JobRequest;
import dev.pawl.internal.enqueue.InsertJobs;
import dev.pawl.internal.enqueue.JobValues;
import dev.pawl.internal.enqueue.LiveJob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes jobs with one multi-row INSERT. */
final class MySqlEnqueue implements InsertJobs {
    private final JobValues values;
    private final MySqlUniqueKeys uniqueKeys;

    MySqlEnqueue(MySqlDialect dialect) {
        this.values = new JobValues(dialect);
        this.uniqueKeys = new MySqlUniqueKeys(dialect);
    }

    @Override
    public List<Long> insert(Connection connection, List<JobRequest> jobs) throws SQLException {
        if (!MySqlPackets.fit(connection, jobs)) {
            List<Long> ids = new ArrayList<>(insert(connection, jobs.subList(0, jobs.size() / 2)));
            ids.addAll(insert(connection, jobs.subList(jobs.size() / 2, jobs.size())));
            return ids;
        }
        return jobs.size() == 1 ? List.of(values.insertOne(connection, jobs.get(0))) : insertMany(connection, jobs);
    }

    /**
     * MySQL has no RETURNING. An INSERT whose number of rows is known gets consecutive ids in order, so the first id
     * and the server's increment give them all.
     */
    private List<Long> insertMany(Connection connection, List<JobRequest> jobs) throws SQLException {
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

    @Override
    public @Nullable LiveJob insertUnique(Connection connection, JobRequest job, boolean doubt) throws SQLException {
        boolean unused = MySqlPackets.fit(connection, List.of(job)); // or it throws
        return uniqueKeys.insert(connection, job, doubt);
    }
}
