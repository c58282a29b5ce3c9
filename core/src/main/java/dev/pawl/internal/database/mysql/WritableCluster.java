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

    private WritableCluster() {}

    /** {@return its kind and size, and how that is known; null if the server is not part of one} */
    static @Nullable String of(Connection connection, Dialect dialect) throws SQLException {
        String galera = value(connection, dialect, GALERA);
        if (galera != null && Integer.parseInt(galera) > 1) {
            return "Galera with " + galera + " nodes (wsrep_cluster_size)";
        }
        if (!"OFF".equals(value(connection, dialect, GROUP))) {
            return null;
        }
        String members = members(connection, dialect);
        return "0".equals(members)
                ? null
                : "Group Replication" + (members == null ? "" : " with " + members + " members")
                        + " that all take writes (group_replication_single_primary_mode is off)";
    }

    /** Few users may read that table. */
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
