package dev.pawl.internal.database.mysql;

import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.enqueue.JobColumns;
import dev.pawl.internal.jdbc.ClaimTurn;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Restore;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.lane.LaneDatabase;
import dev.pawl.internal.lane.LaneWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lanes on MySQL and MariaDB. The table of the jobs in lanes generates the ids of all jobs. */
public final class MySqlLanes implements LaneDatabase {
    private static final int IDS_A_QUERY = 100;

    private static final String CAUSAL = "SET STATEMENT wsrep_sync_wait = 1 FOR SELECT 1";

    @Override
    public String product() {
        return "mysql";
    }

    @Override
    public boolean drawsIds() {
        return true;
    }

    /**
     * Galera, and Group Replication in multi-primary mode, give each node an offset of its own, and a step above 1, so that the nodes draw
     * different ids. They change both values in open sessions, too.
     */
    @Override
    public String node() {
        return "@@auto_increment_offset";
    }

    /** A step above 1 does not prove a cluster, because users also set it for replication in both directions. */
    @Override
    public boolean isNode(Connection connection, Dialect dialect) throws SQLException {
        return WritableCluster.isNode(connection, dialect);
    }

    @Override
    public String idStep() {
        return "@@auto_increment_increment";
    }

    @Override
    public @Nullable Cluster cluster(Connection connection, Dialect dialect) throws SQLException {
        WritableCluster.Seen seen = WritableCluster.of(connection, dialect);
        return seen == null ? null : new Cluster(seen.text(), seen.nodes());
    }

    /** Only MariaDB with Galera can do this; its nodes may be some hundred milliseconds behind each other when they are busy. */
    @Override
    public boolean seeOtherNodes(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CAUSAL)) {
            statement.execute();
            return true;
        } catch (SQLException e) {
            if (Fault.of(e) != Fault.OTHER) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public LaneWriter writer(Dialect dialect) {
        return new Writer(dialect);
    }

    @Override
    public ClaimTurn turn(Dialect dialect) {
        return new MySqlClaimTurn(dialect);
    }

    @Override
    public String isClear(String bits) {
        return "COALESCE(ASCII(SUBSTRING(" + bits + ", ?, 1)), 0) & ? = 0";
    }

    @Override
    public void bindClear(PreparedStatement statement, int index, int place) throws SQLException {
        statement.setInt(index, place / Byte.SIZE + 1);
        statement.setInt(index + 1, 1 << place % Byte.SIZE);
    }

    /**
     * Also finds keys that are not committed. The join looks up each key by itself. With a list of keys, the server would also lock the key
     * that follows a missing key, which another transaction may have locked.
     */
    @Override
    public int insertFences(Connection connection, Dialect dialect, List<Long> ids, Duration lockTimeout, Insert insert)
            throws SQLException {
        for (int from = 0; from < ids.size(); from += IDS_A_QUERY) {
            List<Long> some = ids.subList(from, Math.min(ids.size(), from + IDS_A_QUERY));
            Sql sql =
                    dialect.statement("SELECT f.id FROM (SELECT ? AS id" + " UNION ALL SELECT ?".repeat(some.size() - 1)
                            + ") wanted STRAIGHT_JOIN pawl_lane_fence f ON f.id = wanted.id FOR UPDATE NOWAIT");
            List<Long> unused = sql.on(connection, some.toArray()).longs();
        }
        return briefly(connection, insert);
    }

    /** Waits for a key that was inserted after the lookup, but for no more than a second. The session's own limit is 50 s by default. */
    private static int briefly(Connection connection, Insert insert) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "SET @pawl_lock_wait = @@SESSION.innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1");
            Restore.Step restore = // a rollback does not restore it
                    () -> statement.execute("SET SESSION innodb_lock_wait_timeout = @pawl_lock_wait");
            try {
                int inserted = insert.run();
                restore.run();
                return inserted;
            } catch (Throwable failure) { // drivers may throw any Throwable
                SQLException lost = Restore.after(failure, connection, restore);
                if (lost != null && failure instanceof SQLException) {
                    throw lost;
                }
                throw failure;
            }
        }
    }

    /** One INSERT of many rows. */
    private record Writer(Dialect dialect) implements LaneWriter {
        private static final String ROW = "(?, UTC_TIMESTAMP(6), ?, ?, ?, ?, ?%s)";

        @Override
        public List<Long> append(Connection connection, int lane, List<JobRequest> jobs) throws SQLException {
            if (!MySqlPackets.fit(connection, jobs)) {
                List<Long> ids = new ArrayList<>(append(connection, lane, jobs.subList(0, jobs.size() / 2)));
                ids.addAll(append(connection, lane, jobs.subList(jobs.size() / 2, jobs.size())));
                return ids;
            }
            boolean more = JobColumns.any(jobs);
            try (PreparedStatement statement = JobIds.prepared(connection, sql(jobs, more), jobs.size())) {
                int index = 1;
                for (JobRequest job : jobs) {
                    statement.setInt(index++, lane);
                    statement.setInt(index++, job.options().maxAttempts());
                    statement.setString(index++, job.kind());
                    statement.setString(index++, JsonStrings.tags(job.options().tags()));
                    statement.setString(
                            index++, JsonStrings.headers(job.options().headers()));
                    statement.setString(index++, job.payload());
                    if (more) {
                        index = JobColumns.bindShared(statement, index, job.options());
                        index = JobColumns.bindExpiry(dialect, statement, index, job.options());
                    }
                }
                statement.executeUpdate();
                return JobIds.ids(connection, statement, jobs.size());
            }
        }

        private String sql(List<JobRequest> jobs, boolean more) {
            String into = "INSERT INTO pawl_lane_job (lane, created_at, max_attempts, kind, tags, headers, payload"
                    + (more ? JobColumns.SHARED : "") + ") VALUES ";
            return dialect.sql(jobs.stream()
                    .map(job -> ROW.formatted(more ? ", ?, ?, " + JobColumns.expiry(dialect, job.options()) : ""))
                    .collect(Collectors.joining(", ", into, "")));
        }
    }
}
