package dev.pawl.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/**
 * A SQLite database in this process's memory, shared by all connections through SQLite's {@code memdb}, whose locks are like those of a
 * file. SQLite's shared cache is not used, because its table locks fail at once instead of waiting. The database exists while a connection
 * is open.
 */
final class InMemorySqlite implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;

    private final SQLiteDataSource dataSource = new SQLiteDataSource();
    private final Connection keeper;

    private InMemorySqlite() throws SQLException {
        dataSource.setUrl("jdbc:sqlite:file:/pawl-" + UUID.randomUUID() + "?vfs=memdb");
        dataSource.getConfig().setBusyTimeout(PATIENCE_MILLIS);
        keeper = dataSource.getConnection();
    }

    /**
     * @return a new, empty database
     * @throws IllegalStateException if the driver is missing
     */
    static InMemorySqlite open() throws SQLException {
        try {
            return new InMemorySqlite();
        } catch (NoClassDefFoundError missing) {
            throw new IllegalStateException("""
                    a queue in memory needs SQLite's driver, which is not on the class path. Add to the dependencies of the pom.xml:
                      <dependency><groupId>org.xerial</groupId><artifactId>sqlite-jdbc</artifactId>
                        <version>3.54.1.0</version><scope>test</scope></dependency>
                    or to those of build.gradle:
                      testRuntimeOnly("org.xerial:sqlite-jdbc:3.54.1.0")""", missing);
        }
    }

    DataSource dataSource() {
        return dataSource;
    }

    @Override
    public void close() throws SQLException {
        keeper.close();
    }
}
