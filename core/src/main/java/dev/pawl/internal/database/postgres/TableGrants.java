package dev.pawl.internal.database.postgres;

import dev.pawl.api.SchemaException;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.SchemaName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The owner, privileges and comments of a table, to be transferred to the new table of the same name that replaces it. Anything that cannot
 * be transferred prevents the replacement, because programs of users may depend on it.
 */
final class TableGrants {
    private final Catalog catalog;
    private final String table;
    private final List<String> statements;

    private TableGrants(Catalog catalog, String table, List<String> statements) {
        this.catalog = catalog;
        this.table = table;
        this.statements = statements;
    }

    /**
     * Reads owner, privileges and comments of the current table.
     *
     * @param intoParts whether the new table will be partitioned, so that not all unique constraints are possible
     * @throws SchemaException if something would be lost; the message names it
     */
    static TableGrants of(Catalog catalog, Dialect dialect, String name, boolean intoParts) throws SQLException {
        List<String> obstacles = obstacles(catalog, dialect, name, intoParts);
        if (!obstacles.isEmpty()) {
            throw new SchemaException(dialect.sql(name) + " has to be rebuilt for this, and these would be lost: "
                    + String.join(", ", obstacles) + "; drop them first and create them again afterwards");
        }
        String table = dialect.sql(name);
        String of = " FROM pg_class c CROSS JOIN aclexplode(c.relacl) a WHERE c.oid = to_regclass('" + table + "')";
        String to = "CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,"
                + " CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)";
        List<String> statements = new ArrayList<>(catalog.texts(
                "SELECT format('ALTER TABLE " + table + " OWNER TO %s', relowner::regrole) FROM pg_class WHERE oid ="
                        + " to_regclass('" + table + "') AND relowner <> current_user::regrole"));
        statements.addAll(
                catalog.texts("SELECT format('GRANT %s ON " + table + " TO %s%s', a.privilege_type, " + to + of));
        statements.addAll(catalog.texts("SELECT format('GRANT %s (%I) ON " + table
                + " TO %s%s', a.privilege_type, t.attname, " + to
                + " FROM pg_attribute t CROSS JOIN aclexplode(t.attacl) a WHERE t.attrelid = to_regclass('" + table
                + "')"));
        statements.addAll(catalog.texts("SELECT format('COMMENT ON TABLE " + table + " IS %L', text)"
                + " FROM obj_description(to_regclass('" + table + "'), 'pg_class') AS text WHERE text IS NOT NULL"));
        return new TableGrants(catalog, table, statements);
    }

    private static List<String> obstacles(Catalog catalog, Dialect dialect, String name, boolean intoParts)
            throws SQLException {
        String obstacles = """
                SELECT 'view ' || v.oid::regclass
                  FROM tree JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = tree.oid
                            JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
                            JOIN pg_class v ON v.oid = r.ev_class AND v.oid <> tree.oid
                UNION SELECT 'rule ' || rulename FROM pg_rewrite JOIN tree ON ev_class = tree.oid
                UNION SELECT 'trigger ' || tgname FROM pg_trigger JOIN tree ON tgrelid = tree.oid WHERE NOT tgisinternal
                UNION SELECT 'foreign key ' || conname || ' of ' || conrelid::regclass
                  FROM pg_constraint JOIN tree ON tree.oid IN (conrelid, confrelid) WHERE contype = 'f'
                UNION SELECT 'constraint ' || conname
                  FROM pg_constraint JOIN tree ON conrelid = tree.oid WHERE contype IN ('u', 'x')
                UNION SELECT 'policy ' || polname FROM pg_policy JOIN tree ON polrelid = tree.oid
                UNION SELECT 'row level security' FROM pg_class JOIN tree USING (oid) WHERE relrowsecurity
                UNION SELECT 'publication ' || pubname
                  FROM pg_publication_rel r JOIN tree ON prrelid = tree.oid JOIN pg_publication p ON p.oid = prpubid
                UNION SELECT 'statistics ' || stxname FROM pg_statistic_ext JOIN tree ON stxrelid = tree.oid
                UNION SELECT 'replica identity' FROM pg_class JOIN tree USING (oid)
                 WHERE relkind IN ('r', 'p') AND relreplident <> 'd'
                UNION SELECT 'generated column ' || attname
                  FROM pg_attribute JOIN tree ON attrelid = tree.oid WHERE attgenerated <> '' AND NOT attisdropped
                """;
        String unique = """
                UNION SELECT 'unique index ' || indexrelid::regclass
                  FROM pg_index JOIN tree ON indrelid = tree.oid
                 WHERE indisunique AND NOT indisprimary AND indexrelid IS DISTINCT FROM to_regclass('%s')
                   AND NOT EXISTS (SELECT 1 FROM pg_inherits WHERE inhrelid = indexrelid)
                """;
        return catalog.texts(catalog.tree(name) + obstacles
                + (intoParts ? unique.formatted(index(dialect, "pawl_job_unique_key")) : "") + " ORDER BY 1");
    }

    /** {@return the name of an index with its schema} Statements that name an index are few, so no general mechanism adds the schema. */
    private static String index(Dialect dialect, String usual) {
        SchemaName schema = dialect.schema();
        return (schema == null ? "" : schema.quoted() + ".") + dialect.name(usual);
    }

    /**
     * Transfers the owner, privileges and comments to the new table. Its partitions get only the owner, because PostgreSQL checks
     * privileges on the parent.
     */
    void handOver() throws SQLException {
        catalog.execute(statements);
        catalog.execute(catalog.texts(catalog.tree(table)
                + "SELECT format('ALTER TABLE %s OWNER TO %s', c.oid::regclass, w.relowner::regrole) FROM tree"
                + " JOIN pg_class c USING (oid) JOIN pg_class w ON w.oid = to_regclass('" + table + "')"
                + " WHERE c.relowner <> w.relowner"));
    }

    /** Lets every role that may insert into the table use the sequence of its ids. */
    void handOverSequence(String sequence) throws SQLException {
        catalog.execute(catalog.texts("SELECT format('GRANT USAGE ON SEQUENCE " + sequence + " TO %s',"
                + " CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END)"
                + " FROM pg_class c CROSS JOIN aclexplode(c.relacl) a WHERE c.oid = to_regclass('" + table
                + "') AND a.privilege_type = 'INSERT'"));
        catalog.execute(catalog.texts("SELECT format('ALTER SEQUENCE " + sequence + " OWNER TO %s', relowner::regrole)"
                + " FROM pg_class WHERE oid = to_regclass('" + table
                + "') AND relowner <> (SELECT relowner FROM pg_class"
                + " WHERE oid = to_regclass('" + sequence + "'))"));
    }
}
