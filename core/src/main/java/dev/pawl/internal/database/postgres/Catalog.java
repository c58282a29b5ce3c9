package dev.pawl.internal.database.postgres;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Reads PostgreSQL's catalog. */
final class Catalog {
    /** {@code tree (oid)}: the named table and, if it is partitioned, all of its partitions. */
    private static final String TREE = """
            WITH RECURSIVE tree AS (
                SELECT to_regclass('%s')::oid AS oid
                 UNION ALL
                SELECT i.inhrelid FROM pg_inherits i JOIN tree t ON i.inhparent = t.oid)
            """;

    private final Connection connection;
    private final Dialect dialect;

    Catalog(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /** {@return the WITH clause that defines {@code tree (oid)}} */
    String tree(String table) {
        return TREE.formatted(dialect.sql(table));
    }

    /** The tables that hold rows: the table itself or its partitions. pg_partition_tree does not return plain tables. */
    List<String> leaves(String table) throws SQLException {
        return texts(tree(table) + "SELECT c.oid::regclass::text FROM tree JOIN pg_class c USING (oid)"
                + " WHERE c.relkind = 'r' ORDER BY 1");
    }

    /** {@return the first column of all rows} */
    List<String> texts(String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    /** Runs statements that name objects as they are, without inserting the prefix. */
    void execute(List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
