package dev.pawl.conformance.contract;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.servers.Product;
import dev.pawl.servers.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Pools whose default schema has no tables. The schema of the tables is visible only to the query that finds the tables when a queue is
 * opened. So every other statement has to qualify its tables.
 */
final class Away {
    /** A name that must be quoted. */
    private static final String SCHEMA = "Own Jobs";

    private Away() {}

    /** Creates the schema of the tables, and an empty one where the product has schemas. */
    static void create(Product product, TestDatabase database) {
        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            if (product == Product.POSTGRESQL) {
                statement.execute("CREATE SCHEMA \"" + SCHEMA + "\"");
                statement.execute("CREATE SCHEMA elsewhere");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param elsewhere another database of the server */
    static HikariDataSource newPool(Product product, TestDatabase database, TestDatabase elsewhere, int connections) {
        HikariDataSource real = database.newDataSource(connections);
        String own = name(database);
        HikariConfig config = new HikariConfig();
        real.copyStateTo(config);
        real.close();
        config.setJdbcUrl(null);
        boolean isPostgres = product == Product.POSTGRESQL;
        config.setConnectionInitSql(isPostgres ? "SET search_path TO elsewhere" : "USE " + name(elsewhere));
        config.setDataSource(answering(
                database.jdbcUrl(),
                isPostgres ? "current_schemas(false)" : "schema_name = DATABASE()",
                isPostgres ? "ARRAY['" + SCHEMA + "']::name[]" : "schema_name = '" + own + "'"));
        return new HikariDataSource(config);
    }

    private static String name(TestDatabase database) {
        return database.jdbcUrl().replaceFirst(".*://[^/]*/([^?]*).*", "$1");
    }

    /** Lets a connection find the tables by unqualified names. */
    static void enter(Product product, Connection connection) throws SQLException {
        if (product == Product.POSTGRESQL) {
            connection.setSchema(SCHEMA);
        }
    }

    private static DataSource answering(String url, String question, String answer) {
        return (DataSource) Proxy.newProxyInstance(
                Away.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    if (method.getName().equals("getConnection")) {
                        return answering(DriverManager.getConnection(url), question, answer);
                    }
                    return method.getReturnType() == int.class ? 0 : null;
                });
    }

    private static Connection answering(Connection real, String question, String answer) {
        return (Connection) Proxy.newProxyInstance(
                Away.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        arguments[0] = ((String) arguments[0]).replace(question, answer);
                    }
                    return call(real, method, arguments);
                });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
