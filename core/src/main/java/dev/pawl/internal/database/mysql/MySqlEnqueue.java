package dev.pawl.internal.database.mysql;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.enqueue.JobValues;
import dev.pawl.internal.feature.InsertJobs;
import dev.pawl.internal.feature.LiveJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes jobs with one INSERT of many rows. */
final class MySqlEnqueue implements InsertJobs {
    private final JobValues values;
    private final JobIds ids;
    private final MySqlUniqueKeys uniqueKeys;

    MySqlEnqueue(MySqlDialect dialect) {
        this.values = new JobValues(dialect);
        this.ids = new JobIds(dialect);
        this.uniqueKeys = new MySqlUniqueKeys(dialect);
    }

    @Override
    public List<Long> insert(Connection connection, List<JobRequest> jobs) throws SQLException {
        if (!MySqlPackets.fit(connection, jobs)) {
            List<Long> ids = new ArrayList<>(insert(connection, jobs.subList(0, jobs.size() / 2)));
            ids.addAll(insert(connection, jobs.subList(jobs.size() / 2, jobs.size())));
            return ids;
        }
        List<Long> drawn = ids.draw(connection, jobs.size());
        values.insert(connection, jobs, drawn);
        return drawn;
    }

    @Override
    public @Nullable LiveJob insertUnique(Connection connection, JobRequest job, boolean staleRead)
            throws SQLException {
        boolean unused = MySqlPackets.fit(connection, List.of(job)); // throws if it does not fit
        return uniqueKeys.insert(connection, job, staleRead);
    }
}
