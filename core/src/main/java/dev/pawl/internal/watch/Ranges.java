package dev.pawl.internal.watch;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Reads ranges of a lane as far as they are counted. */
final class Ranges {
    private Ranges() {}

    /**
     * A range.
     *
     * @param after its key
     * @param completed how many of its jobs
     * @param isOpen whether more may be
     */
    record Range(long after, long completed, boolean isOpen) {}

    /** Binds the values of a query. */
    interface Bind {
        void to(PreparedStatement statement) throws SQLException;
    }

    static void read(Connection connection, String sql, Bind bind, Consumer<Range> each) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind.to(statement);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    each.accept(new Range(rows.getLong(1), rows.getLong(2), rows.getObject(3) != null));
                }
            }
        }
    }
}
