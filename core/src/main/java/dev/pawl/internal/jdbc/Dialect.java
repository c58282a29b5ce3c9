package dev.pawl.internal.jdbc;

import dev.pawl.api.JobState;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * The small SQL expressions in which the databases differ, and the way to bind and read timestamps. They are for operations whose
 * statements are otherwise the same. Frequent operations have statements of their own in each database's package.
 */
public abstract class Dialect {
    /** PostgreSQL truncates longer names. */
    private static final int LONGEST_CHANNEL = 63;

    private final String product;
    private final String version;
    private final TableNames names;

    /**
     * @param product the folder of the migrations: postgresql, mysql or sqlite
     * @param version as the server reports it
     * @param names of the tables
     */
    protected Dialect(String product, String version, TableNames names) {
        this.product = product;
        this.version = version;
        this.names = names;
    }

    /** {@return postgresql, mysql (MariaDB too) or sqlite: the name of the migrations' folder} */
    public final String product() {
        return product;
    }

    /** {@return product and version of the server, for messages} */
    public final String server() {
        return productName() + " " + version;
    }

    /** {@return the product's usual name} */
    protected String productName() {
        return product;
    }

    /** {@return the server's version as it reports it} */
    public final String version() {
        return version;
    }

    /** {@return the table prefix} */
    public final String prefix() {
        return names.prefix();
    }

    /** {@return the schema that has the tables; null where there are no schemas, or the connection determines it} */
    public final @Nullable SchemaName schema() {
        return names.schema();
    }

    /**
     * Inserts the configured prefix. Statements are written with the default prefix, so that they can be read and tried out unchanged.
     *
     * @param statement with tables named {@code pawl_…}
     * @return the same with the configured prefix, and the schema in front of every name that is looked up
     */
    public final String sql(String statement) {
        return names.in(statement);
    }

    /** {@return a statement, written with tables named {@code pawl_…}: {@link #sql} is applied here} */
    public final Sql statement(String text) {
        return new Sql(this, text, false);
    }

    /** {@return the same, for a statement whose plan depends on the size of a table: see {@link #planned(Connection, String)}} */
    public final Sql planned(String text) {
        return new Sql(this, text, true);
    }

    /** {@return the name of a table or an index, with the prefix and without the schema, as in catalogs} */
    public final String name(String usual) {
        return usual.replace("pawl_", names.prefix());
    }

    /** {@return whether a schema here is a catalog in terms of JDBC: a database of the same server} */
    public boolean schemaIsCatalog() {
        return false;
    }

    /** {@return the name of the channel, where the database has channels} Channels do not belong to schemas. */
    public final String channel() {
        SchemaName schema = names.schema();
        String channel = names.prefix() + "jobs";
        if (schema == null || schema.name().equals("public")) {
            return channel;
        }
        String own = channel + "." + schema.name();
        return own.getBytes(StandardCharsets.UTF_8).length <= LONGEST_CHANNEL
                ? own
                : channel + "." + Integer.toHexString(schema.name().hashCode());
    }

    /** {@return the database's present moment, the same throughout a statement} */
    public abstract String now();

    /** {@return {@code now} plus a bound number of microseconds ({@code ?})} */
    public abstract String nowPlusMicros();

    /** {@return a bound moment ({@code ?}) set by {@link #bind}} */
    public abstract String moment();

    /** Binds a moment for the expression {@link #moment}. */
    public abstract void bind(PreparedStatement statement, int index, Instant moment) throws SQLException;

    /** {@return bound bytes ({@code ?}) set by {@link #bindBytes}} */
    public String bytes() {
        return "?";
    }

    /** Binds bytes for the expression {@link #bytes}. */
    public void bindBytes(PreparedStatement statement, int index, byte @Nullable [] bytes) throws SQLException {
        statement.setBytes(index, bytes);
    }

    /** Reads a column that holds a moment. */
    public abstract @Nullable Instant moment(ResultSet row, String column) throws SQLException;

