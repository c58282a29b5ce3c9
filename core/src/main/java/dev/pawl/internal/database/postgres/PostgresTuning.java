package dev.pawl.internal.database.postgres;

import dev.pawl.admin.Tuning;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Rebuilds the tables according to a {@link Tuning}, within the caller's transaction. */
final class PostgresTuning {
    private static final String LIKE =
            "CREATE TABLE %1$s (LIKE %1$s_old INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE"
                    + " INCLUDING COMMENTS)";

    private final Connection connection;
    private final Dialect dialect;
    private final Catalog catalog;

    PostgresTuning(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
        this.catalog = new Catalog(connection, dialect);
    }

    void apply(Tuning tuning) throws SQLException {
        Integer parts = tuning.livePartitions();
        if (parts != null && parts != catalog.leaves("pawl_job").size()) {
            splitLiveTable(parts);
        }
        Boolean byDay = tuning.historyByDay();
        if (byDay != null && byDay != new HistoryPartitions(connection, dialect).exist()) {
            partitionHistory(byDay);
        }
        Boolean unlogged = tuning.unlogged();
        if (unlogged != null) {
            for (String table : catalog.leaves("pawl_job")) {
                catalog.execute(List.of("ALTER TABLE " + table + " SET " + (unlogged ? "UNLOGGED" : "LOGGED")));
            }
            keepIds();
        }
    }

    /**
     * From PostgreSQL 15 on, the sequence of an identity column of an unlogged table is unlogged, too: it would restart at 1 after a crash,
     * although the history has these ids.
     */
    private void keepIds() throws SQLException {
        catalog.execute(catalog.texts(catalog.tree("pawl_job")
                + "SELECT 'ALTER SEQUENCE ' || s.oid::regclass || ' SET LOGGED' FROM tree"
                + " JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = tree.oid"
                + " AND d.classid = 'pg_class'::regclass JOIN pg_class s ON s.oid = d.objid"
                + " WHERE s.relkind = 'S' AND s.relpersistence = 'u'"));
    }

    private void splitLiveTable(int parts) throws SQLException {
        execute("LOCK TABLE pawl_job IN ACCESS EXCLUSIVE MODE");
        TableGrants grants = TableGrants.of(catalog, dialect, "pawl_job", parts > 1);
        String storage = storage();
        List<String> indexes = setAside("pawl_job");
        // Not an identity column: before PostgreSQL 17 a partitioned table cannot have one.
        execute("CREATE SEQUENCE IF NOT EXISTS pawl_job_ids AS bigint");
        execute("SELECT setval('pawl_job_ids', GREATEST(nextval('pawl_job_ids'),"
                + " COALESCE(nextval(pg_get_serial_sequence('pawl_job_old', 'id')), 1)))");
        String like = LIKE.formatted("pawl_job");
        if (parts == 1) {
            execute(like + storage);
            execute("ALTER TABLE pawl_job ADD CONSTRAINT pawl_job_pkey PRIMARY KEY (id)");
        } else {
            execute(like + " PARTITION BY HASH (kind)");
            execute("ALTER TABLE pawl_job ADD CONSTRAINT pawl_job_pkey PRIMARY KEY (id, kind)");
            for (int part = 0; part < parts; part++) {
                execute("CREATE TABLE pawl_job_part" + part + "_" + parts
                        + " PARTITION OF pawl_job FOR VALUES WITH (MODULUS " + parts + ", REMAINDER " + part + ")"
                        + storage);
            }
        }
        execute("ALTER TABLE pawl_job ALTER id SET DEFAULT nextval('pawl_job_ids')");
        refill("pawl_job", indexes);
        grants.handOver();
        grants.handOverSequence(dialect.sql("pawl_job_ids"));
    }

    /** {@return the storage options of the current table, above all those for vacuum} */
    private String storage() throws SQLException {
        List<String> options = catalog.texts("SELECT unnest(reloptions) FROM pg_class WHERE oid = '"
                + catalog.leaves("pawl_job").get(0) + "'::regclass");
        return options.isEmpty() ? "" : " WITH (" + String.join(", ", options) + ")";
    }

    private void partitionHistory(boolean byDay) throws SQLException {
        execute("LOCK TABLE pawl_job_history IN ACCESS EXCLUSIVE MODE");
        TableGrants grants = TableGrants.of(catalog, dialect, "pawl_job_history", byDay);
        List<String> indexes = setAside("pawl_job_history");
        String like = LIKE.formatted("pawl_job_history");
        if (byDay) {
            execute(like + " PARTITION BY LIST (state)");
            execute("ALTER TABLE pawl_job_history ADD CONSTRAINT pawl_job_history_pkey"
                    + " PRIMARY KEY (id, state, finished_at)");
            HistoryPartitions partitions = new HistoryPartitions(connection, dialect);
            partitions.create();
            partitions.createNextDays();
        } else {
            execute(like);
            execute("ALTER TABLE pawl_job_history ADD CONSTRAINT pawl_job_history_pkey PRIMARY KEY (id)");
        }
        refill("pawl_job_history", indexes);
        grants.handOver();
    }

    /** Renames the table and its indexes; returns the statements that create the indexes again. */
    private List<String> setAside(String table) throws SQLException {
        List<String> definitions = new ArrayList<>();
        List<String> names = new ArrayList<>();
        String schema = "";
        try (Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT indexname, indexdef, quote_ident(schemaname) FROM pg_indexes"
                                + " WHERE schemaname = (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                                + " WHERE c.oid = to_regclass('" + dialect.sql(table) + "')) AND tablename = '"
                                + dialect.name(table) + "'")) {
            while (rows.next()) {
                names.add(rows.getString(1));
                schema = rows.getString(3);
                if (!rows.getString(1).endsWith("_pkey")) {
                    definitions.add(rows.getString(2).replace(" ON ONLY ", " ON "));
                }
            }
        }
        execute("ALTER TABLE " + table + " RENAME TO " + table + "_old");
        try (Statement statement = connection.createStatement()) {
            for (String name : names) {
                statement.execute("ALTER INDEX " + schema + ".\"" + name + "\" RENAME TO \"" + name + "_old\"");
            }
        }
        return definitions;
    }

    /**
     * Copies the rows and drops the old table. If an undetected object depends on it, the drop fails, and the transaction is rolled back.
     */
    private void refill(String table, List<String> indexes) throws SQLException {
        execute("INSERT INTO " + table + " SELECT * FROM " + table + "_old");
        catalog.execute(indexes);
        execute("DROP TABLE " + table + "_old");
        execute("ANALYZE " + table);
    }

    private void execute(String sql) throws SQLException {
        catalog.execute(List.of(dialect.sql(sql)));
    }
}
