package dev.pawl.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.servers.Durability;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two task tables from the study's sources. The tests run the statements that the sources print, and show how they fail. */
class SourceTablesTest {
    private static final String CLAIM = """
            UPDATE task_queue SET status = 'processing', locked_at = NOW(), attempts = attempts + 1
             WHERE id IN (SELECT id FROM task_queue WHERE %s ORDER BY id LIMIT 5 FOR UPDATE SKIP LOCKED) RETURNING id""";
    private static final String PRINTED =
            "status = 'pending' AND (locked_at IS NULL OR locked_at < NOW() - INTERVAL '5 minutes')";
    private static final String RIGHT =
            "status = 'pending' OR (status = 'processing' AND locked_at < NOW() - INTERVAL '5 minutes')";

    /** A manager acquires a lock by writing the time, if the time that it has read is unchanged. Two managers read, then both write. */
    @ParameterizedTest
    @CsvSource({"DATETIME, 1", "DATETIME(6), 0"})
    void aLockByATimeOfSecondsIsTakenTwice(String type, int secondLock) throws Exception {
        try (TestDatabase database = TestServers.mariaDb(Durability.DISK).createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                Connection first = pool.getConnection();
                Connection second = pool.getConnection()) {
            execute(first, "CREATE TABLE task (id INT PRIMARY KEY, status VARCHAR(20), last_updated " + type + ")");
            execute(first, "INSERT INTO task VALUES (1, 'queued', '2026-01-01 00:00:00')");
            String lock = "UPDATE task SET status = 'executing', last_updated = NOW(6) WHERE id = 1"
                    + " AND last_updated = '2026-01-01 00:00:00'";
            execute(first, "SET timestamp = UNIX_TIMESTAMP('2026-01-01 00:00:00.1')");
            execute(second, "SET timestamp = UNIX_TIMESTAMP('2026-01-01 00:00:00.4')");
            assertThat(execute(first, lock)).isEqualTo(1);
            assertThat(execute(second, lock))
                    .as("rows that the second manager has locked")
                    .isEqualTo(secondLock);
        }
    }

    @Test
    void thePrintedSafetyNetNeverFiresAndAPoisonTaskIsNeverCounted() throws Exception {
        try (TestDatabase database = TestServers.postgres(Durability.DISK).createDatabase();
                HikariDataSource pool = database.newDataSource(1);
                Connection connection = pool.getConnection()) {
            execute(
                    connection,
                    "CREATE TABLE task_queue (id serial PRIMARY KEY, status varchar(20) DEFAULT 'pending',"
                            + " locked_at timestamp, attempts int DEFAULT 0)");
            execute(
                    connection,
                    "INSERT INTO task_queue (status, locked_at) VALUES ('processing', NOW() - INTERVAL '1 day')");
            assertThat(claim(connection, PRINTED)).isEmpty();
            assertThat(claim(connection, RIGHT)).containsExactly(1L);

            execute(connection, "INSERT INTO task_queue DEFAULT VALUES");
            connection.setAutoCommit(false);
            for (int death = 0; death < 10; death++) {
                assertThat(claim(connection, PRINTED)).containsExactly(2L);
                connection.rollback(); // its worker dies in the transaction that claims, works and completes
            }
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT attempts FROM task_queue WHERE id = 2")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getInt(1)).as("attempts after ten deaths").isZero();
            }
        }
    }

    private static int execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private static List<Long> claim(Connection connection, String which) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(CLAIM.formatted(which))) {
            List<Long> claimed = new ArrayList<>();
            while (rows.next()) {
                claimed.add(rows.getLong(1));
            }
            return claimed;
        }
    }
}
