package dev.pawl.internal.database.postgres;

import dev.pawl.api.SchemaException;
import dev.pawl.internal.jdbc.SchemaName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines the schema of the tables, once, when a queue is opened. PostgreSQL finds a table in any schema of the search path, but creates
 * a table in the first. Without a fixed schema, a schema that is later added to the path could get a second, empty queue.
 */
final class OwnSchema {
    private static final Logger LOG = LoggerFactory.getLogger(OwnSchema.class);

    /** Selects the schemas that a subquery names, in its order, and whether each has the tables. */
    private static final String SCHEMAS = """
            SELECT n.nspname, quote_ident(n.nspname),
                   EXISTS (SELECT 1 FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = ?)
              FROM pg_namespace n JOIN (%s) wanted ON wanted.name = n.nspname
             ORDER BY wanted.place
            """;

    private static final String IN_PATH = SCHEMAS.formatted(
            "SELECT name, place FROM unnest(current_schemas(false)) WITH ORDINALITY AS path (name, place)"
                    + " WHERE name NOT LIKE 'pg!_%' ESCAPE '!'");
    private static final String NAMED = SCHEMAS.formatted("SELECT CAST(? AS text) AS name, 1 AS place");

    private OwnSchema() {}

    private record Found(SchemaName schema, boolean hasTables) {}

    /**
     * @param connection whose search path is used if no schema is named
     * @param prefix of the tables
     * @param named the configured schema; null for the schema of the search path that has the tables, or else its first
     * @return the schema
     * @throws SchemaException if there is none, or several schemas of the search path have the tables
     * @throws SQLException from the driver
     */
    static SchemaName find(Connection connection, String prefix, @Nullable String named) throws SQLException {
        List<Found> schemas = schemas(connection, prefix, named);
        if (schemas.isEmpty()) {
            throw new SchemaException(
                    named == null
                            ? "no schema of the connection's search path exists: create one, or name another with schema(…)"
                            : "there is no schema '" + named + "': create it first, with CREATE SCHEMA \"" + named
                                    + "\"");
        }
        List<SchemaName> having =
                schemas.stream().filter(Found::hasTables).map(Found::schema).toList();
        if (having.size() > 1) {
            throw new SchemaException("the tables " + prefix + "* are in more than one schema of the search path: "
                    + String.join(", ", having.stream().map(SchemaName::name).toList())
                    + ": choose one with schema(…), or drop the tables in the others");
        }
        SchemaName first = schemas.get(0).schema();
        SchemaName schema = having.isEmpty() ? first : having.get(0);
        if (!schema.equals(first)) {
            LOG.warn(
                    "the tables {}* are in the schema {}, which is not the first in the search path; confirm it with"
                            + " schema(…), or choose another schema if this queue should have its own tables",
                    prefix,
                    schema.name());
        }
        return schema;
    }

    private static List<Found> schemas(Connection connection, String prefix, @Nullable String named)
            throws SQLException {
        List<Found> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(named == null ? IN_PATH : NAMED)) {
            statement.setString(1, prefix + "schema");
            if (named != null) {
                statement.setString(2, named);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    if (!SchemaName.isUsable(name)) {
                        throw new SchemaException("the schema '" + name + "' cannot be used: its name must have "
                                + SchemaName.REQUIREMENT);
                    }
                    found.add(new Found(new SchemaName(name, rows.getString(2)), rows.getBoolean(3)));
                }
            }
        }
        return found;
    }
}
