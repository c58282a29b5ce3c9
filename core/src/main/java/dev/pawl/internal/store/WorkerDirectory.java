package dev.pawl.internal.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rows of workers, which tell others that a worker is alive and which jobs it may have started. Thread-safe. */
public interface WorkerDirectory {
    /**
     * Writes the row of a worker that starts.
     *
     * @param name for lists
     * @param queues from which it claims
     * @param kinds that it handles
     * @param concurrency handlers at once
     * @param maxConcurrency to which that may be raised
     * @param schedules that its program declares
     * @return its id
     * @throws SQLException from the driver
     */
    long register(
            String name,
            List<String> queues,
            List<String> kinds,
            int concurrency,
            int maxConcurrency,
            List<String> schedules)
            throws SQLException;

    /**
     * Finds queues and kinds with jobs that have not begun and that no live worker handles. Cheap however many jobs there
     * are: it goes from kind to kind along an index.
     *
     * @return in the order of queue and kind; the first 1,000 at most
     * @throws SQLException from the driver
     */
    List<QueueAndKind> uncovered() throws SQLException;

    /**
     * Finds the queues that have jobs which have not begun, or had some lately. Cheap however many jobs there are: it goes from
     * queue to queue along an index.
     *
     * @param wanted which names are asked for
     * @return those
     * @throws SQLException from the driver
     */
    Set<String> waitingQueues(Predicate<String> wanted) throws SQLException;

    /**
     * Finds the queues that have jobs which may be claimed now: one read for all of them.
     *
     * @param after only queues whose names come after this one; empty for all
     * @param kinds that the worker handles; jobs of lanes count with any kind
     * @return those, as far as it has looked
     * @throws SQLException from the driver
     */
    Due dueQueues(String after, Set<String> kinds) throws SQLException;

    /**
     * Queues to claim from.
     *
     * @param queues their names
     * @param end how far was looked: the name to go on after; empty if that was all
     */
    record Due(Set<String> queues, String end) {}

    /**
     * Notes from which queues a worker claims.
     *
     * @param workerId its id
     * @param queues all of them
     * @throws SQLException from the driver
     */
    void claimsFrom(long workerId, List<String> queues) throws SQLException;

    /**
     * Records a heartbeat, and how long runs took so far: one statement.
     *
     * @param workerId its id
     * @param runs the words of {@link RunTimes}, since the worker started; null before its first run
     * @return what somebody wants the worker to do
     * @throws SQLException from the driver
     */
    Wishes heartbeat(long workerId, @Nullable String runs) throws SQLException;

    /**
     * Notes that a worker runs another number of handlers at once.
     *
     * @param workerId its id
     * @param concurrency how many
     * @param wanted what somebody wanted, which is done with; one that came after it stays
     * @throws SQLException from the driver
     */
    void scaled(long workerId, int concurrency, int wanted) throws SQLException;

    /**
     * Notes that the worker sleeps, and that nothing is to be heard of it for so long: until then it counts as alive. The next
     * heartbeat ends that.
     *
     * @param workerId its id
     * @param length how long
     * @throws SQLException from the driver
     */
    void asleep(long workerId, Duration length) throws SQLException;

    /**
     * Records that the worker stopped cleanly.
     *
     * @param workerId its id
     * @param runs as with the heartbeat
     * @throws SQLException from the driver
     */
    void stopped(long workerId, @Nullable String runs) throws SQLException;

    /**
     * Notes which jobs may have begun; replaces what was noted before. Committed on return.
     *
     * @param workerId its id
     * @param announced see {@link Announced}
     * @param most how long it may take: starts wait for it, and a connection may have died silently
     * @throws SQLException from the driver; then the note may have been written
     */
    void announce(long workerId, String announced, Duration most) throws SQLException;
}
