package dev.pawl.internal.database.sqlite;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.enqueue.JobColumns;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.lane.LaneDatabase;
import dev.pawl.internal.lane.LaneWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;

/** Lanes on SQLite. */
public final class SqliteLanes implements LaneDatabase {
    @Override
    public String product() {
        return "sqlite";
    }

    @Override
    public LaneWriter writer(Dialect dialect) {
        return new Writer(dialect);
    }

    /** Tests that the hexadecimal digit with the bit is none of the bound digits, which all have the bit. */
    @Override
    public String isClear(String bits) {
        return "instr(?, COALESCE(NULLIF(substr(hex(" + bits + "), ?, 1), ''), '0')) = 0";
    }

    @Override
    public void bindClear(PreparedStatement statement, int index, int place) throws SQLException {
        int bit = 1 << place % 4;
        StringBuilder digits = new StringBuilder();
        for (int digit = 0; digit < 16; digit++) {
            if ((digit & bit) != 0) {
                digits.append("0123456789ABCDEF".charAt(digit));
            }
        }
        statement.setString(index, digits.toString());
        statement.setInt(index + 1, place / Byte.SIZE * 2 + (place % Byte.SIZE < 4 ? 2 : 1));
    }

    /** Row by row, in the caller's transaction. */
    private static final class Writer implements LaneWriter {
        private final SqliteInsert append;
        private final Sql draw;
        private final String clock;

        Writer(Dialect dialect) {
            append = new SqliteInsert(
                    dialect, "pawl_lane_job", "lane, id, created_at, max_attempts, kind, payload", JobColumns.SHARED);
            draw = dialect.statement("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'pawl_job'"
                    + " AND EXISTS (SELECT 1 FROM pawl_lane WHERE id = ?) RETURNING seq");
            clock = "SELECT " + dialect.now();
        }

        /** Draws the ids first, because that UPDATE gives the transaction the file's only write lock. */
        @Override
        public List<Long> append(Connection connection, int lane, List<JobRequest> jobs) throws SQLException {
            long last = draw(connection, lane, jobs.size());
            if (last == 0) {
                return List.of();
            }
            long now = SqliteEnqueue.longOf(connection, clock);
            List<Long> ids =
                    LongStream.rangeClosed(last - jobs.size() + 1, last).boxed().toList();
            boolean texts = JobColumns.anyTexts(jobs);
            boolean more = JobColumns.any(jobs);
            try (PreparedStatement statement = connection.prepareStatement(append.sql(texts, more))) {
                for (int i = 0; i < jobs.size(); i++) {
                    JobRequest job = jobs.get(i);
                    statement.setInt(1, lane);
                    statement.setLong(2, ids.get(i));
                    statement.setLong(3, now);
                    statement.setInt(4, job.options().maxAttempts());
                    statement.setString(5, job.kind());
                    statement.setString(6, job.payload());
                    int index = texts ? JobColumns.bindTexts(statement, 7, job.options()) : 7;
                    if (more) {
                        SqliteEnqueue.bindShared(statement, index, job.options(), now);
                    }
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            return ids;
        }

        /** {@return the last of the drawn ids; 0 if there is no such lane} */
        private long draw(Connection connection, int lane, int count) throws SQLException {
            return draw.on(connection, count, lane).first(row -> row.getLong(1)).orElse(0L);
        }
    }
}
