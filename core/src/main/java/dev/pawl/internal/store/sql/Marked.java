package dev.pawl.internal.store.sql;

import dev.pawl.internal.store.Lease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Jobs in state 2: completed, still in the live table. The mark needs one row lock and no other; whoever sweeps does the
 * part that takes several.
 */
final class Marked {
    private final Archive archive;
    private final boolean keepHistory;
    private final String mark;
    private final String any;
    private final String next;

    Marked(Dialect dialect, boolean keepHistory) {
        this.archive = new Archive(dialect);
        this.keepHistory = keepHistory;
        mark = dialect.sql("UPDATE pawl_job SET state = 2, lease_expires_at = " + dialect.now()
                + " WHERE id = ? AND lease_token = ? AND " + dialect.runs());
        any = dialect.sql("SELECT 1 FROM pawl_job WHERE state = 2 LIMIT 1");
        next = dialect.sql("SELECT id FROM pawl_job WHERE state = 2 ORDER BY id LIMIT ? " + dialect.skipLocked());
    }

    Set<Lease> mark(Connection connection, Collection<Lease> completed) throws SQLException {
        List<Lease> ordered = completed.stream().sorted().toList();
        try (PreparedStatement statement = connection.prepareStatement(mark)) {
            for (Lease lease : ordered) {
                statement.setLong(1, lease.jobId());
                statement.setLong(2, lease.token());
                statement.addBatch();
            }
            int[] counts = statement.executeBatch();
            Set<Lease> accepted = new HashSet<>();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] == 1) {
                    accepted.add(ordered.get(i));
                }
            }
            return accepted;
        }
    }

    boolean any(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(any);
                ResultSet row = statement.executeQuery()) {
            return row.next();
        }
    }

    int sweep(Connection connection, int limit) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(next)) {
            statement.setInt(1, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
        }
        if (!ids.isEmpty()) {
            if (keepHistory) {
                archive.appendMarked(connection, ids);
            }
            archive.delete(connection, ids);
        }
        return ids.size();
    }
}
