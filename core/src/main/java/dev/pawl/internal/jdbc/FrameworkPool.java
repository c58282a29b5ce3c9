package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A pool in a program whose framework binds transactions to threads. Implementations are thread-safe. */
public interface FrameworkPool {
    /** {@return the pool whose connections belong to no transaction of the caller; the given pool itself if it is not a proxy} */
    DataSource plain();

    /**
     * {@return the connection of the transaction that surrounds this thread; null if there is none that an enqueue may join} Close this
     * connection like any other. Closing it does not end the transaction.
     *
     * @throws SQLException from the pool
     * @throws RuntimeException if it cannot be determined whether the transaction has ended
     */
    @Nullable
    Connection surrounding() throws SQLException;
}
