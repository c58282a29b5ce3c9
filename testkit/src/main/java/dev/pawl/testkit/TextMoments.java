package dev.pawl.testkit;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Shifts the moments in the texts {@code cost_backlog} of {@code pawl_limit}, which list the starts of rate-limited jobs with a cost. */
final class TextMoments {
    /** The values of {@code until} and {@code reserved_until}, and the first number of each entry. */
    private static final Pattern MICROS = Pattern.compile("(until\"\\s*:\\s*|\\[\\s*)(\\d+)");

    private final Connection connection;
    private final Dialect dialect;

    TextMoments(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    void shift(Duration time) throws SQLException {
        for (String subject : new String[] {"queue", "kind"}) {
            rewrite(
                    "SELECT name, cost_backlog FROM pawl_limit WHERE cost_backlog IS NOT NULL AND subject = '" + subject
                            + "'",
                    "UPDATE pawl_limit SET cost_backlog = ? WHERE name = ? AND subject = '" + subject + "'",
                    backlog -> starts(backlog, Micros.of(time)));
        }
    }

    private static String starts(String backlog, long micros) {
        return MICROS.matcher(backlog)
                .replaceAll(found -> found.group(1) + Math.max(0, Long.parseLong(found.group(2)) - micros));
    }

    private void rewrite(String select, String update, UnaryOperator<String> change) throws SQLException {
        Map<String, String> texts = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(select));
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                texts.put(row.getString(1), row.getString(2));
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(dialect.sql(update))) {
            for (Map.Entry<String, String> text : texts.entrySet()) {
                statement.setString(1, change.apply(text.getValue()));
                statement.setString(2, text.getKey());
                int unused = statement.executeUpdate();
            }
        }
    }
}
