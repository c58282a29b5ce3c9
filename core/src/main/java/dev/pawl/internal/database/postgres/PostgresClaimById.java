package dev.pawl.internal.database.postgres;

import static dev.pawl.internal.database.postgres.PostgresDialect.bindArray;
import static dev.pawl.internal.database.postgres.PostgresDialect.plannedAnew;

import dev.pawl.internal.claim.ClaimById;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.ClaimToken;
import dev.pawl.internal.store.Grant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** The claim by id in one statement, see {@link ClaimSql}. */
final class PostgresClaimById implements ClaimById {
    private final Dialect dialect;
    private final NamedSql sql;

    PostgresClaimById(Dialect dialect) {
        this.dialect = dialect;
        this.sql = NamedSql.of(dialect.sql(ClaimSql.byId(dialect)));
    }

    @Override
    public List<Grant> claim(Connection connection, ClaimRequest request, List<Long> ids) throws SQLException {
        try (PreparedStatement statement = plannedAnew(connection, sql.text())) {
            for (int i = 0; i < sql.names().size(); i++) {
                bind(statement, i + 1, sql.names().get(i), request, ids);
            }
            return ClaimedRows.read(statement, request, false).claimed();
        }
    }

    private void bind(PreparedStatement statement, int index, String name, ClaimRequest request, List<Long> ids)
            throws SQLException {
        switch (name) {
            case "ids" -> {
                int unused = dialect.bindIds(statement, index, ids);
            }
            case "queue" -> statement.setString(index, request.queue());
            case "kinds" -> bindArray(statement, index, "text", request.kinds(), Function.identity());
            case "worker" -> statement.setLong(index, request.workerId());
            case "drawn" -> statement.setLong(index, ClaimToken.draw());
            case "ahead" -> statement.setBoolean(index, request.ahead());
            case "lease" -> statement.setLong(index, Micros.of(request.lease()));
            default -> throw new IllegalArgumentException("no value is called " + name);
        }
    }
}
