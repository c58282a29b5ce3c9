package dev.pawl.internal.store.postgres;

import dev.pawl.Tuning;
import dev.pawl.internal.store.sql.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Rebuilds the tables as a {@link Tuning} says, within the caller's transaction. */
final class PostgresTuning {
    private static final String VACUUM = " WITH (autovacuum_vacuum_scale_factor = 0.01,"
            + " autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,"
            + " autovacuum_analyze_scale_factor = 0.1)";

    private final Connection connection;
    private final Dialect dialect;

    PostgresTuning(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    void apply(Tuning tuning) throws SQLException {
        Integer parts = tuning.livePartitions();
        if (parts != null && parts != plainTables().size()) {
            splitLiveTable(parts);
        }
        Boolean byDay = tuning.historyByDay();
        if (byDay != null && byDay != new HistoryPartitions(connection, dialect).exist()) {
            partitionHistory(byDay);
        }
        Boolean unlogged = tuning.unlogged();
        if (unlogged != null) {
            try (Statement statement = connection.createStatement()) {
                for (String table : plainTables()) {
                    statement.execute("ALTER TABLE " + table + " SET " + (unlogged ? "UNLOGGED" : "LOGGED"));
                }
            }
        }
    }

    private void splitLiveTable(int parts) throws SQLException {
        List<String> indexes = setAside("pawl_job");
        execute("CREATE SEQUENCE IF NOT EXISTS pawl_job_ids AS bigint");
        execute("SELECT setval('pawl_job_ids', GREATEST(nextval('pawl_job_ids'),"
                + " COALESCE(nextval(pg_get_serial_sequence('pawl_job_old', 'id')), 1)))");
        String like = "CREATE TABLE pawl_job (LIKE pawl_job_old INCLUDING DEFAULTS INCLUDING CONSTRAINTS)";
        if (parts == 1) {
            execute(like + VACUUM);
            execute("ALTER TABLE pawl_job ADD CONSTRAINT pawl_job_pkey PRIMARY KEY (id)");
        } else {
            execute(like + " PARTITION BY HASH (kind)");
            execute("ALTER TABLE pawl_job ADD CONSTRAINT pawl_job_pkey PRIMARY KEY (id, kind)");
            for (int part = 0; part < parts; part++) {
                execute("CREATE TABLE pawl_job_part" + part + "_" + parts
                        + " PARTITION OF pawl_job FOR VALUES WITH (MODULUS " + parts + ", REMAINDER " + part + ")"
                        + VACUUM);
            }
        }
        execute("ALTER TABLE pawl_job ALTER id SET DEFAULT nextval('pawl_job_ids')");
        refill("pawl_job", indexes);
    }

    private void partitionHistory(boolean byDay) throws SQLException {
        List<String> indexes = setAside("pawl_job_history");
        String like =
                "CREATE TABLE pawl_job_history (LIKE pawl_job_history_old INCLUDING DEFAULTS INCLUDING CONSTRAINTS)";
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
    }

    /** Gives the table and its indexes other names; answers how to make the indexes again. */
    private List<String> setAside(String table) throws SQLException {
        execute("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
        List<String> definitions = new ArrayList<>();
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname ="
                        + " current_schema() AND tablename = '" + dialect.sql(table) + "'")) {
            while (rows.next()) {
                names.add(rows.getString(1));
                if (!rows.getString(1).endsWith("_pkey")) {
                    definitions.add(rows.getString(2).replace(" ON ONLY ", " ON "));
                }
            }
        }
        execute("ALTER TABLE " + table + " RENAME TO " + table + "_old");
        try (Statement statement = connection.createStatement()) {
            for (String name : names) {
                statement.execute("ALTER INDEX " + name + " RENAME TO " + name + "_old");
            }
        }
        return definitions;
    }

    private void refill(String table, List<String> indexes) throws SQLException {
        execute("INSERT INTO " + table + " SELECT * FROM " + table + "_old");
        try (Statement statement = connection.createStatement()) {
            for (String index : indexes) {
                statement.execute(index);
            }
        }
        execute("DROP TABLE " + table + "_old CASCADE");
        execute("ANALYZE " + table);
    }

    /** The live table, or its parts: only they can be unlogged. */
    private List<String> plainTables() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT relid::regclass::text FROM pg_partition_tree('"
                        + dialect.sql("pawl_job") + "') WHERE isleaf")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.sql(sql));
        }
    }
}
