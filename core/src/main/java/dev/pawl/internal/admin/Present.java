package dev.pawl.internal.admin;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;

/** The present moment by the database's clock. */
final class Present {
    private Present() {}

    static Instant of(Connection connection, Dialect dialect) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT " + dialect.now() + " AS present");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return Objects.requireNonNull(dialect.moment(row, "present"));
        }
    }
}
