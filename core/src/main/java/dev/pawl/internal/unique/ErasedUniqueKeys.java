package dev.pawl.internal.unique;

import dev.pawl.internal.feature.JobTable;
import dev.pawl.internal.feature.RemovedJobs;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.words.ReservedHeaders;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Deletes the unique keys of jobs that are erased. The table has no index by job, so each key is found by its name. */
final class ErasedUniqueKeys {
    private ErasedUniqueKeys() {}

    static void delete(Dialect dialect, RemovedJobs jobs) throws SQLException {
        JobTable table = jobs.table();
        if (table == null) {
            return;
        }
        String read = dialect.sql("SELECT id, kind, unique_key, headers FROM "
                + table.usual() + " WHERE (unique_key IS NOT NULL OR headers IS NOT NULL) AND "
                + dialect.anyOf("id", jobs.ids().size()));
        String delete = dialect.sql("DELETE FROM pawl_unique WHERE kind = ? AND unique_key = ? AND job_id = ?");
        try (PreparedStatement found = dialect.planned(jobs.connection(), read)) {
            int unused = dialect.bindIds(found, 1, jobs.ids());
            try (ResultSet rows = found.executeQuery();
                    PreparedStatement deletes = jobs.connection().prepareStatement(delete)) {
                boolean isAny = false;
                while (rows.next()) {
                    String key = uniqueKey(rows);
                    if (key != null) {
                        deletes.setString(1, rows.getString("kind"));
                        deletes.setString(2, key);
                        deletes.setLong(3, rows.getLong("id"));
                        deletes.addBatch();
                        isAny = true;
                    }
                }
                if (isAny) {
                    deletes.executeBatch();
                }
            }
        }
    }

    /** Where the key is not in the index of live jobs, its name is in a header. */
    private static @Nullable String uniqueKey(ResultSet row) throws SQLException {
        String key = row.getString("unique_key");
        return key == null ? JobRows.headers(row.getString("headers")).get(ReservedHeaders.UNIQUE) : key;
    }
}
