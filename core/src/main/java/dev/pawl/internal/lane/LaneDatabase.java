package dev.pawl.internal.lane;

import dev.pawl.internal.jdbc.ClaimTurn;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * What differs between database products for lanes. An implementation is named in
 * {@code META-INF/services/dev.pawl.internal.lane.LaneDatabase} and has a constructor without parameters. Thread-safe.
 */
public interface LaneDatabase {
    /** The node of a server that is not part of a cluster whose nodes all take writes. */
    String ONE_SERVER = "0";

    /** {@return the {@link Dialect#product} of the databases} */
    String product();

    /** {@return the statements that append jobs} */
    LaneWriter writer(Dialect dialect);

    /** {@return a faster claim; null for the common one} */
    default @Nullable OneStatementClaim claim(Dialect dialect) {
        return null;
    }

    /** {@return how claims that need two statements take turns; null if they need not, or cannot} */
    default @Nullable ClaimTurn turn(Dialect dialect) {
        return null;
    }

    /**
     * {@return the condition for the jobs of one lane beyond an id; see {@link #bindAfter}} It is written so that the database reads one
     * range of the primary key, even if the table's statistics are wrong.
     *
     * @param position an expression for that id
     */
    default String after(String position) {
        return "lane = ? AND id > " + position;
    }

    /** Binds the placeholder of an expression. */
    @FunctionalInterface
    interface Bind {
        /**
         * @param index of its one placeholder
         * @param statement to bind it in
         * @throws SQLException from the driver
         */
        void at(int index, PreparedStatement statement) throws SQLException;
    }

    /**
     * Binds the placeholders of {@link #after}.
     *
     * @param position binds the placeholder of the expression
     * @return the index of the next placeholder
     */
    default int bindAfter(PreparedStatement statement, int index, int lane, Bind position) throws SQLException {
        statement.setInt(index, lane);
        position.at(index + 1, statement);
        return index + 2;
    }

    /** {@return what follows LIMIT to bind the number of rows (a placeholder {@code ?}), for reading a lane in order} */
    default String limit() {
        return "?";
    }

    /** {@return what follows LIMIT for a constant number of rows} */
    default String limit(int most) {
        return Integer.toString(most);
    }

    /**
     * {@return an expression for the number of jobs in a range {@code r}} It may stop counting at two thousand jobs.
     */
    default String countOfRange() {
        return "(SELECT COUNT(*) FROM pawl_lane_job l WHERE l.lane = r.lane AND l.id > r.starts_after AND l.id <= r.last_id)";
    }

    /**
     * {@return a query for the open transactions that may write to lanes; null if the database cannot tell} Each row has the current time
     * in microseconds, the transaction, 1 if it is prepared and else 0, and the {@link #server}. There is at least one row.
     */
    default @Nullable String openWriters(Dialect dialect) {
        return null;
    }

    /**
     * {@return an expression for a number that identifies the answering server; null if {@link #openWriters} is null} The number differs
     * between the servers of a cluster, and changes when a server restarts. It is 0 for a replica.
     */
    default @Nullable String server(Dialect dialect) {
        return null;
    }

    /** {@return the condition that the bit of a job is not set in these bits, which may be NULL; see {@link #bindClear}} */
    String isClear(String bits);

    /**
     * Binds the placeholders of {@link #isClear}.
     *
     * @param place of the job in its range
     */
    void bindClear(PreparedStatement statement, int index, int place) throws SQLException;

    /** Inserts rows, and returns how many. */
    @FunctionalInterface
    interface Insert {
        /** {@return how many rows were inserted} */
        int run() throws SQLException;
    }

    /**
     * Inserts keys of {@code pawl_lane_fence}. An open transaction with one of these keys causes a lock timeout, after which the caller
     * rolls back to a savepoint. The default is for databases where one transaction writes at a time, so that no other open transaction has
     * a key.
     *
     * @param lockTimeout how long to wait for an open transaction with one of the keys, unless it can be found without waiting
     * @return the result of {@code insert}
     */
    default int insertFences(
            Connection connection, Dialect dialect, List<Long> ids, Duration lockTimeout, Insert insert)
            throws SQLException {
        return insert.run();
    }

    /**
     * {@return an expression for the node on which the session draws ids, if the server {@link #isNode}; {@link #ONE_SERVER} for a product
     * without clusters whose nodes all take writes}
     */
    default String node() {
        return ONE_SERVER;
    }

    /**
     * {@return whether the server says that it is a node of a cluster whose nodes all take writes} Called only if the value of {@link
     * #idStep} is above 1, as on such a cluster.
     */
    default boolean isNode(Connection connection, Dialect dialect) throws SQLException {
        return false;
    }

    /** {@return an expression for the difference between consecutive ids of a session} */
    default String idStep() {
        return "1";
    }

    /**
     * A cluster whose nodes all take writes.
     *
     * @param text its kind and size, and how they are known
     * @param nodes its size; null if unknown
     */
    record Cluster(String text, @Nullable Integer nodes) {}

    /** {@return the cluster, if the server is part of one whose nodes all take writes; else null} */
    default @Nullable Cluster cluster(Connection connection, Dialect dialect) throws SQLException {
        return null;
    }

    /**
     * Waits until the session sees what other nodes have committed. The wait has no time limit, because the commit of a claim would wait
     * equally long: a node applies all commits in one order.
     *
     * @return whether the server can do that
     */
    default boolean seeOtherNodes(Connection connection) throws SQLException {
        return false;
    }

    /** {@return whether a server of this product may be a node of a cluster whose nodes all take writes} */
    default boolean mayHaveNodes() {
        return !node().equals(ONE_SERVER);
    }

    /** {@return whether the id of a job with a row of its own is drawn by inserting a row into lane 0, which serves no other purpose} */
    default boolean drawsIds() {
        return false;
    }

    /**
     * @param dialect of the database
     * @return the implementation for its product
     * @throws IllegalStateException if the service file does not name one
     */
    static LaneDatabase of(Dialect dialect) {
        LaneDatabase found = Installed.BY_PRODUCT.get(dialect.product());
        if (found == null) {
            throw new IllegalStateException("META-INF/services/" + LaneDatabase.class.getName()
                    + " of Pawl is missing or names nothing for " + dialect.product()
                    + ": the program was repackaged without it. Let the packaging tool keep and merge service files");
        }
        return found;
    }

    /** Loaded once, with the library's own class loader. */
    final class Installed {
        private static final Map<String, LaneDatabase> BY_PRODUCT = new HashMap<>();

        static {
            ServiceLoader.load(LaneDatabase.class, LaneDatabase.class.getClassLoader())
                    .forEach(each -> BY_PRODUCT.put(each.product(), each));
        }

        private Installed() {}
    }
}
