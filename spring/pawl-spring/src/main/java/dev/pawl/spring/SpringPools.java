package dev.pawl.spring;

import dev.pawl.internal.jdbc.FrameworkPool;
import dev.pawl.internal.jdbc.FrameworkPools;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds what Spring knows about the pool of a queue that was opened without {@link SpringTransactions}. */
public final class SpringPools implements FrameworkPools {
    /** Has no settings; Pawl creates it by {@link java.util.ServiceLoader}. */
    public SpringPools() {}

    @Override
    public @Nullable FrameworkPool find(DataSource given) {
        try {
            return SpringPool.of(given);
        } catch (LinkageError noSpringJdbc) {
            return null;
        }
    }
}
