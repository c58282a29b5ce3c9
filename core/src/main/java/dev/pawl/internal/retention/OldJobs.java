package dev.pawl.internal.retention;

import dev.pawl.JobState;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Deletes all jobs of a state that are older than a moment: where nobody has a retention of their own. */
final class OldJobs {
    private static final int BATCH = 1000;

    private final Database database;
    private final Removal removal;
    private final String old;

    OldJobs(Database database, Removal removal) {
        this.database = database;
        this.removal = removal;
        Dialect dialect = database.dialect();
        old = dialect.sql("SELECT id FROM pawl_job_history WHERE state = ? AND finished_at <= " + dialect.moment()
                + " ORDER BY finished_at LIMIT " + BATCH + " " + dialect.skipLocked());
    }

    long prune(JobState state, Instant last) throws SQLException {
        long pruned = 0;
        int batch;
        do {
            batch = database.transaction(connection -> {
                try (PreparedStatement statement = database.dialect().planned(connection, old)) {
                    statement.setInt(1, state.code());
                    database.dialect().bind(statement, 2, last);
                    List<Long> ids = Removal.ids(statement);
                    removal.delete(connection, new Removal.Span(state, Instant.EPOCH, last), ids);
                    return ids.size();
                }
            });
            pruned += batch;
        } while (batch == BATCH && !Thread.currentThread().isInterrupted());
        return pruned;
    }
}
