package dev.pawl.internal.database.postgres;

import dev.pawl.internal.jdbc.PoolProxies;
import dev.pawl.internal.jdbc.PoolSize;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the connection to listen on. A worker holds this connection for as long as it runs, so it should not come from the pool. A pool has
 * few connections, and may report a leak if a connection is not returned. If we can read the pool's URL, user and password, we open a
 * connection of our own; otherwise, or if that fails, we borrow one.
 */
final class ListenSource {
    private static final Logger LOG = LoggerFactory.getLogger(ListenSource.class);

    private static final List<String> URL = List.of("getJdbcUrl", "getUrl");
    private static final List<String> USER = List.of("getUsername", "getUserName");

    private static final String KEEP_ALIVE = "tcpKeepAlive";

    private final DataSource dataSource;

    /**
     * @param dataSource the caller's pool
     */
    ListenSource(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * @param connection to listen on
     * @param own whether it is our own and may be closed at any moment
     * @param keptAlive whether TCP keepalive is known to detect a dead connection
     */
    record Source(Connection connection, boolean own, boolean keptAlive) {}

    /** Reads URL and password each time, because they may change while the program runs. */
    Source connect() throws SQLException {
        DataSource pool = PoolProxies.behind(dataSource);
        String url = url(pool);
        if (url != null) {
            try {
                Properties properties = properties(pool, url);
                Connection own = DriverManager.getConnection(url, properties);
                return new Source(own, true, isTrue(properties.getProperty(KEEP_ALIVE)) || isKeptAlive(own));
            } catch (SQLException e) {
                LOG.debug("cannot open a connection of our own to listen on, borrowing one of the pool's", e);
            }
        }
        Connection borrowed = dataSource.getConnection();
        return new Source(borrowed, false, isKeptAlive(borrowed));
    }

    /** The driver's own data sources write the option into the URL as well; other ways to set it are not detected. */
    private static boolean isKeptAlive(Connection connection) {
        try {
            String url = connection.getMetaData().getURL();
            return url != null && url.contains(KEEP_ALIVE + "=true");
        } catch (SQLException | RuntimeException unknown) {
            return false;
        }
    }

    private static boolean isTrue(@Nullable String text) {
        return "true".equals(text);
    }

    /** {@return whether the pool has no URL that we can use, so that we borrow a connection; we also borrow one if connecting fails} */
    boolean borrows() {
        return url(PoolProxies.behind(dataSource)) == null;
    }

    private static @Nullable String url(DataSource pool) {
        String url = PoolSize.isPool(pool) ? text(pool, URL) : null;
        return url != null && url.startsWith("jdbc:postgresql:") ? url : null;
    }

    private static Properties properties(DataSource pool, String url) {
        Properties properties = new Properties();
        if (PoolProxies.call(pool, "getDataSourceProperties") instanceof Properties more) { // HikariCP
            properties.putAll(more);
        }
        put(properties, "user", text(pool, USER));
        put(properties, "password", text(pool, List.of("getPassword")));
        if (!url.contains(KEEP_ALIVE + "=")) {
            // nothing else detects a dead connection while the listener does not check it
            properties.putIfAbsent(KEEP_ALIVE, "true");
        }
        if (!url.contains("ApplicationName=")) {
            properties.putIfAbsent("ApplicationName", "pawl listen");
        }
        return properties;
    }

    private static void put(Properties properties, String key, @Nullable String value) {
        if (value != null) {
            properties.put(key, value);
        }
    }

    private static @Nullable String text(DataSource pool, List<String> getters) {
        for (String getter : getters) {
            if (PoolProxies.call(pool, getter) instanceof String text) {
                return text;
            }
        }
        return null;
    }
}
