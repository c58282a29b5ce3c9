package dev.pawl.lab.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;

/**
 * An empty database for one trial.
 *
 * @param product postgresql, mariadb, mysql or sqlite
 * @param url with user and password in it
 * @param ours whether its server was started by the lab, so that its processes are our children
 * @param drop removes it
 */
public record Scratch(String product, String url, boolean ours, AutoCloseable drop) implements AutoCloseable {
    /** {@return whether it speaks MySQL's SQL} */
    public boolean isMySql() {
        return product.equals("mysql") || product.equals("mariadb");
    }

    /** {@return the name under which MySQL and MariaDB are one} */
    public String dialect() {
        return isMySql() ? "mysql" : product;
    }

    /**
     * @param connections at most
     * @return a new pool, to be closed by the caller
     */
    public HikariDataSource pool(int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
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
