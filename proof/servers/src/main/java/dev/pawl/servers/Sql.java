package dev.pawl.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Statements for the servers, each on its own connection. */
public final class Sql {
    /** MySQL's error code if the session to end no longer exists. */
    private static final int NO_SUCH_THREAD = 1094;

    private Sql() {}

    static String version(String server, String url) {
        try (Connection connection = DriverManager.getConnection(url)) {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new ServerException(server + " does not tell its version: " + e.getMessage(), e);
        }
    }

    /**
     * @param server its name, for errors
     * @throws ServerException if it is refused
     */
    public static void execute(String server, String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw refused(server, sql, e);
        }
    }

    /**
     * {@return the first column of the only row}
     *
     * @param server its name, for errors
     */
    public static long longOf(String server, String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw refused(server, sql, e);
        }
    }

    /** Drops a database. Ends its sessions first, because an open transaction would delay the drop for up to a day. */
    static void dropMySqlDatabase(String server, String url, String database) {
        String drop = "DROP DATABASE IF EXISTS " + database;
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            try (ResultSet session = statement.executeQuery("SHOW PROCESSLIST")) {
                while (session.next()) {
                    if (database.equals(session.getString("db"))) {
                        endSession(connection, session.getLong("Id"));
                    }
                }
            }
            statement.execute(drop);
        } catch (SQLException e) {
            throw refused(server, drop, e);
        }
    }

    private static void endSession(Connection connection, long id) throws SQLException {
        try (PreparedStatement kill = connection.prepareStatement("KILL ?")) {
            kill.setLong(1, id);
            kill.execute();
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_THREAD) {
                throw e;
            }
        }
    }

    private static ServerException refused(String server, String sql, SQLException cause) {
        return new ServerException(server + " refuses '" + sql + "': " + cause.getMessage(), cause);
    }
}
