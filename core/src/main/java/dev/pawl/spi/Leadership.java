package dev.pawl.spi;

import dev.pawl.api.DatabaseException;
import java.time.Duration;
import java.util.Optional;

/**
 * Leadership of tasks that only one process on the database performs at a time, such as sampling or sending alerts. The leader of a task
 * has a lease by the database's clock. If the leader dies, another process continues from the saved state. Get it from {@code
 * queue.unwrap(Leadership.class)}. Thread-safe. Every method throws {@link DatabaseException} if the database fails.
 */
public interface Leadership {
    /**
     * Becomes the leader of a task that has none, or renews the lease of this process. Costs one read if another
     * process is the leader.
     *
     * @param name of the task, at most 40 characters
     * @param owner a unique name of this process, at most 100 characters
     * @param length duration of the lease from now on
     * @return the leadership; empty if another process is the leader
     */
    Optional<Leader> hold(String name, String owner, Duration length);

    /**
     * Saves the state from which the next leader continues.
     *
     * @param leader the leadership from {@link #hold}
     * @param state any text
     * @return false if another process is the leader now; then nothing was written
     */
    boolean save(Leader leader, String state);

    /**
     * Gives up the leadership, so that another process can take it at once.
     *
     * @param leader the leadership from {@link #hold}
     */
    void release(Leader leader);
}
