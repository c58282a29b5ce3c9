package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes new rows of {@code pawl_keyed}, many with one statement. */
final class KeyedInserts {
    /** Limit of the rows in one statement whose values are placeholders. */
    private static final int MAX_ROWS = 200;

    private static final String INTO =
            "INSERT INTO pawl_keyed (queue, job_key, job_id, priority, available_at, released) ";

    private final Dialect dialect;

    KeyedInserts(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * The position of a blocked job.
     *
     * @param due 0 for a job that is due, otherwise microseconds, since 1970 or from now, depending on the method
     */
    record Position(String queue, String key, long jobId, int priority, long due) {}

    /** Writes positions whose times count from 1970. */
    void at(Connection connection, List<Position> positions) throws SQLException {
        insert(connection, positions, "");
    }

    /** Writes positions whose times count from now. */
    void fromNow(Connection connection, List<Position> positions) throws SQLException {
        insert(connection, positions, dialect.micros(dialect.now()) + " + ");
    }

    private void insert(Connection connection, List<Position> positions, String from) throws SQLException {
        if (positions.isEmpty()) {
            return;
        }
        String row = "(?, ?, ?, ?, " + from + "?, 0)";
        if (dialect.takesLists()) {
            insertLists(connection, positions, from);
        } else if (dialect.isInProcess()) { // one short statement many times beats a long one
            int[] unused = dialect.statement(INTO + "VALUES " + row).batch(connection, positions, KeyedInserts::values);
        } else {
            for (int start = 0; start < positions.size(); start += MAX_ROWS) {
                List<Position> some = positions.subList(start, Math.min(positions.size(), start + MAX_ROWS));
                List<@Nullable Object> values = new ArrayList<>();
                some.forEach(each -> values.addAll(values(each)));
                dialect.statement(INTO + "VALUES " + String.join(", ", Collections.nCopies(some.size(), row)))
                        .on(connection, values.toArray())
                        .run();
            }
        }
    }

    private static List<@Nullable Object> values(Position one) {
        return Sql.values(one.queue, one.key, one.jobId, one.priority, one.due);
    }

    private void insertLists(Connection connection, List<Position> positions, String from) throws SQLException {
        Sql sql = dialect.planned(INTO + "SELECT queue, job_key, job_id, priority, " + from + """
                due, 0 FROM unnest(?::text[], ?::text[], ?::bigint[], ?::int[], ?::bigint[])
                         AS position (queue, job_key, job_id, priority, due)""");
        sql.on(
                        connection,
                        list("text", positions, Position::queue),
                        list("text", positions, Position::key),
                        list("bigint", positions, Position::jobId),
                        list("int", positions, Position::priority),
                        list("bigint", positions, Position::due))
                .run();
    }

    private static Sql.Value list(String type, List<Position> positions, Function<Position, Object> column) {
        return (statement, index) -> {
            Array array = statement
                    .getConnection()
                    .createArrayOf(type, positions.stream().map(column).toArray());
            statement.setArray(index, array);
            return index + 1;
        };
    }
}