    /**
     * {@return the condition that a job found by its id is running, written so that no index on running jobs is used}
     */
    public String runs() {
        return RowStates.RUNS;
    }

    /**
     * {@return a condition of {@link RowStates} for jobs found by their ids, written so that no index on states is used} Without
     * statistics, the planner would assume that few jobs are in a state, and would read all jobs in it.
     */
    public final String byId(String condition) {
        return condition.replaceFirst("^state ", "state + 0 ");
    }

    /** {@return the condition that a job found by its id is in one of some states} */
    public final String isIn(JobState... states) {
        return byId(RowStates.isIn(states));
    }

    /** {@return the condition that a job found by its id may be claimed, now or when its time has come} */
    public final String isClaimable() {
        return isIn(JobState.AVAILABLE);
    }

    /** {@return the condition that a job found by its id waits in any way} */
    public final String waits() {
        return isIn(RowStates.waiting());
    }

    /** {@return the condition that a job found by its id waits or runs} */
    public final String isLive() {
        return byId(RowStates.LIVE);
    }

    /**
     * {@return a statement whose plan depends on the size of the table: a plan made while the table was small must not
     * be kept}
     *
     * @param connection to prepare it on
     * @param sql the statement
     * @throws SQLException from the driver
     */
    public PreparedStatement planned(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    /**
     * {@return a condition that is always true, for a statement that runs for each job and finds it by its primary key} Where {@link
     * #planned(Connection, String)} plans for each execution, the plan of such a statement is kept for a second instead. See {@link
     * #planAge}.
     */
    public String keepsPlan() {
        return "1 = 1";
    }

    /** {@return what binds the placeholders of {@link #keepsPlan}} */
    public Sql.Value planAge() {
        return (statement, index) -> index;
    }

    /** {@return the table of jobs, with a hint where one is needed to use the index that is in the order of claims} */
    public String readyTable() {
        return "pawl_job";
    }

    /**
     * {@return the table of jobs for a read of jobs that wait for other jobs, with a hint where one is needed to use an index on state,
     * queue and kind}
     */
    public String waitingTable() {
        return "pawl_job";
    }

    /**
     * {@return a query for the number of jobs that wait in any way, counted up to a limit along two indexes; the values of the condition
     * are bound twice}
     *
     * @param condition on the queue, or on the queue and the kind; apart from the state, both indexes begin with these columns
     * @param order the ORDER BY that chooses the index of claimable jobs; empty where the condition suffices to choose it
     * @param most the limit
     */
    public final String countOfWaiting(String condition, String order, int most) {
        String some =
                "SELECT one FROM (SELECT 1 AS one FROM %s WHERE %s AND " + condition + "%s LIMIT " + most + ") %s";
        return "SELECT COUNT(*) FROM (" + some.formatted(readyTable(), RowStates.CLAIMABLE, order, "claimable")
                + " UNION ALL " + some.formatted(waitingTable(), RowStates.WAITS_FOR_OTHERS, "", "others")
                + " LIMIT " + most + ") waiting";
    }

    /**
     * {@return the table of jobs for a statement that uses {@link RowStates#along}, with a hint where one is needed; the state must be one
     * of waiting jobs}
     */
    public final String tableOf(JobState state) {
        return state.waitsForOthers() ? waitingTable() : readyTable();
    }

    /**
     * {@return a SELECT with a row for each queue, kind and priority that has claimable jobs: the queue, the kind, and whether the first
     * job is due ({@code due})} It begins after a bound queue ({@code ?}), in the order of the queues. It goes along the index of the claim
     * and reads one entry for each row.
     *
     * @param most maximum number of rows
     */
    public String readyPlaces(int most) {
        String next = "SELECT n.id FROM " + readyTable().replaceFirst("pawl_job", "pawl_job n") + " WHERE n."
                + RowStates.CLAIMABLE + " AND %s" + " ORDER BY n.queue, n.kind, n.priority, n.available_at LIMIT 1";
        return "WITH RECURSIVE place(id, many) AS (SELECT (" + next.formatted("n.queue > ?") + "), 1"
                + " UNION ALL SELECT " + nextPlace(next) + ", place.many + 1 FROM place JOIN "
                + jobsById().replaceFirst("pawl_job", "pawl_job j")
                + " ON j.id = place.id WHERE place.many < " + most + ")"
                + " SELECT j.queue, j.kind, j.available_at <= " + now() + " AS due FROM place JOIN "
                + jobsById().replaceFirst("pawl_job", "pawl_job j") + " ON j.id = place.id ORDER BY place.many";
    }

    /**
     * {@return an expression for the first entry of the next queue, kind and priority after those of {@code j}}
     *
     * @param next a SELECT of the first entry, with a place for its condition
     */
    protected String nextPlace(String next) {
        return "(" + next.formatted("(n.queue, n.kind, n.priority) > (j.queue, j.kind, j.priority)") + ")";
    }

    /**
     * {@return a SELECT of the first claimable job of each queue, kind and priority, due or not, in the columns queue, kind and
     * available_at} For each queue and kind, it reads one or two entries of the index for each priority, no matter how many jobs are
     * delayed. The names of the queues are bound first, then those of the kinds.
     *
     * @param queues number of queues, at least one
     * @param kinds number of kinds, at least one
     */
    public String firstClaimable(int queues, int kinds) {
        String place = " FROM " + readyTable().replaceFirst("pawl_job", "pawl_job n") + " WHERE n."
                + RowStates.CLAIMABLE + " AND n.queue = %1$s AND n.kind = %2$s AND n.priority %3$s"
                + " ORDER BY n.queue, n.kind, n.priority, n.available_at LIMIT 1";
        return "WITH RECURSIVE place (queue, kind, priority) AS (SELECT q.name, k.name, (SELECT n.priority"
                + place.formatted("q.name", "k.name", "IS NOT NULL") + ") FROM (" + names(queues) + ") q CROSS JOIN ("
                + names(kinds) + ") k UNION ALL SELECT place.queue, place.kind, (SELECT n.priority"
                + place.formatted("place.queue", "place.kind", "> place.priority")
                + ") FROM place WHERE place.priority IS NOT NULL)"
                + " SELECT place.queue, place.kind, (SELECT n.available_at"
                + place.formatted("place.queue", "place.kind", "= place.priority")
                + ") AS available_at FROM place WHERE place.priority IS NOT NULL";
    }

    private static String names(int count) {
        return "SELECT column1 AS name FROM (VALUES (CAST(? AS text))" + ", (CAST(? AS text))".repeat(count - 1)
                + ") AS names";
    }

    /** {@return the table of jobs, with a hint where one is needed to find them by their ids and read no others} */
    public String jobsById() {
        return "pawl_job";
    }

    /**
     * @param table of any feature
     * @param index of this table
     * @return the table, with a hint where one is needed to read a part of it in the order of this index, and no more of it
     */
    public String byIndex(String table, String index) {
        return table;
    }

    /** {@return whether blocked jobs with a later start have an index of their own} */
    public boolean indexesDelayed() {
        return true;
    }

    /** {@return a table, with a hint where one is needed to scan its ids, although an index fits other conditions} */
    public String alongIds(String table) {
        return table;
    }

    /** {@return the start of a DELETE of jobs by their ids, with the hint of {@link #jobsById}} */
    public String deleteJobsById() {
        return "DELETE FROM pawl_job";
    }

    /** {@return the start of a DELETE from a table by its ids, with the hint of {@link #alongIds}} */
    public String deleteAlongIds(String table) {
        return "DELETE FROM " + table;
    }

    /** {@return a moment as microseconds since 1970, a number, which is cheaper to read than a text} */
    public abstract String micros(String moment);

    /** {@return whether a job may become visible after a job with a greater id; false if only one transaction writes at a time} */
    public boolean mayCommitLate() {
        return true;
    }

    /** {@return whether a statement at READ UNCOMMITTED really sees uncommitted rows} */
    public boolean showsUncommitted() {
        return false;
    }

    /** {@return whether transactions above READ COMMITTED may fail because others commit; false if {@link #begin} lowers the level} */
    public boolean failsToSerialize() {
        return false;
    }

    /** {@return what follows a SELECT to lock its rows and skip those locked by others} */
    public abstract String skipLocked();

    /** {@return whether {@link #skipLocked} really skips rows that others have locked, or there are no such locks} */
    public boolean skipsLockedRows() {
        return true;
    }

    /** {@return what follows a SELECT to lock its rows, and to wait for rows that other transactions have locked} */
    public abstract String forUpdate();

    /** {@return what follows a SELECT to read what is committed, where a transaction may otherwise read an older snapshot} */
    public String currentRead() {
        return "";
    }
    /** {@return what follows a SELECT to lock its rows in shared mode: others may do the same, but not change them} */
    public abstract String forShare();

    /** {@return what follows a SELECT to lock its rows in shared mode, and to skip rows with other locks if {@link #skipsLockedRows}} */
    public abstract String shareSkipLocked();

    /**
     * {@return the test that {@code column} is one of {@code count} bound ids, see {@link #bindIds}}
     *
     * <p>The number of placeholders is rounded up so that few different statements are made.
     */
    public String anyOf(String column, int count) {
        return column + " IN (" + "?,".repeat(slots(count) - 1) + "?)";
    }

    /**
     * Binds ids for {@link #anyOf}; spare placeholders repeat the last one.
     *
     * @return the index of the next placeholder
     */
    public int bindIds(PreparedStatement statement, int index, List<Long> ids) throws SQLException {
        int slots = slots(ids.size());
        for (int i = 0; i < slots; i++) {
            statement.setLong(index + i, ids.get(Math.min(i, ids.size() - 1)));
        }
        return index + slots;
    }

    /**
     * A query for the distinct values of a column, in order. Where the database can, the query goes along an index from one value to the
     * next, and reads a few entries for each value, no matter how many rows have it.
     *
     * @param sql with one column, in order; binds the values of the condition, the value after which to begin, and, if
     * {@code again}, the
     * values of the condition again
     * @param again whether the values of the condition are bound twice
     */
    public record Steps(String sql, boolean again) {}

    /**
     * @param table with an index on the columns of the condition and then on the column
     * @param groups the columns of that index before the column, which the condition fixes to constants; empty if there are none
     * @param column whose values are read
     * @param condition on constants
     * @param most maximum number of values, 1 to 900: servers end a recursion after a thousand rounds
     * @return the query
     */
    public Steps steps(String table, String groups, String column, String condition, int most) {
        return new Steps("""
                WITH RECURSIVE step (%2$s, place) AS (
                    SELECT MIN(%2$s), 1 FROM %1$s WHERE %3$s AND %2$s > ?
                    UNION ALL
                    SELECT (SELECT MIN(n.%2$s) FROM %1$s n WHERE %3$s AND n.%2$s > step.%2$s), place + 1
                      FROM step WHERE step.%2$s IS NOT NULL AND place < %4$s)
                SELECT %2$s FROM step WHERE %2$s IS NOT NULL ORDER BY %2$s
                """.formatted(table, column, condition, most), true);
    }

    /**
     * {@return a query for the least value of a column}
     *
     * @param column the last of a suitable index, perhaps a partial one
     * @param from the table and the condition
     * @param groups for databases without partial indexes: the columns before {@code column} in an index over all rows
     */
    public String least(String column, String from, String groups) {
        return "SELECT MIN(" + column + ") FROM " + from;
    }

    /** {@return whether a statement may bind arrays, and read rows for each element} */
    public boolean takesLists() {
        return false;
    }

    /**
     * Called in a transaction whose commit need not wait for the disk: a crash of the server may lose the transaction, but only together
     * with all later ones.
     */
    public void mayBeLost(Connection connection) throws SQLException {}

    /**
     * {@return whether an error of one statement may roll back the whole transaction, so that the next statement begins another one}
     * PostgreSQL refuses all further statements instead.
     */
    public boolean losesTransactions() {
        return true;
    }

    /** {@return whether the database is in this process, so that many small statements cost less than a large one} */
    public boolean isInProcess() {
        return false;
    }

    /** {@return the number of placeholders for a number of ids} */
    protected static int slots(int count) {
        return count <= 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
    }

    /**
     * {@return the statement that inserts a row unless one with the same key exists: INSERT INTO, then {@code row}, and what makes the
     * database skip an existing row}
     *
     * @param row what follows INSERT INTO: the name of the table, its columns, and VALUES or a query
     */
    public String insertIfMissing(String row) {
        return "INSERT INTO " + row + " ON CONFLICT DO NOTHING";
    }

    /** {@return what an INSERT contains before VALUES if it supplies ids of a table that generates them} */
    public String ownIds() {
        return "";
    }

    /**
     * {@return the statement of {@link #insertIfMissing} for a transaction that goes on to lock the row}
     *
     * @param row what follows INSERT INTO: the name of the table, its columns, and VALUES or a query
     * @param column any of its columns that is not part of the key
     */
    public String insertIfMissingToLock(String row, String column) {
        return insertIfMissing(row);
    }

    /**
     * {@return whether a locking read that finds no row keeps other transactions from inserting rows with neighbouring keys, at the
     * isolation level that a caller's transaction may have} If so, a plain read should come first.
     */
    public boolean locksWhatIsMissing() {
        return false;
    }

    /**
     * Called before a text is sent that may be large. By default a statement may be as large as the texts that Pawl
     * accepts.
     *
     * @param connection to the server that will get it
     * @param text to be stored
     * @throws SQLException if the server does not accept it; judged as {@link Fault#REFUSED}
     */
    public void requireFits(Connection connection, String text) throws SQLException {}

    /**
     * Called after a rollback, perhaps of a transaction without any statement: removes what {@link #begin} has left
     * on the connection.
     */
    public void rolledBack(Connection connection) throws SQLException {}

    /**
     * {@return the lock that writers of this process take in turn before their transaction; by default one that is
     * always free, because the database allows concurrent writes}
     */
    public Lock writers() {
        return NoLock.INSTANCE;
    }

    /**
     * Runs statements, and has the database refuse those that write. By default, they run in one read-only transaction.
     *
     * @param connection of the pool, in autocommit mode before and after the call
     * @param work the statements
     * @param <T> the result
     * @return what {@code work} returns
     * @throws SQLException from the driver
     */
    public <T> T readOnly(Connection connection, SqlWork<T> work) throws SQLException {
        return ReadOnlyTransaction.run(beginReadOnly(), connection, work);
    }

    /** {@return the first statement of a read-only transaction, sent with autocommit off} */
    protected String beginReadOnly() {
        return "SET TRANSACTION READ ONLY";
    }

    /** {@return the settings that a session needs before our statements run; null for none} */
    public SessionSettings.@Nullable Repair repair(Connection connection) throws SQLException {
        return null;
    }

    /** Turns autocommit off, and does what {@link #begin} does. */
    public void open(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        begin(connection);
    }

    /** Commits the transaction of {@link #open}. May also turn autocommit on; otherwise the caller does that. */
    public void commitOpened(Connection connection) throws SQLException {
        connection.commit();
    }

    /** Called at the start of every writing transaction. */
    public void begin(Connection connection) throws SQLException {}

    /**
     * Called first in a transaction that waits for a lock and must then see what was committed during the wait, at any isolation level. By
     * default it does nothing, because {@link #begin} ensures that, or writers take turns.
     */
    public void seeLatest(Connection connection) throws SQLException {}
}
