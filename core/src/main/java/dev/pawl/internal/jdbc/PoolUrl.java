package dev.pawl.internal.jdbc;

import java.util.List;
import javax.sql.DataSource;

/** The URL of a pool for messages, if the pool reveals it: without user, password and options. */
public final class PoolUrl {
    /** HikariCP, c3p0; DBCP 2, Tomcat JDBC and the drivers' own data sources. */
    private static final List<String> METHODS = List.of("getJdbcUrl", "getUrl");

    private PoolUrl() {}

    /**
     * @param dataSource perhaps a pool, or a proxy of one
     * @return a blank and the URL in brackets; empty if it is unknown
     */
    public static String inBrackets(DataSource dataSource) {
        DataSource pool = PoolProxies.behind(dataSource);
        for (String name : METHODS) {
            if (PoolProxies.call(pool, name) instanceof String url && url.startsWith("jdbc:")) {
                return " (" + withoutSecrets(url) + ")";
            }
        }
        return "";
    }

    /** {@return the parts of a URL that are no secrets} */
    static String withoutSecrets(String url) {
        String plain = url.replaceAll("[?;].*", "");
        return plain.contains("(") ? plain.replaceAll("://.*", "://…") : plain.replaceAll("//.*@", "//");
    }
}
