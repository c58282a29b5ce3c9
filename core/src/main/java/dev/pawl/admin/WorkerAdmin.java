package dev.pawl.admin;

import dev.pawl.api.DatabaseException;
import dev.pawl.api.WorkerCommand;
import java.util.List;
import java.util.SortedMap;

/**
 * Lists, commands and scales workers of all processes. Get it from {@link Admin#workers}. Thread-safe. Every method throws {@link
 * DatabaseException} if the database fails. Each is one short transaction, except {@link #scale} and {@link #scaleQueue}, which may be
 * several.
 */
public interface WorkerAdmin {
    /** {@return the workers, live ones first} */
    List<WorkerInfo> list();

    /**
     * Sends a command to a worker of any process. The worker follows it at its next heartbeat, within about ten seconds; a suspended worker
     * follows it when it wakes. A worker that is restarted claims jobs again.
     *
     * @param workerId its id
     * @param command the command
     * @return false if the worker does not exist, or has stopped
     */
    boolean command(long workerId, WorkerCommand command);

    /**
     * Sets the concurrency of a worker of any process. The worker applies it at its next heartbeat, within about ten seconds; a suspended
     * worker applies it when it wakes. Running jobs continue. A worker that is restarted has the concurrency that its program sets.
     *
     * @param workerId its id
     * @param concurrency 1 to the maximum of its program ({@link dev.pawl.WorkerBuilder#maxConcurrency}); to stop claims, see {@link
     *     #command}
     * @return false if the worker does not exist, or has stopped
     * @throws IllegalArgumentException if it is less than 1, or exceeds the maximum of the worker's program
     */
    boolean scale(long workerId, int concurrency);

    /**
     * Sets the concurrency of all live workers of a queue. A worker whose program allows less gets the maximum of its program.
     *
     * @param queue the queue
     * @param concurrency 1 to 10,000
     * @return the new concurrency by worker id; empty if there are no workers
     * @throws IllegalArgumentException if it is outside the range
     */
    SortedMap<Long, Integer> scaleQueue(String queue, int concurrency);

    /** {@return the remote workers, as each live manager reports them} */
    List<RemoteWorkerInfo> remote();
}
