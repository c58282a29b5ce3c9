package dev.pawl.lab.contender;

import dev.pawl.internal.jdbc.Fault;
import dev.pawl.lab.database.Scratch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The study's protocol: a table with a row for every execution, in the order in which the executions began. Each row is committed
 * separately. Thread-safe.
 */
public final class Protocol {
    private final DataSource pool;
    private String dialect = "";

    /**
     * @param pool of the trial's database
     */
    public Protocol(DataSource pool) {
        this.pool = pool;
    }

    /** Creates the table. */
    public void create(Scratch scratch) throws SQLException {
        dialect = scratch.dialect();
        String clock = switch (dialect) {
            case "postgresql" -> "timestamptz NOT NULL DEFAULT clock_timestamp()";
            case "mysql" -> "datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)";
            default -> "text NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now'))";
        };
        String id = switch (scratch.dialect()) {
            case "postgresql" -> "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
            case "mysql" -> "bigint NOT NULL AUTO_INCREMENT PRIMARY KEY";
            default -> "integer PRIMARY KEY AUTOINCREMENT";
        };
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE lab_protocol (id " + id + ", at " + clock
                    + ", worker varchar(100) NOT NULL, job int NOT NULL)");
        }
    }

    /** Records an execution of a job; retries if the database is busy, because a missing row would be a false result. */
    public void write(int job) throws SQLException {
        while (true) {
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement =
                            connection.prepareStatement("INSERT INTO lab_protocol (worker, job) VALUES (?, ?)")) {
                statement.setString(
                        1,
                        ProcessHandle.current().pid() + "/"
                                + Thread.currentThread().getName());
                statement.setInt(2, job);
                statement.executeUpdate();
                return;
            } catch (SQLException e) {
                if (!Fault.of(e).isContention()) {
                    throw e;
                }
            }
        }
    }

    /** {@return the time since the first execution, by the database's clock, in seconds; null if there was none} */
    public @Nullable Double secondsSinceFirst() throws SQLException {
        String since = switch (dialect) {
            case "postgresql" -> "EXTRACT(epoch FROM clock_timestamp() - MIN(at))";
            case "mysql" -> "TIMESTAMPDIFF(MICROSECOND, MIN(at), CURRENT_TIMESTAMP(6)) / 1000000.0";
            default -> "(julianday('now') - julianday(MIN(at))) * 86400.0";
        };
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT " + since + " FROM lab_protocol")) {
            row.next();
            double seconds = row.getDouble(1);
            return row.wasNull() ? null : Double.valueOf(seconds);
        }
    }

    /** {@return the jobs in the order of their executions} */
    public List<Long> read() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT job FROM lab_protocol ORDER BY id")) {
            List<Long> jobs = new ArrayList<>();
            while (rows.next()) {
                jobs.add(rows.getLong(1));
            }
            return jobs;
        }
    }
}
