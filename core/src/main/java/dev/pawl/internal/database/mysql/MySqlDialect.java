package dev.pawl.internal.database.mysql;

import dev.pawl.internal.database.ServerVersion;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.RowStates;
import dev.pawl.internal.jdbc.SessionSettings;
import dev.pawl.internal.jdbc.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** MySQL from 8.0 and MariaDB from 10.3, through either driver. Moments are {@code datetime(6)} in UTC. */
public final class MySqlDialect extends Dialect {
    /** A list of this length or more is split into two. Claims and batches of outcomes have at most 1,000 jobs, so two are enough. */
    private static final int MAX_IN_LIST = 1000;

    private final boolean skipLockedWorks;
    private final boolean isMariaDb;
    private final String open;

    /**
     * @param version as the server reports it
     * @param skipLockedWorks whether FOR UPDATE SKIP LOCKED takes a lock here: old servers do not have it, and TiDB
     *     accepts and ignores it
     * @param prefix of every table
     */
    public MySqlDialect(String version, boolean skipLockedWorks, String prefix) {
        this(version, skipLockedWorks, TableNames.prefixed(prefix));
    }

    /**
     * @param version as the server reports it
     * @param skipLockedWorks whether FOR UPDATE SKIP LOCKED takes a lock here
     * @param names of the tables
     */
    public MySqlDialect(String version, boolean skipLockedWorks, TableNames names) {
        super("mysql", version, names);
        this.skipLockedWorks = skipLockedWorks;
        this.isMariaDb = version.toLowerCase(Locale.ROOT).contains("mariadb");
        // MariaDB 11.1 and later versions warn about the old name
        boolean hasOldName = isMariaDb && !ServerVersion.of(version).isAtLeast(11, 1);
        this.open = "SET autocommit = 0, @@" + (hasOldName ? "tx_isolation" : "transaction_isolation")
                + " = 'READ-COMMITTED'";
    }

    /** {@return whether FOR UPDATE SKIP LOCKED takes a lock here} */
    public boolean skipLockedWorks() {
        return skipLockedWorks;
    }

    @Override
    public boolean schemaIsCatalog() {
        return true;
    }

    @Override
    public String now() {
        return "UTC_TIMESTAMP(6)";
    }

    @Override
    public String nowPlusMicros() {
        return "UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND";
    }

    @Override
    public String moment() {
        return "?";
    }

    @Override
    public void bind(PreparedStatement statement, int index, Instant moment) throws SQLException {
        statement.setObject(index, LocalDateTime.ofInstant(moment, ZoneOffset.UTC));
    }

    @Override
    public @Nullable Instant moment(ResultSet row, String column) throws SQLException {
        LocalDateTime moment = row.getObject(column, LocalDateTime.class);
        return moment == null ? null : moment.toInstant(ZoneOffset.UTC);
    }

    /** The optimiser may prefer the primary key for {@code ORDER BY … LIMIT} and read every delayed job on the way. */
    @Override
    public String readyTable() {
        return "pawl_job FORCE INDEX (pawl_job_ready)";
    }

    /** The index for ready jobs fits, because its first column is the state. */
    @Override
    public String waitingTable() {
        return readyTable();
    }

    /**
     * MySQL cannot bound an index range by a column of an outer row, but GROUP BY the columns of an index reads one entry for each group.
     */
    @Override
    public String readyPlaces(int most) {
        return "SELECT queue, kind, MIN(available_at) <= " + now() + " AS due FROM " + readyTable()
                + " WHERE " + RowStates.CLAIMABLE + " AND queue > ? GROUP BY state, queue, kind, priority"
                + " ORDER BY state, queue, kind, priority LIMIT " + most;
    }

    /**
     * Uses GROUP BY, as {@link #readyPlaces} does. The row of nulls makes the statement a UNION, because MariaDB would otherwise move
     * conditions of the outer statement into it, and read all entries.
     */
    @Override
    public String firstClaimable(int queues, int kinds) {
        return "SELECT queue, kind, MIN(available_at) AS available_at FROM " + readyTable() + " WHERE "
                + RowStates.CLAIMABLE + " AND queue IN (" + "?,".repeat(queues - 1) + "?) AND kind IN ("
                + "?,".repeat(kinds - 1) + "?) GROUP BY state, queue, kind, priority UNION ALL SELECT NULL, NULL, NULL";
    }

    /**
     * Instead of looking up many ids, the optimiser may read a small table from start to end. The statement then waits for rows that other
     * transactions have locked, and deadlocks with them although they have no job in common.
     */
    @Override
    public String jobsById() {
        return "pawl_job FORCE INDEX (PRIMARY)";
    }

    /** Without the hint, the optimiser may read and sort all rows if most of them have the same value in the index's first column. */
    @Override
    public String byIndex(String table, String index) {
        return table + " FORCE INDEX (" + index + ")";
    }

    @Override
    public boolean indexesDelayed() {
        return false; // there are no partial indexes
    }

    @Override
    public String alongIds(String table) {
        return table + " FORCE INDEX (PRIMARY)";
    }

    @Override
    protected String productName() {
        return isMariaDb ? "mariadb" : super.productName();
    }

    /** MariaDB turns a list of a thousand ids or more into a temporary table, and then reads all jobs. */
    @Override
    public String anyOf(String column, int count) {
        int half = slots(count) / 2;
        return half < MAX_IN_LIST / 2
                ? super.anyOf(column, count)
                : "(" + super.anyOf(column, half) + " OR " + super.anyOf(column, half) + ")";
    }

