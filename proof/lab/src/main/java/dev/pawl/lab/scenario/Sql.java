package dev.pawl.lab.scenario;

import dev.pawl.internal.jdbc.Fault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Shorthands for JDBC. */
final class Sql {
    private Sql() {}

    static int execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    static void execute(DataSource pool, String... statements) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            for (String sql : statements) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                }
            }
        }
    }

    static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            return statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /** Returns the first column of all rows. */
    static List<Long> longs(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                List<Long> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(rows.getLong(1));
                }
                return found;
            }
        }
    }

    static long count(DataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return longs(connection, sql).get(0);
        }
    }

    static void insert(DataSource pool, String sql, int rows) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            connection.setAutoCommit(false);
            for (int i = 1; i <= rows; i++) {
                statement.setInt(1, i);
                statement.addBatch();
            }
            statement.executeBatch();
            connection.commit();
        }
    }

    /** Returns the fault if it is caused by another transaction's lock; otherwise rethrows the exception. */
    static Fault contention(SQLException e) throws SQLException {
        Fault fault = Fault.of(e);
        if (!fault.isContention()) {
            throw e;
        }
        return fault;
    }
}
