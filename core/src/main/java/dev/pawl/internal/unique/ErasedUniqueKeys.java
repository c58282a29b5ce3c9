package dev.pawl.internal.unique;

import dev.pawl.internal.feature.JobTable;
import dev.pawl.internal.feature.RemovedJobs;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Deletes the unique keys of jobs that are erased. The table has no index by job, so each key is found by its name. */
final class ErasedUniqueKeys {
    private ErasedUniqueKeys() {}

    static void delete(Dialect dialect, RemovedJobs jobs) throws SQLException {
        JobTable table = jobs.table();
        if (table == null) {
            return;
        }
        String read = dialect.sql("SELECT id, kind, COALESCE(unique_key, unindexed_key) AS unique_key FROM "
                + table.usual() + " WHERE (unique_key IS NOT NULL OR unindexed_key IS NOT NULL) AND "
                + dialect.anyOf("id", jobs.ids().size()));
        String delete = dialect.sql("DELETE FROM pawl_unique WHERE kind = ? AND unique_key = ? AND job_id = ?");
        try (PreparedStatement found = dialect.planned(jobs.connection(), read)) {
            int unused = dialect.bindIds(found, 1, jobs.ids());
            try (ResultSet rows = found.executeQuery();
                    PreparedStatement deletes = jobs.connection().prepareStatement(delete)) {
                boolean isAny = false;
                while (rows.next()) {
                    deletes.setString(1, rows.getString("kind"));
                    deletes.setString(2, rows.getString("unique_key"));
                    deletes.setLong(3, rows.getLong("id"));
                    deletes.addBatch();
                    isAny = true;
                }
                if (isAny) {
                    deletes.executeBatch();
                }
            }
        }
    }
}
