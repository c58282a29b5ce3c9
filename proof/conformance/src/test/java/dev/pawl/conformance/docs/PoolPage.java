package dev.pawl.conformance.docs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;

/** The pool of docs/start/plain-java.md. Compiled but not run: there is no such server. */
final class PoolPage {
    private PoolPage() {}

    static DataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:mysql://localhost:3306/shop");
        config.setUsername("shop");
        config.setPassword("secret");
        config.setMaximumPoolSize(23); // a worker with concurrency(20), and 3
        DataSource dataSource = new HikariDataSource(config);
        return dataSource;
    }
}
