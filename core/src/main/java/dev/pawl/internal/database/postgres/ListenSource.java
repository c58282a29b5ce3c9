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
 * Where the connection that listens comes from. It is held for as long as a worker runs, so it should not be one of the
 * pool's: those are limited, and a pool reports one that does not come back as a leak. If a pool tells its URL, user
 * and password, we open a connection of our own; from any other pool we borrow one.
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
     * @param own whether it is ours alone and may be closed at any moment
     * @param keptAlive whether the operating system is known to find out if it is dead
     */
    record Source(Connection connection, boolean own, boolean keptAlive) {}

    /** Asks for URL and password each time: they may change while the program runs. */
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

    /** The driver's own data sources write it into the URL as well; what a program gives in other ways is not seen. */
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

    /** {@return whether it holds a connection of the pool's, as far as one can know before it tries} */
    boolean borrows() {
        return url(PoolProxies.behind(dataSource)) == null;
    }

    private static @Nullable String url(DataSource pool) {
        String url = PoolSize.of(pool).isPresent() ? text(pool, URL) : null;
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
            properties.putIfAbsent(KEEP_ALIVE, "true"); // all that tells of a dead one while silence is wanted
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
