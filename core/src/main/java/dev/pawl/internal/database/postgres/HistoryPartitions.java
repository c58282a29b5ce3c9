package dev.pawl.internal.database.postgres;

import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of the history, by state and day (UTC). The partitions of coming days are created ahead. Rows of a day without a partition
 * go into the default partition, which is pruned row by row.
 */
final class HistoryPartitions {
    private static final int DAYS_AHEAD = 3;
    private static final Duration LONGEST_LOCK = Duration.ofMillis(200);
    /** End of the names of days that are detached, and about to be dropped. */
    private static final String EXPIRED = "_expired";

    private static final DateTimeFormatter DAY = DateTimeFormatter.BASIC_ISO_DATE;
    private static final List<JobState> STATES = List.of(JobState.COMPLETED, JobState.CANCELLED, JobState.DISCARDED);

    private final Connection connection;
    private final Dialect dialect;

    HistoryPartitions(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    boolean exist() throws SQLException {
        return !texts("SELECT 1 FROM pg_partitioned_table WHERE partrelid = to_regclass('"
                        + dialect.sql("pawl_job_history") + "')")
                .isEmpty();
    }

    /** {@return the missing privileges of this role to create and drop partitions, as text; null if none} */
    @Nullable
    String missingRights() throws SQLException {
        List<String> missing = texts(
                "SELECT 'role ' || current_user || ' may not make or drop the days of "
                        + dialect.sql("pawl_job_history") + ", so it deletes rows one by one: let it be a member of '"
                        + " || relowner::regrole || ', who owns the table, and GRANT CREATE ON SCHEMA ' || relnamespace::regnamespace"
                        + " || ' TO it, or let the owner prune' FROM pg_class WHERE oid IN (SELECT relid FROM pg_partition_tree('"
                        + dialect.sql("pawl_job_history")
                        + "') WHERE NOT isleaf) AND NOT (pg_has_role(relowner, 'USAGE') AND has_schema_privilege(relnamespace, 'CREATE'))");
        return missing.isEmpty() ? null : missing.get(0);
    }

    /**
     * Takes the lock for changes of partitions until the commit, because at midnight all programs want to create the same days.
     *
     * @return false if another program has the lock
     */
    boolean lock() throws SQLException {
        return texts("SELECT pg_try_advisory_xact_lock(hashtext('" + dialect.sql("pawl_job_history") + "'))")
                .contains("t");
    }

    private static String parent(JobState state) {
        return "pawl_job_history_" + state.name().toLowerCase(Locale.ROOT);
    }

    void create() throws SQLException {
        for (JobState state : STATES) {
            execute("CREATE TABLE " + parent(state) + " PARTITION OF pawl_job_history FOR VALUES IN (" + state.code()
                    + ") PARTITION BY RANGE (finished_at)");
            execute("CREATE TABLE " + parent(state) + "_rest PARTITION OF " + parent(state) + " DEFAULT");
        }
    }

    /** Creates the partitions of the days from today on. */
    void createNextDays() throws SQLException {
        for (String day : missingDays()) {
            executeAsIs(day);
        }
    }

    /** {@return the statements that create the missing coming days} Skips a day that already has rows in the default partition. */
    List<String> missingDays() throws SQLException {
        List<String> missing = new ArrayList<>();
        LocalDate today = today();
        for (JobState state : STATES) {
            for (int ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
                LocalDate day = today.plusDays(ahead);
                String between = "'" + day + " 00:00+00' AND finished_at < '" + day.plusDays(1) + " 00:00+00'";
                boolean exists = !texts(
                                "SELECT 1 WHERE to_regclass('" + dialect.sql(name(state, day)) + "') IS NOT NULL")
                        .isEmpty();
                if (!exists
                        && texts("SELECT 1 FROM " + dialect.sql(parent(state)) + "_rest WHERE finished_at >= " + between
                                        + " LIMIT 1")
                                .isEmpty()) {
                    missing.add(dialect.sql("CREATE TABLE IF NOT EXISTS " + name(state, day) + " PARTITION OF "
                            + parent(state) + " FOR VALUES FROM ('" + day + " 00:00+00') TO ('" + day.plusDays(1)
                            + " 00:00+00')"));
                }
            }
        }
        return missing;
    }

    /** {@return for each state, the oldest day that still has jobs whose retention has not expired} */
    Map<JobState, LocalDate> oldestDays(Retention retention) throws SQLException {
        Map<JobState, Duration> keep = Map.of(
                JobState.COMPLETED, retention.completed(),
                JobState.CANCELLED, retention.cancelled(),
                JobState.DISCARDED, retention.discarded());
        Map<JobState, LocalDate> oldest = new EnumMap<>(JobState.class);
        for (Map.Entry<JobState, Duration> one : keep.entrySet()) {
            oldest.put(
                    one.getKey(),
                    LocalDate.parse(texts("SELECT ((statement_timestamp() - make_interval(secs => "
                                    + one.getValue().toSeconds() + ")) AT TIME ZONE 'UTC')::date::text")
                            .get(0)));
        }
        return oldest;
    }

    /** {@return the statements that detach the days before the oldest ones} */
    List<String> oldDays(Map<JobState, LocalDate> oldest) throws SQLException {
        List<String> old = new ArrayList<>();
        for (Map.Entry<JobState, LocalDate> one : oldest.entrySet()) {
            // This role may lack the right to detach a partition that another role has created. The rows of that
            // partition are deleted instead.
            String parent = dialect.sql(parent(one.getKey()));
            old.addAll(texts("SELECT format('ALTER TABLE " + parent
                    + " DETACH PARTITION %1$I.%2$I; ALTER TABLE %1$I.%2$I RENAME TO %3$I', n.nspname, c.relname,"
                    + " c.relname || '" + EXPIRED + "')"
                    + " FROM pg_partition_tree('" + parent
                    + "') JOIN pg_class c ON c.oid = relid JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE isleaf AND pg_has_role(c.relowner, 'USAGE') AND c.relname NOT LIKE '%!_rest' ESCAPE '!'"
                    + " AND c.relname COLLATE \"C\" < '" + dialect.name(name(one.getKey(), one.getValue())) + "'"));
        }
        return old;
    }

    /** {@return the tables of detached days, which have to be dropped} */
    List<String> detachedDays() throws SQLException {
        List<String> detached = new ArrayList<>();
        for (JobState state : STATES) {
            detached.addAll(texts("SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c"
                    + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND NOT c.relispartition"
                    + " AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('"
                    + dialect.sql("pawl_job_history") + "')) AND c.relname ~ '^" + dialect.name(parent(state))
                    + "_[0-9]{8}" + EXPIRED + "$' AND pg_has_role(c.relowner, 'USAGE')"));
        }
        return detached;
    }

    /** {@return some jobs of a detached day, by ascending id} */
    List<Long> jobs(String day, long above, int most) throws SQLException {
        List<Long> ids = new ArrayList<>();
        for (String id : texts("SELECT id FROM " + day + " WHERE id > " + above + " ORDER BY id LIMIT " + most)) {
            ids.add(Long.valueOf(id));
        }
        return ids;
    }

    /**
     * Creates, detaches or drops the partition of a day. The lock timeout is short, because the statement locks the whole table, and all reads and
     * writes of the history wait for the statement.
     */
    void change(String ddl) throws SQLException {
        executeAsIs("SET LOCAL lock_timeout = '" + LONGEST_LOCK.toMillis() + "ms'");
        executeAsIs(ddl);
    }

    /** Locks a detached day, so that nothing is deleted while a backup reads it. Later statements wait for locks as usual. */
    void reserve(String day) throws SQLException {
        change("LOCK TABLE " + day + " IN ACCESS EXCLUSIVE MODE");
        executeAsIs("SET LOCAL lock_timeout TO DEFAULT");
    }

    private static String name(JobState state, LocalDate day) {
        return parent(state) + "_" + DAY.format(day);
    }

    private LocalDate today() throws SQLException {
        return LocalDate.parse(texts("SELECT (statement_timestamp() AT TIME ZONE 'UTC')::date::text")
                .get(0));
    }

    private List<String> texts(String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    private void execute(String sql) throws SQLException {
        executeAsIs(dialect.sql(sql));
    }

    private void executeAsIs(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
