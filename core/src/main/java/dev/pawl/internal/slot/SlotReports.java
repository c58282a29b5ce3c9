package dev.pawl.internal.slot;

import dev.pawl.admin.SlotGap;
import dev.pawl.admin.SlotSeriesInfo;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/** Queries and commands of users for series. */
public final class SlotReports {
    private final Database database;
    private final Dialect dialect;

    /**
     * @param database of the queue
     */
    public SlotReports(Database database) {
        this.database = database;
        this.dialect = database.dialect();
    }

    /** {@return all series, by name} */
    public List<SlotSeriesInfo> list() throws SQLException {
        Sql sql = dialect.statement("""
                SELECT s.name, s.last_slot, s.last_ordinal,
                       (SELECT COUNT(*) FROM pawl_slot u WHERE u.series = s.name AND u.state = 1) AS used,
                       (SELECT COUNT(*) FROM pawl_slot r WHERE r.series = s.name AND r.state = 0
                           AND r.expires_at > %1$s) AS reserved,
                       (SELECT COUNT(*) FROM pawl_slot e WHERE e.series = s.name AND e.state = 0
                           AND e.expires_at <= %1$s) AS expired,
                       (SELECT COUNT(*) FROM pawl_slot c WHERE c.series = s.name AND c.state = 2) AS cleared
                  FROM pawl_slot_series s ORDER BY s.name
                """.formatted(dialect.now()));
        return database.autocommit(connection -> sql.on(connection)
                .list(row -> new SlotSeriesInfo(
                        row.getString("name"),
                        row.getString("last_slot"),
                        row.getLong("last_ordinal"),
                        row.getLong("used"),
                        row.getLong("reserved"),
                        row.getLong("expired"),
                        row.getLong("cleared"))));
    }

    /** {@return unused values that were issued before the last used one} */
    public List<SlotGap> gaps(String series, int limit) throws SQLException {
        Sql sql = dialect.statement("""
                SELECT ordinal, slot, state, job_id, expires_at,
                       CASE WHEN expires_at <= %s THEN 1 ELSE 0 END AS expired
                  FROM pawl_slot WHERE series = ? AND state <> 1
                   AND ordinal < (SELECT MAX(ordinal) FROM pawl_slot WHERE series = ? AND state = 1)
                 ORDER BY ordinal LIMIT ?
                """.formatted(dialect.now()));
        return database.autocommit(connection -> sql.on(connection, series, series, limit)
                .list(row -> new SlotGap(
                        row.getLong("ordinal"),
                        row.getString("slot"),
                        row.getInt("state") == SlotRows.CLEARED
                                ? SlotGap.State.CLEARED
                                : row.getInt("expired") == 1 ? SlotGap.State.EXPIRED : SlotGap.State.RESERVED,
                        JobRows.longOrNull(row, "job_id"),
                        Objects.requireNonNull(dialect.moment(row, "expires_at")))));
    }

    /** Releases a reserved slot on request, even if its owner is alive. */
    public boolean free(String series, String slot) throws SQLException {
        return database.transaction(connection -> update(
                        connection,
                        "UPDATE pawl_slot SET state = 2 WHERE series = ? AND slot = ? AND state = 0",
                        series,
                        slot)
                == 1);
    }

    /** Deletes a series; false if there is none. */
    public boolean flush(String series) throws SQLException {
        return database.transaction(connection -> {
            // the series first, because a concurrent reservation waits to lock this row, and then finds it missing
            boolean was = update(connection, "DELETE FROM pawl_slot_series WHERE name = ?", series) == 1;
            int unused = update(connection, "DELETE FROM pawl_slot WHERE series = ?", series);
            return was;
        });
    }

    private int update(Connection connection, String sql, String... values) throws SQLException {
        return dialect.statement(sql).on(connection, (Object[]) values).update();
    }
}
