package dev.pawl.internal.jdbc;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Knows the pools of a framework; found by {@link java.util.ServiceLoader}, so that the library names no framework.
 * Implementations have a public constructor without parameters and are thread-safe.
 */
public interface FrameworkPools {
    /**
     * @param given by the caller
     * @return what the framework knows about it; null if the framework is not here
     */
    @Nullable
    FrameworkPool find(DataSource given);
}
