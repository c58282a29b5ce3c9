package dev.pawl.internal.admin;

import dev.pawl.admin.Finding.Level;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalLong;

/**
 * Compares the counter of ids with the existing jobs. If a dump was restored without the counter, ids start again: new jobs get ids
 * before the last range of their lane, where no claim reads, or ids of other jobs.
 */
final class IdCounter {
    /** Rows that were inserted by hand on MySQL and MariaDB have ids from here on. */
    private static final long BY_HAND = 1_000_000_000_000L;

    private IdCounter() {}

    static void examine(Connection connection, Dialect dialect, TableCare tables, Findings findings)
            throws SQLException {
        tables.examineIds(connection, dialect, findings);
        OptionalLong counter = tables.lastId(connection, dialect);
        if (counter.isEmpty()) {
            return;
        }
        long last = counter.getAsLong();
        long there = greatest(connection, dialect);
        findings.expect(
                "ids",
                "counted up to " + last,
                last >= there,
                Level.WARNING,
                "but there is a job " + there
                        + ", as after a dump that was restored without the counter; new jobs may wait for"
                        + " ever where no claim looks any more, or be refused, until the owner of the tables runs: "
                        + dialect.sql(tables.goOnAfter(there)));
    }

    private static long greatest(Connection connection, Dialect dialect) throws SQLException {
        String found = Findings.text(connection, dialect.sql("""
                SELECT MAX(id) FROM (
                  SELECT MAX(id) AS id FROM pawl_job WHERE id < %1$s
                   UNION ALL SELECT MAX(id) FROM pawl_job_history WHERE id < %1$s
                   UNION ALL SELECT (SELECT r.last_id FROM pawl_lane_range r WHERE r.lane = n.id
                                      ORDER BY r.lane DESC, r.starts_after DESC LIMIT 1) FROM pawl_lane n
                   UNION ALL SELECT (SELECT l.id FROM pawl_lane_job l WHERE l.lane = n.id
                                      ORDER BY l.lane DESC, l.id DESC LIMIT 1) FROM pawl_lane n) ids
                """.formatted(Long.toString(BY_HAND))));
        return found == null ? 0 : Long.parseLong(found);
    }
}
