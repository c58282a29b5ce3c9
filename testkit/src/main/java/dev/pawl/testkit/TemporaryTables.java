package dev.pawl.testkit;

import dev.pawl.JobQueue;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.SchemaName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Tables of a single test, identified by a random prefix and dropped at its end. Their names consist of letters, digits and _. */
final class TemporaryTables {
    private static final String START = "pawltest_";
    /** The lock timeout of a drop. Without it, a test that left a transaction open would never end. */
    private static final int TIMEOUT_SECONDS = 10;

    private static final Pattern PLAIN = Pattern.compile("[a-z0-9_]+");

    private TemporaryTables() {}

    /** {@return a prefix that no other test uses} */
    static String prefix() {
        return START + Long.toString(ThreadLocalRandom.current().nextLong(1L << 50), 36) + "_";
    }

    /** @param queue on the tables, which knows their schema; null if none could be opened */
    static void drop(DataSource dataSource, String prefix, @Nullable JobQueue queue) throws SQLException {
        Dialect dialect = queue == null
                ? null
                : queue.unwrap(QueueRuntime.class).database().dialect();
        try (Connection connection = dataSource.getConnection()) {
            List<String> drops = new ArrayList<>(drops(connection, dialect, prefix, "TABLE"));
            drops.addAll(drops(connection, dialect, prefix, "SEQUENCE")); // sequences of a column are dropped with it
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(TIMEOUT_SECONDS);
                for (String drop : drops) {
                    statement.execute(drop);
                }
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
    }

    /** The metadata lists tables of other users and databases too, so the query is restricted to the schema of the queue. */
    private static List<String> drops(Connection connection, @Nullable Dialect dialect, String prefix, String what)
            throws SQLException {
        DatabaseMetaData meta = connection.getMetaData();
        SchemaName own = dialect == null ? null : dialect.schema();
        boolean isCatalog = dialect != null && dialect.schemaIsCatalog();
        String catalog = own == null || !isCatalog ? connection.getCatalog() : own.name();
        String schema = own == null || isCatalog ? connection.getSchema() : own.name();
        List<String> drops = new ArrayList<>();
        try (ResultSet row = meta.getTables(catalog, schema, START + "%", null)) {
            while (row.next()) {
                String name = row.getString("TABLE_NAME");
                String type = row.getString("TABLE_TYPE").toUpperCase(Locale.ROOT);
                if (type.endsWith(what)
                        && name.startsWith(prefix)
                        && PLAIN.matcher(name).matches()) {
                    drops.add("DROP " + what + " IF EXISTS " + (own == null ? "" : own.quoted() + ".") + name);
                }
            }
        }
        return drops;
    }
}
