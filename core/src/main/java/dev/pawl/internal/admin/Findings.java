package dev.pawl.internal.admin;

import dev.pawl.admin.Finding;
import dev.pawl.admin.Finding.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the findings of an examination. */
public final class Findings {
    private final List<Finding> found = new ArrayList<>();

    /** Adds a finding. */
    public void say(Level level, String topic, String message) {
        add(new Finding(level, topic, message));
    }

    void add(Finding finding) {
        found.add(finding);
    }

    /** Adds a value as a finding, with advice if it is not good. */
    public void expect(String topic, @Nullable String value, boolean good, Level otherwise, String advice) {
        say(good ? Level.OK : otherwise, topic, good ? String.valueOf(value) : value + ": " + advice);
    }

    /** {@return all findings, in order} */
    public List<Finding> all() {
        return List.copyOf(found);
    }

    /** {@return the first value of the first row; null if there is none} */
    public static @Nullable String text(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }
}
