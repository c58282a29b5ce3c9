package dev.pawl.internal.database.mysql;

import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Recognizes clusters whose nodes all take writes, by what the server tells every user. */
final class WritableCluster {
    private static final String GALERA = "SHOW GLOBAL STATUS LIKE 'wsrep_cluster_size'";
    private static final String GROUP = "SHOW GLOBAL VARIABLES LIKE 'group_replication_single_primary_mode'";
    private static final String MEMBERS =
            "SELECT '', COUNT(*) FROM performance_schema.replication_group_members WHERE member_state = 'ONLINE'";

    /** Every user may read these variables. A server without Galera or Group Replication does not have them. */
    private static final String NODE =
            "SHOW GLOBAL VARIABLES WHERE variable_name IN ('wsrep_on', 'group_replication_single_primary_mode')";

    private WritableCluster() {}

    /** {@return whether the server says that it is a node of such a cluster} */
    static boolean isNode(Connection connection, Dialect dialect) throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, NODE);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                if (rows.getString(2).equals(rows.getString(1).equalsIgnoreCase("wsrep_on") ? "ON" : "OFF")) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * What the server says.
     *
     * @param text the kind and size, and how they are known
     * @param nodes the size; null if unknown
     */
    record Seen(String text, @Nullable Integer nodes) {}

    /** {@return the kind and size of the server's cluster; null if the server is not part of one} */
    static @Nullable Seen of(Connection connection, Dialect dialect) throws SQLException {
        String galera = value(connection, dialect, GALERA);
        if (galera != null && Integer.parseInt(galera) > 1) {
            return new Seen("Galera with " + galera + " nodes (wsrep_cluster_size)", Integer.valueOf(galera));
        }
        if (!"OFF".equals(value(connection, dialect, GROUP))) {
            return null;
        }
        String members = members(connection, dialect);
        return "0".equals(members)
                ? null
                : new Seen(
                        "Group Replication" + (members == null ? "" : " with " + members + " members")
                                + " that all take writes (group_replication_single_primary_mode is off)",
                        members == null ? null : Integer.valueOf(members));
    }

    /** Null if the user may not read {@code replication_group_members}, as is the case for most users. */
    private static @Nullable String members(Connection connection, Dialect dialect) {
        try {
            return value(connection, dialect, MEMBERS);
        } catch (SQLException e) {
            return null;
        }
    }

    private static @Nullable String value(Connection connection, Dialect dialect, String sql) throws SQLException {
        try (PreparedStatement statement = dialect.planned(connection, sql);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getString(2) : null;
        }
    }
}
