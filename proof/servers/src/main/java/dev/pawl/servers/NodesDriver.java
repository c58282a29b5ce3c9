package dev.pawl.servers;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Connects to the hosts of a URL in turn, the nodes of a cluster: {@code nodes:jdbc:mariadb://a,b,c/jobs}. Thread-safe. */
public final class NodesDriver implements Driver {
    /** Before the URL of the nodes. */
    public static final String PREFIX = "nodes:";

    private static final Pattern HOSTS = Pattern.compile("(.*?://)([^/]+)(.*)");
    private static final AtomicInteger NEXT = new AtomicInteger();

    static {
        try {
            DriverManager.registerDriver(new NodesDriver());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public @Nullable Connection connect(String url, Properties properties) throws SQLException {
        return acceptsURL(url) ? DriverManager.getConnection(ofNextNode(url), properties) : null;
    }

    /** {@return the URL of one node; each call returns the URL of the next node; a URL that names no nodes is returned unchanged} */
    static String ofNextNode(String url) {
        Matcher parts = HOSTS.matcher(url);
        if (!url.startsWith(PREFIX) || !parts.matches()) {
            return url;
        }
        String[] hosts = parts.group(2).split(",", -1);
        String host = hosts[Math.floorMod(NEXT.getAndIncrement(), hosts.length)];
        return parts.group(1).substring(PREFIX.length()) + host + parts.group(3);
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger(NodesDriver.class.getPackageName());
    }
}
