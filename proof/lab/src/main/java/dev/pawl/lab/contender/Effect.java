package dev.pawl.lab.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** What a job does in a transaction: it inserts one row, and a marker as well in queues where nothing else shows that the job has run. */
final class Effect {
    private Effect() {}

    static void create(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE lab_effect (job bigint NOT NULL PRIMARY KEY, amount bigint NOT NULL)");
            statement.execute("CREATE TABLE lab_marker (lane int NOT NULL, job bigint NOT NULL, token bigint NOT NULL,"
                    + " PRIMARY KEY (lane, job))");
        }
    }

    /** Inserts the row, in the transaction of the connection. */
    static void insert(Connection connection, int job) throws SQLException {
        insert(connection, "INSERT INTO lab_effect (job, amount) VALUES (?, 1)", job);
    }

    /** Inserts the row with a marker, in the transaction of the connection. A second run would fail because the marker exists. */
    static void insertOnce(Connection connection, int job) throws SQLException {
        insert(connection, "INSERT INTO lab_marker (lane, job, token) VALUES (1, ?, 1)", job);
        insert(connection, job);
    }

    /** The same in a transaction of its own. */
    static void insertOnce(DataSource pool, int job) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            insertOnce(connection, job);
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private static void insert(Connection connection, String sql, int job) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, job);
            statement.executeUpdate();
        }
    }
}
