package dev.pawl.internal.admin;

import dev.pawl.api.SchemaException;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.words.ShardIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/**
 * Sets the counter of ids to the range of a shard. The counter shows which shard a database is. Once a queue has been opened, the counter
 * is therefore never zero, not even for shard 0, because zero would fit any shard.
 */
public final class IdRange {
    private final Dialect dialect;
    private final TableCare tables;
    private final int shard;

    /**
     * @param dialect the product
     * @param tables reads and sets the counter
     * @param shard its number
     */
    public IdRange(Dialect dialect, TableCare tables, int shard) {
        this.dialect = dialect;
        this.tables = tables;
        this.shard = shard;
    }

    /**
     * Checks the counter. Changes nothing.
     *
     * @param connection to read on
     * @return false if no id was assigned yet; then the caller must call {@link #begin}
     * @throws SchemaException if it counts the ids of another shard
     * @throws SQLException from the driver
     */
    public boolean isCounted(Connection connection) throws SQLException {
        OptionalLong counter = tables.lastId(connection, dialect);
        if (counter.isEmpty()) {
            throw new SchemaException("this user may not see the counter of ids of the tables " + dialect.prefix()
                    + "*, so whether they are shard " + shard + " is unknown: grant it what an enqueue needs");
        }
        long last = counter.getAsLong();
        if (last != 0) {
            requireOurs(last);
        }
        return last != 0;
    }

    /**
     * Sets the counter of a database that has assigned no id yet.
     *
     * @param connection with the tables locked, so that no other program gets ids at the same time
     * @throws SchemaException if the counter belongs to another shard, if there are jobs although no id was assigned, or if this user may
     *     not set the counter
     * @throws SQLException from the driver
     */
    public void begin(Connection connection) throws SQLException {
        if (isCounted(connection)) {
            return;
        }
        try {
            requireNoJobs(connection);
            for (String sql : tables.begin(ShardIds.before(shard), ShardIds.firstAutoIncrementId(shard))) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(dialect.sql(sql));
                }
            }
        } catch (SQLException e) {
            if (Fault.of(e) != Fault.OTHER) {
                throw e;
            }
            throw new SchemaException(
                    "the tables " + dialect.prefix() + "* have no ids yet, and this user cannot begin those of shard "
                            + shard + ": open the queue once as the owner of the tables, with the same number ("
                            + e.getMessage() + ")",
                    e);
        }
        if (!isCounted(connection)) {
            throw new SchemaException("the counter of ids of the tables " + dialect.prefix() + "* could not be set to"
                    + " those of shard " + shard);
        }
    }

    private void requireNoJobs(Connection connection) throws SQLException {
        long there = IdCounter.greatest(connection, dialect, Long.MAX_VALUE);
        if (there != 0) {
            requireOurs(there);
        }
        long counted = IdCounter.greatest(connection, dialect, ShardIds.firstAutoIncrementId(shard));
        if (counted != 0) {
            throw new SchemaException(
                    "the tables " + dialect.prefix() + "* have a job " + counted + ", but their counter"
                            + " of ids has counted none, as after a dump that was restored without it: let the owner of the"
                            + " tables run " + dialect.sql(tables.continueIdsAfter(counted)));
        }
    }

    private void requireOurs(long id) {
        if (ShardIds.shardOf(id) != shard) {
            throw new SchemaException("the jobs of the tables " + dialect.prefix() + "* have the ids of shard "
                    + ShardIds.shardOf(id) + ", the last one " + id + ", so this is not shard " + shard
                    + ": name the databases in the same order as before, and new ones last, without jobs");
        }
    }
}
