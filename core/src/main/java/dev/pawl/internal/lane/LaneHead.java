package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;

/**
 * Counts the jobs of unknown kinds at the head of a lane, so that they can be claimed and moved to rows together. Used only after a claim
 * has found no jobs of known kinds. The count may be outdated as soon as it is returned.
 */
final class LaneHead {
    /** Limit for the payloads of jobs that are claimed together, in bytes, because all of them are read. */
    private static final long MAX_BYTES = 8 << 20;

    private final Database database;
    private final LaneDatabase product;
    private final Sql read;

    LaneHead(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        product = LaneDatabase.of(dialect);
        read = dialect.planned("SELECT kind, OCTET_LENGTH(payload) FROM " + dialect.alongIds("pawl_lane_job")
                + " WHERE " + product.after(LaneLog.END) + " ORDER BY lane, id LIMIT " + product.limit());
    }

    /**
     * {@return how many available jobs come before the first one of a known kind} Counting stops early if the jobs are
     * large.
     *
     * @param limit maximum number of jobs
     */
    int unknown(Lane lane, Collection<String> kinds, int limit) throws SQLException {
        Set<String> known = Set.copyOf(kinds);
        Sql.Value end = (statement, index) ->
                product.bindAfter(statement, index, lane.id(), (at, query) -> query.setInt(at, lane.id()));
        return database.autocommit(connection -> read.on(connection, end, limit).query(rows -> {
            int unknown = 0;
            long bytes = 0;
            while (bytes < MAX_BYTES && rows.next() && !known.contains(rows.getString(1))) {
                bytes += rows.getLong(2);
                unknown++;
            }
            return unknown;
        }));
    }
}
