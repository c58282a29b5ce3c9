package dev.pawl.internal.admin;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;

/** The current time by the database's clock. */
final class Present {
    private Present() {}

    static Instant of(Connection connection, Dialect dialect) throws SQLException {
        Sql present = dialect.statement("SELECT " + dialect.now() + " AS present");
        return present.on(connection).one(row -> Objects.requireNonNull(dialect.moment(row, "present")));
    }
}