    /**
     * MariaDB's single-table form takes no hint. In the multi-table form, MySQL ignores such a hint if the statement deletes most rows of
     * the table. It then reads the whole table, and waits for locked rows that it does not delete. MySQL obeys its own optimiser hints.
     */
    @Override
    public String deleteJobsById() {
        return isMariaDb ? "DELETE pawl_job FROM " + jobsById() : "DELETE /*+ INDEX(pawl_job PRIMARY) */ FROM pawl_job";
    }

    @Override
    public String micros(String moment) {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', " + moment + ")";
    }

    @Override
    public boolean showsUncommitted() {
        return true;
    }

    /** Without the hint, the statement reads on to the next row, and waits for the transaction that is writing that row. */
    @Override
    public String deleteAlongIds(String table) {
        return isMariaDb
                ? "DELETE " + table + " FROM " + alongIds(table)
                : "DELETE /*+ INDEX(" + table + " PRIMARY) */ FROM " + table;
    }

    @Override
    public String skipLocked() {
        return skipLockedWorks ? "FOR UPDATE SKIP LOCKED" : "FOR UPDATE";
    }

    @Override
    public boolean skipsLockedRows() {
        return skipLockedWorks;
    }

    @Override
    public String forShare() {
        return "LOCK IN SHARE MODE";
    }

    /** MySQL and MariaDB have different syntax for it. */
    @Override
    public String shareSkipLocked() {
        return !skipLockedWorks ? forShare() : isMariaDb ? forShare() + " SKIP LOCKED" : "FOR SHARE SKIP LOCKED";
    }

    @Override
    public String forUpdate() {
        return "FOR UPDATE";
    }

    @Override
    public String currentRead() {
        return "LOCK IN SHARE MODE";
    }

    @Override
    public String insertIfMissing(String row) {
        return "INSERT IGNORE INTO " + row;
    }

    /** With IGNORE two transactions that find the row would both take a shared lock, and then deadlock. */
    @Override
    public String insertIfMissingToLock(String row, String column) {
        return "INSERT INTO " + row + " ON DUPLICATE KEY UPDATE " + column + " = " + column;
    }

    /** At REPEATABLE READ, the default. */
    @Override
    public boolean locksWhatIsMissing() {
        return true;
    }

    /**
     * MySQL cannot bound an index range by a column of an outer row, so a join would read all entries for each value. If GROUP BY has all
     * columns of the index up to this column, the server skips from one value to the next. With DISTINCT, MySQL reads all entries.
     */
    @Override
    public Steps steps(String table, String groups, String column, String condition, int most) {
        String columns = groups.isEmpty() ? column : groups + ", " + column;
        return new Steps(
                "SELECT " + column + " FROM " + table + " WHERE " + condition + " AND " + column + " > ? GROUP BY "
                        + columns + " ORDER BY " + columns + " LIMIT " + most,
                false);
    }

    /** With GROUP BY the server can skip from one group to the next. */
    @Override
    public String least(String column, String from, String groups) {
        return "SELECT MIN(each_least.least) FROM (SELECT MIN(" + column + ") AS least FROM " + from + " GROUP BY "
                + groups + ") each_least";
    }

    /**
     * The values of settings that our statements need, by name. {@code sql_safe_updates} refuses changes that no index limits,
     * {@code sql_big_selects} refuses reads of many rows, {@code sql_select_limit} truncates results, and the others change results.
     */
    private static final Map<String, String> NEEDED = new TreeMap<>(Map.of(
            "sql_safe_updates", "0",
            "sql_select_limit", "18446744073709551615",
            "sql_big_selects", "1",
            "sql_auto_is_null", "0",
            "unique_checks", "1"));

    private static final String READ_SETTINGS = "SELECT "
            + NEEDED.keySet().stream().map(name -> "@@SESSION." + name).collect(Collectors.joining(", "));

    @Override
    public SessionSettings.@Nullable Repair repair(Connection connection) throws SQLException {
        List<String> found = new ArrayList<>();
        List<String> set = new ArrayList<>();
        List<String> restore = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(READ_SETTINGS)) {
            row.next();
            int column = 1;
            for (Map.Entry<String, String> each : NEEDED.entrySet()) {
                String value = row.getString(column++);
                if (value != null && !value.equals(each.getValue())) {
                    found.add(each.getKey() + "=" + value);
                    set.add("SESSION " + each.getKey() + " = " + each.getValue());
                    restore.add("SESSION " + each.getKey() + " = " + value);
                }
            }
        }
        return set.isEmpty()
                ? null
                : new SessionSettings.Repair(
                        String.join(", ", found), "SET " + String.join(", ", set), "SET " + String.join(", ", restore));
    }

    /**
     * At REPEATABLE READ, the default, claims lock gaps and deadlock. Without SESSION the level holds for the next transaction only, so
     * nothing has to be restored if that transaction executes a statement.
     */
    @Override
    public void begin(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
        }
    }

    /**
     * Takes one round trip, because drivers learn from the answer that autocommit is off, and send no statement to turn it off. The
     * isolation level also holds for the next transaction only, because its variable has the prefix {@code @@} and no scope.
     */
    @Override
    public void open(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(open);
        }
        connection.setAutoCommit(false);
    }

    /** Takes one round trip, because turning autocommit on also commits, and reports an error of the commit. */
    @Override
    public void commitOpened(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
    }

    /**
     * If the work failed before its first statement, the server has begun no transaction, and the next user of the connection would get our
     * isolation level. So an empty transaction consumes the setting.
     */
    @Override
    public void rolledBack(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("START TRANSACTION");
            statement.execute("ROLLBACK");
        }
    }

    /** Not SET TRANSACTION, which would affect the transaction of the connection's next user if no other statement followed. */
    @Override
    protected String beginReadOnly() {
        return "START TRANSACTION READ ONLY";
    }

    @Override
    public void requireFits(Connection connection, String text) throws SQLException {
        MySqlPackets.requireFits(connection, text);
    }
}
