package dev.pawl.servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/**
 * A database of a test. Thread-safe.
 *
 * @param jdbcUrl with user and password in it, so that other processes can use it
 * @param onClose drops it
 */
public record TestDatabase(String jdbcUrl, Runnable onClose) implements AutoCloseable {
    /**
     * @param poolSize maximum number of connections
     * @return a new pool, to be closed by the caller; on a cluster, all its connections are to one node. It connects lazily and gives up
     *     after 15 s, so that it can be created and kept while the server is down
     */
    public HikariDataSource newDataSource(int poolSize) {
        return newDataSource(poolSize, Duration.ofSeconds(15));
    }

    /**
     * {@return a pool like that of {@link #newDataSource(int)}, but with this time limit, which also applies to each attempt to connect}
     */
    public HikariDataSource newDataSource(int poolSize, Duration connectionTimeout) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(NodesDriver.ofNextNode(jdbcUrl));
        config.setMaximumPoolSize(poolSize);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(connectionTimeout.toMillis());
        config.setValidationTimeout(2_000);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    @Override
    public void close() {
        onClose.run();
    }
}
