package dev.pawl.internal.jdbc;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** Reads how many connections a pool may have: each kind of pool has its own method for that. */
public final class PoolSize {
    /** HikariCP, DBCP 2, Tomcat JDBC, c3p0. */
    private static final List<String> METHODS =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxActive", "getMaxPoolSize");

    private PoolSize() {}

    /**
     * @param dataSource perhaps a pool, or a proxy of one
     * @return its maximum number of connections; empty if it is unknown or unlimited
     */
    public static OptionalInt of(DataSource dataSource) {
        return sizes(dataSource).filter(size -> size > 0).findFirst();
    }

    /** {@return whether it is known to be a pool, limited or not} */
    public static boolean isPool(DataSource dataSource) {
        return sizes(dataSource).findAny().isPresent();
    }

    private static IntStream sizes(DataSource dataSource) {
        DataSource pool = PoolProxies.behind(dataSource);
        return METHODS.stream()
                .flatMapToInt(name ->
                        PoolProxies.call(pool, name) instanceof Integer size ? IntStream.of(size) : IntStream.empty());
    }
}
