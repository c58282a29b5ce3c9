package dev.pawl.internal.jdbc;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The pool behind proxies that reveal their target, as Spring's do. */
public final class PoolProxies {
    private static final int MAX = 5;

    private PoolProxies() {}

    /**
     * @param dataSource a pool, or a proxy of one
     * @return the pool behind it, or itself
     */
    public static DataSource behind(DataSource dataSource) {
        DataSource pool = dataSource;
        for (int i = 0; i < MAX; i++) {
            if (!(call(pool, "getTargetDataSource") instanceof DataSource target)) {
                break;
            }
            pool = target;
        }
        return pool;
    }

    /**
     * Calls a method that only some kinds of pool have.
     *
     * @param pool of any kind
     * @param getter without parameters
     * @return what it returns; also null if this kind has no such method, or if it fails
     */
    public static @Nullable Object call(DataSource pool, String getter) {
        try {
            return pool.getClass().getMethod(getter).invoke(pool);
        } catch (ReflectiveOperationException | RuntimeException notThisKind) {
            return null;
        }
    }
}
