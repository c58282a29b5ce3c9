package dev.pawl.servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

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
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(NodesDriver.ofNextNode(jdbcUrl));
        config.setMaximumPoolSize(poolSize);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(15_000);
        config.setValidationTimeout(2_000);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    @Override
    public void close() {
        onClose.run();
    }
}
