package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rows of workers, which show that a worker is alive and which jobs it may have started. Thread-safe. */
public interface WorkerDirectory {
    /**
     * Writes the row of a worker that starts.
     *
     * @param name to display
     * @param queues from which it claims
     * @param kinds that it handles
     * @param concurrency number of handlers at once
     * @param maxConcurrency largest concurrency that may be set later
     * @param schedules the forms of the schedules that its program declares, by name
     * @return the id of the worker
     * @throws SQLException from the driver
     */
    long register(
            String name,
            List<String> queues,
            List<String> kinds,
            int concurrency,
            int maxConcurrency,
            Map<String, String> schedules)
            throws SQLException;

    /**
     * Declares that workers that register from now on run only for a test: they store nothing that outlasts them, such as retention times.
     */
    void onlyForTests();

    /**
     * Finds queues and kinds with waiting jobs that no live worker handles. The cost does not depend on the number of jobs, because the
     * query steps from kind to kind along an index. For each waiting state, the query takes at most 10,000 steps, one for each pair of
     * queue and kind.
     *
     * @return at most 1,000 pairs, ordered by queue and kind
     * @throws SQLException from the driver
     */
    List<QueueAndKind> uncovered() throws SQLException;

    /**
     * Finds the queues that have waiting jobs, or recently had some. The cost does not depend on the number of jobs, because the query
     * steps from queue to queue along an index.
     *
     * @param wanted accepts names of queues
     * @return the accepted queues
     * @throws SQLException from the driver
     */
    Set<String> waitingQueues(Predicate<String> wanted) throws SQLException;

    /**
     * Finds the queues that have jobs which may be claimed now, in one statement.
     *
     * @param after only queues whose names follow this one; empty for all
     * @param kinds that the worker handles; in lanes, jobs of any kind count
     * @return the queues, and the end of the search
     * @throws SQLException from the driver
     */
    Due dueQueues(String after, Set<String> kinds) throws SQLException;

    /**
     * Queues to claim from.
     *
     * @param queues their names
     * @param end the name after which the next search starts; empty if all were searched
     */
    record Due(Set<String> queues, String end) {}

    /**
     * Writes the queues from which a worker claims.
     *
     * @param workerId id of the worker
     * @param queues all queues from which it claims
     * @throws SQLException from the driver
     */
    void claimsFrom(long workerId, List<String> queues) throws SQLException;

    /**
     * Writes a heartbeat with the run times so far, in one statement.
     *
     * @param workerId id of the worker
     * @param runs in the format of {@link RunTimes}, since the worker started; null before its first run
     * @return the command for the worker
     * @throws SQLException from the driver
     */
    WorkerRequest heartbeat(long workerId, @Nullable String runs) throws SQLException;

    /**
     * Writes the concurrency of a worker.
     *
     * @param workerId id of the worker
     * @param concurrency number of handlers at once
     * @param wanted the concurrency that was requested. This request is cleared, but a newer request is kept
     * @throws SQLException from the driver
     */
    void scaled(long workerId, int concurrency, int wanted) throws SQLException;

    /**
     * Writes that the worker is suspended, so that it counts as alive without heartbeats until the suspension ends. A heartbeat ends this
     * state earlier.
     *
     * @param workerId id of the worker
     * @param length of the suspension
     * @throws SQLException from the driver
     */
    void suspended(long workerId, Duration length) throws SQLException;

    /**
     * Writes that the worker stopped cleanly.
     *
     * @param workerId id of the worker
     * @param runs the run times, as in {@link #heartbeat}
     * @throws SQLException from the driver
     */
    void stopped(long workerId, @Nullable String runs) throws SQLException;

    /**
     * Writes which jobs may have started, replacing the previous value. Committed on return.
     *
     * @param workerId id of the worker
     * @param startedLeases see {@link StartedLeases}
     * @param most the time limit, which is needed because starts wait for this write and the connection may be dead
     * @throws SQLException from the driver; then the value may have been written nevertheless
     */
    void logStarts(long workerId, String startedLeases, Duration most) throws SQLException;
}
