package dev.pawl.cli;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which database, and the pool to it. */
final class DatabaseOptions {
    private static final String SQLITE = "jdbc:sqlite:";

    @Option(
            names = "--db",
            paramLabel = "URL",
            description = {
                "JDBC URL of PostgreSQL, MySQL, MariaDB or SQLite, with user and password in it.",
                "Default: the environment's PAWL_DB, else jdbc:sqlite:pawl.db."
            })
    private @Nullable String url;

    @Option(
            names = "--table-prefix",
            paramLabel = "PREFIX",
            defaultValue = "pawl_",
            description = "Start of the names of the tables. Default: ${DEFAULT-VALUE}")
    private String prefix = "pawl_";

    String url() {
        String environment = System.getenv("PAWL_DB");
        String chosen = url != null ? url : environment;
        return chosen == null || chosen.isBlank() ? SQLITE + "pawl.db" : chosen;
    }

    /** The URL without what may be secret. */
    String shownUrl() {
        return url().replaceAll("\\?.*", "").replaceAll("//[^/@]*@", "//");
    }

    /** A queue and its pool, closed together. */
    record Session(HikariDataSource pool, JobQueue queue, String shownUrl) implements AutoCloseable {
        @Override
        public void close() {
            queue.close();
            pool.close();
        }
    }

    /** For commands that write: makes the tables if they are missing. */
    Session open(int connections) {
        return open(connections, true);
    }

    /** For commands that look or operate: what is not there is an error, and nothing is made. */
    Session openExisting() {
        String file =
                url().startsWith(SQLITE) ? url().substring(SQLITE.length()).replaceAll("\\?.*", "") : null;
        if (file != null && !file.startsWith(":") && !file.startsWith("file:") && !Files.exists(Path.of(file))) {
            throw new UsageException("there is no file " + file
                    + ": name your database with --db or PAWL_DB, or make this one with 'pawl migrate'");
        }
        return open(2, false);
    }

    private Session open(int connections, boolean migrate) {
        HikariDataSource pool = pool(connections);
        try {
            JobQueue queue =
                    JobQueue.builder(pool).tablePrefix(prefix).migrate(migrate).open();
            return new Session(pool, queue, shownUrl());
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    HikariDataSource pool(int connections) {
        requireReachable();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url());
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(0);
        config.setPoolName("pawl");
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    String prefix() {
        return prefix;
    }

    /** One plain connection first: its error says more, and sooner, than a pool's time-out. */
    private void requireReachable() {
        if (!url().startsWith("jdbc:")) {
            throw new UsageException("'" + shownUrl() + "' is not a JDBC URL: write, for example,"
                    + " jdbc:postgresql://localhost/app?user=app or jdbc:sqlite:pawl.db");
        }
        try {
            DriverManager.getDriver(url());
        } catch (SQLException e) {
            throw new UsageException("there is no driver for " + shownUrl()
                    + ": use a URL that starts with jdbc:postgresql:, jdbc:mysql:, jdbc:mariadb: or jdbc:sqlite:");
        }
        DriverManager.setLoginTimeout(10);
        try {
            DriverManager.getConnection(url()).close();
        } catch (SQLException e) {
            throw new CannotConnect(shownUrl(), e);
        }
    }

    /** The database does not let us in. */
    static final class CannotConnect extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CannotConnect(String shownUrl, SQLException cause) {
            super(
                    "cannot connect to " + shownUrl + ": " + firstLine(cause)
                            + " (is the server running, and are host, database, user and password right?)",
                    cause);
        }

        private static String firstLine(SQLException cause) {
            return Objects.requireNonNullElse(cause.getMessage(), cause.toString())
                    .lines()
                    .findFirst()
                    .orElse("");
        }
    }
}
