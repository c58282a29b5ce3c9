package dev.pawl.internal.settle;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settled;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Marks jobs as completed by setting state 2 in the live table, and moves them to the history later. Marking a job locks the job's row and
 * nothing else.
 */
final class MarkedJobs {
    private final Dialect dialect;
    private final Archive archive;
    private final KeptStates kept;
    private final Sql any;
    private final Sql next;

    public MarkedJobs(Dialect dialect, KeptStates kept) {
        this.dialect = dialect;
        this.archive = new Archive(dialect);
        this.kept = kept;
        any = dialect.planned("SELECT 1 FROM pawl_job WHERE " + RowStates.MARKED + " LIMIT 1");
        next = dialect.planned(
                "SELECT id FROM pawl_job WHERE " + RowStates.MARKED + " ORDER BY id LIMIT ? " + dialect.skipLocked());
    }

    public Settled mark(Connection connection, Collection<Lease> completed) throws SQLException {
        Set<Lease> accepted = FencedRow.lock(connection, dialect, completed, FencedRow.Which.UNLOCKED)
                .keySet();
        List<Lease> missing =
                completed.stream().filter(lease -> !accepted.contains(lease)).toList();
        if (!accepted.isEmpty()) {
            mark(connection, accepted.stream().map(Lease::jobId).sorted().toList());
        }
        return new Settled(accepted, FencedRow.valid(connection, dialect, missing));
    }

    private void mark(Connection connection, List<Long> ids) throws SQLException {
        Sql sql = dialect.planned("UPDATE " + dialect.jobsById() + " SET state = 2, lease_expires_at = " + dialect.now()
                + " WHERE " + dialect.anyOf("id", ids.size()));
        sql.on(connection, ids).run();
    }

    public boolean any(Connection connection) throws SQLException {
        return any.on(connection).exists();
    }

    public int sweep(Connection connection, int limit) throws SQLException {
        List<Long> ids = next.on(connection, limit).longs();
        if (!ids.isEmpty()) {
            if (kept.keeps(connection, JobState.COMPLETED)) {
                archive.appendMarked(connection, ids);
            }
            archive.delete(connection, ids);
        }
        return ids.size();
    }
}
