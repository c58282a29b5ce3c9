package dev.pawl.internal.jdbc;

import java.lang.reflect.Method;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a pool that returns the connection of the caller's transaction, if the artifact that supports such pools is missing. Without that
 * artifact, a commit of Pawl's own work would commit the caller's transaction.
 */
final class UnsupportedProxy {
    /** The only class of a framework that this library names. */
    private static final String PROXY = "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy";

    private static final int MAX_WRAPPERS = 10;

    private UnsupportedProxy() {}

    /** @throws IllegalArgumentException if the pool is such a proxy, or wraps one */
    static void refuse(DataSource given) {
        DataSource pool = given;
        for (int i = 0; pool != null && i < MAX_WRAPPERS; i++) {
            if (isProxy(pool)) {
                throw new IllegalArgumentException(
                        "the pool is Spring's TransactionAwareDataSourceProxy, and Pawl's own commits"
                                + " would commit the caller's transaction: add dev.pawl:pawl-spring, or pass the pool behind the proxy");
            }
            pool = target(pool);
        }
    }

    private static boolean isProxy(DataSource pool) {
        for (Class<?> type = pool.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(PROXY)) {
                return true;
            }
        }
        try {
            ClassLoader own = pool.getClass().getClassLoader();
            ClassLoader loader = own == null ? ClassLoader.getSystemClassLoader() : own;
            return pool.isWrapperFor(Class.forName(PROXY, false, loader));
        } catch (ClassNotFoundException | SQLException | RuntimeException | LinkageError noProxy) {
            return false;
        }
    }

    /** {@return the pool behind a wrapper that names it; null if there is none} */
    private static @Nullable DataSource target(DataSource pool) {
        try {
            Method target = pool.getClass().getMethod("getTargetDataSource");
            return target.invoke(pool) instanceof DataSource found ? found : null;
        } catch (ReflectiveOperationException | RuntimeException noWrapper) {
            return null;
        }
    }
}
