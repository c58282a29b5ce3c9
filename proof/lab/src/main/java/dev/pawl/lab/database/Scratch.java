package dev.pawl.lab.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;

/**
 * An empty database for one trial.
 *
 * @param product postgresql, mariadb, mysql or sqlite
 * @param url including user and password
 * @param ours whether the lab has started its server, so that its processes are child processes
 * @param drop removes it
 * @param nodes URLs of all nodes on which it can be written; the first is {@code url}
 */
public record Scratch(String product, String url, boolean ours, AutoCloseable drop, List<String> nodes)
        implements AutoCloseable {
    /** Copies the list. */
    public Scratch {
        nodes = List.copyOf(nodes);
    }

    /** Creates it on one server. */
    public Scratch(String product, String url, boolean ours, AutoCloseable drop) {
        this(product, url, ours, drop, List.of(url));
    }

    /** {@return whether it uses MySQL's SQL} */
    public boolean isMySql() {
        return product.equals("mysql") || product.equals("mariadb");
    }

    /** {@return the product, with one name for MySQL and MariaDB} */
    public String dialect() {
        return isMySql() ? "mysql" : product;
    }

    /**
     * @param connections maximum
     * @return a new pool, to be closed by the caller
     */
    public HikariDataSource pool(int connections) {
        return pool(connections, 0);
    }

    /**
     * @param connections maximum
     * @param node number of the node to connect to, from 0; numbers beyond the last node start again at the first
     * @return a new pool, to be closed by the caller
     */
    public HikariDataSource pool(int connections, int node) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(nodes.get(node % nodes.size()));
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(0);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    @Override
    public void close() throws SQLException {
        try {
            drop.close();
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SQLException("cannot drop the lab's database", e);
        }
    }
}
