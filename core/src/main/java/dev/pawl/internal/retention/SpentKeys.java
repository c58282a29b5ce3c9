package dev.pawl.internal.retention;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Deletes unique keys whose time is over. */
final class SpentKeys {
    private static final int SLICE = 1_000;

    private final Database database;
    private final String find;
    private final String delete;

    SpentKeys(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        String spent = "taken_until <= " + dialect.micros(dialect.now());
        find = dialect.sql(
                "SELECT kind, unique_key FROM pawl_unique WHERE " + spent + " ORDER BY taken_until LIMIT " + SLICE);
        delete = dialect.sql("DELETE FROM pawl_unique WHERE kind = ? AND unique_key = ? AND " + spent);
    }

    private record Key(String kind, String key) {}

    /** Until none is left, or the thread is interrupted. */
    void prune() throws SQLException {
        List<Key> keys;
        do {
            keys = database.autocommit(this::spent);
            List<Key> some = keys;
            if (!some.isEmpty()) {
                boolean unused = database.transaction(connection -> delete(connection, some));
            }
        } while (keys.size() == SLICE && !Thread.currentThread().isInterrupted());
    }

    private List<Key> spent(Connection connection) throws SQLException {
        List<Key> keys = new ArrayList<>();
        try (PreparedStatement statement = database.dialect().planned(connection, find);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                keys.add(new Key(rows.getString(1), rows.getString(2)));
            }
        }
        keys.sort(Comparator.comparing(Key::kind).thenComparing(Key::key)); // as enqueues lock them
        return keys;
    }

    private boolean delete(Connection connection, List<Key> keys) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(delete)) {
            for (Key key : keys) {
                statement.setString(1, key.kind);
                statement.setString(2, key.key);
                statement.addBatch();
            }
            statement.executeBatch();
            return true;
        }
    }
}
