package dev.pawl.lab.database;

import dev.pawl.internal.jdbc.TlsFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * A database given by its URL. Its contents are not touched: trials run in their own schema (PostgreSQL), database
 * (MySQL, MariaDB) or file (SQLite), created beside it and dropped.
 */
record ExternalTarget(String product, String url) implements Target {
    static ExternalTarget of(String url) {
        String kind = url.split(":", 3)[1];
        String product = switch (kind) {
            case "postgresql", "sqlite", "mariadb" -> kind;
            case "mysql" -> "mysql";
            default ->
                throw new IllegalArgumentException(
                        "there is no driver for " + Secrets.place(url) + ": use a URL that starts with"
                                + " jdbc:postgresql:, jdbc:mysql:, jdbc:mariadb: or jdbc:sqlite:");
        };
        return new ExternalTarget(product, product.equals("mysql") ? withMySqlDefaults(url) : url);
    }

    private static String withMySqlDefaults(String url) {
        return url.contains("allowPublicKeyRetrieval") || url.contains("sslMode") ? url : with(url, Secrets.MYSQL_KEY);
    }

    private static String with(String url, String option) {
        return url + (url.contains("?") ? "&" : "?") + option;
    }

    @Override
    public String name() {
        return Secrets.place(url).substring("jdbc:".length());
    }

    @Override
    public ServerLocation location() {
        return product.equals("sqlite") ? ServerLocation.ours() : ServerLocation.of(product, url);
    }

    @Override
    public Scratch scratch() throws SQLException {
        return scratch(newName());
    }

    static String newName() {
        return "pawl_lab_" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
    }

    /** {@return the URL of a database of MySQL or MariaDB beside the given one} */
    String urlOf(String database) {
        return url.replaceFirst("(://[^/?]+)(/[^?]*)?", "$1/" + database);
    }

    Scratch scratch(String name) throws SQLException {
        return switch (product) {
            case "postgresql" -> {
                DropOnExit dropped =
                        new DropOnExit("schema " + name, () -> execute("DROP SCHEMA IF EXISTS " + name + " CASCADE"));
                create(dropped, "CREATE SCHEMA " + name);
                yield new Scratch(product, with(url, "currentSchema=" + name), false, dropped);
            }
            case "sqlite" -> file(name);
            default -> {
                DropOnExit dropped =
                        new DropOnExit("database " + name, () -> execute("DROP DATABASE IF EXISTS " + name));
                create(dropped, "CREATE DATABASE " + name);
                yield new Scratch(product, urlOf(name), false, dropped);
            }
        };
    }

    /** Creates the schema or database. If the server refuses, nothing has to be dropped later. */
    private void create(DropOnExit dropped, String sql) throws SQLException {
        try {
            execute(sql);
        } catch (SQLException refused) {
            dropped.forget();
            throw refused;
        }
    }

    private Scratch file(String name) {
        String given = url.substring("jdbc:sqlite:".length()).replaceAll("\\?.*", "");
        Path file = Path.of(given).resolveSibling(name + ".db");
        return new Scratch(product, "jdbc:sqlite:" + file, true, new DropOnExit("file " + file, () -> {
            for (String suffix : new String[] {"", "-wal", "-shm", "-journal"}) {
                deleteIfExists(Path.of(file + suffix));
            }
        }));
    }

    private static void deleteIfExists(Path file) throws SQLException {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new SQLException("cannot delete " + file, e);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (CannotConnect e) {
            throw e;
        } catch (SQLException e) {
            throw new SQLException(
                    name() + " refuses '" + sql + "', which the lab needs so that it touches nothing of yours: "
                            + Secrets.hidden(String.valueOf(e.getMessage())),
                    e.getSQLState(),
                    e.getErrorCode(),
                    e);
        }
    }

    private Connection connect() throws CannotConnect {
        try {
            return DriverManager.getConnection(url);
        } catch (SQLException e) {
            String tls = TlsFailure.advice(e);
            throw new CannotConnect(
                    "cannot connect to " + name() + ": " + Secrets.hidden(String.valueOf(e.getMessage()))
                            + (tls == null ? "" : " (" + tls + ")"),
                    e);
        }
    }

    /** The connection failed before any statement. */
    private static final class CannotConnect extends SQLException {
        private static final long serialVersionUID = 1L;

        CannotConnect(String message, SQLException cause) {
            super(message, cause.getSQLState(), cause.getErrorCode(), cause);
        }
    }
}
