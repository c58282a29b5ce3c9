package dev.pawl.internal.jdbc;

import dev.pawl.api.FrameworkTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ServiceLoader;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The caller's pool. A framework's pool may return the connection of the transaction that surrounds the calling thread; work that commits
 * on its own would commit that transaction. So such work takes its connections from the pool behind the framework's pool, and only an
 * enqueue joins the surrounding transaction. Thread-safe.
 */
public final class CallersPool {
    private final DataSource plain;
    private final @Nullable FrameworkPool pool;
    private final @Nullable FrameworkTransactions framework;

    private CallersPool(DataSource plain, @Nullable FrameworkPool pool, @Nullable FrameworkTransactions framework) {
        this.plain = plain;
        this.pool = pool;
        this.framework = framework;
    }

    /**
     * @param given by the caller
     * @param framework whose transactions may surround an enqueue; null to ask the pool for the surrounding transaction
     * @return the pool with what is known about it
     * @throws IllegalArgumentException if the pool belongs to a framework whose artifact is missing
     */
    public static CallersPool of(DataSource given, @Nullable FrameworkTransactions framework) {
        for (FrameworkPools each : ServiceLoader.load(FrameworkPools.class, FrameworkPools.class.getClassLoader())) {
            FrameworkPool found = each.find(given);
            if (found != null) {
                return new CallersPool(found.plain(), found, framework);
            }
        }
        UnsupportedProxy.refuse(given);
        return new CallersPool(given, null, framework);
    }

    /** {@return the framework whose transactions may surround an enqueue; null if none was given} */
    public @Nullable FrameworkTransactions framework() {
        return framework;
    }

    /** {@return the pool whose connections belong to no transaction of the caller} */
    public DataSource plain() {
        return plain;
    }

    /**
     * {@return the connection of the transaction that surrounds this thread; null if there is none} Close it like any other connection:
     * this leaves the transaction to its owner.
     *
     * @throws SQLException from the pool
     */
    public @Nullable Connection surrounding() throws SQLException {
        if (framework != null) {
            return framework.surrounding();
        }
        return pool == null ? null : pool.surrounding();
    }

    /**
     * Wakes workers when the surrounding transaction has committed, if the framework can report that.
     *
     * @param queue the queue in which the transaction has enqueued
     * @param wake wakes the workers
     */
    public void afterCommit(String queue, Runnable wake) {
        if (framework != null) {
            framework.afterCommit(queue, wake);
        }
    }
}
