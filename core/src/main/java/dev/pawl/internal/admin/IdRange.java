package dev.pawl.internal.admin;

import dev.pawl.api.SchemaException;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.words.ShardIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/** Makes the counter of ids count those of a shard. */
public final class IdRange {
    private IdRange() {}

    /**
     * Sets the counter of a database that has counted none yet; checks that of any other.
     *
     * @param connection alone at the tables, so that no other program has drawn ids between the two
     * @param dialect the product
     * @param tables its counter
     * @param shard its number
     * @throws SchemaException if it counts the ids of another shard
     * @throws SQLException from the driver
     */
    public static void require(Connection connection, Dialect dialect, TableCare tables, int shard)
            throws SQLException {
        OptionalLong counter = tables.lastId(connection, dialect);
        if (counter.isEmpty()) {
            throw new SchemaException("this user may not see the counter of ids of the tables " + dialect.prefix()
                    + "*, so whether they are shard " + shard + " is unknown: grant it what an enqueue needs");
        }
        long last = counter.getAsLong();
        if (last == 0 && shard > 0) {
            for (String sql : tables.begin(ShardIds.before(shard), ShardIds.byHandFrom(shard))) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(dialect.sql(sql));
                }
            }
        } else if (ShardIds.shardOf(last) != shard) {
            throw new SchemaException("the jobs of the tables " + dialect.prefix() + "* have the ids of shard "
                    + ShardIds.shardOf(last) + ", the last one " + last + ", so this is not shard " + shard
                    + ": name the databases in the same order as before, and new ones last, without jobs");
        }
    }
}
