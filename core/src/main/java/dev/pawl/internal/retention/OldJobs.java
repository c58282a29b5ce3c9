package dev.pawl.internal.retention;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * Deletes all finished jobs of a state that are older than a given time. Used for states for which no queue or kind has
 * its own retention.
 */
final class OldJobs {
    private static final int BATCH = 1000;

    private final Database database;
    private final Removal removal;
    private final Sql old;

    OldJobs(Database database, Removal removal) {
        this.database = database;
        this.removal = removal;
        Dialect dialect = database.dialect();
        old = dialect.planned("SELECT id FROM pawl_job_history WHERE state = ? AND finished_at <= " + dialect.moment()
                + " ORDER BY finished_at LIMIT " + BATCH + " " + dialect.skipLocked());
    }

    long prune(JobState state, Instant last) throws SQLException {
        long pruned = 0;
        int batch;
        do {
            batch = database.transaction(connection -> {
                List<Long> ids = old.on(connection, state.code(), last).longs();
                removal.delete(connection, new Removal.Span(state, Instant.EPOCH, last), ids);
                return ids.size();
            });
            pruned += batch;
        } while (batch == BATCH && !Thread.currentThread().isInterrupted());
        return pruned;
    }
}
