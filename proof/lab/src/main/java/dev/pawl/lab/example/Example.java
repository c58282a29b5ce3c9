package dev.pawl.lab.example;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Shared by the examples: the database of PAWL_DB, or a file. */
final class Example {
    private Example() {}

    static HikariDataSource pool(String file) {
        String given = System.getenv("PAWL_DB");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(given == null || given.isBlank() ? "jdbc:sqlite:" + file : given);
        config.setMaximumPoolSize(8);
        return new HikariDataSource(config);
    }
}
