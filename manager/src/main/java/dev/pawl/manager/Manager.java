package dev.pawl.manager;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.api.JobState;
import dev.pawl.api.WorkerStats;
import dev.pawl.spi.RemoteRuns;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Claims jobs and gives them to workers. A remote run does not depend on its manager: if a manager is closed or killed,
 * the runs of its workers continue and are reported to another one. Several managers may serve the same queues at once.
 * Thread-safe.
 */
public final class Manager implements AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(50);

    private final Worker worker;
    private final JobQueue queue;
    private final ManagerParts parts;

    Manager(Worker worker, JobQueue queue, ManagerParts parts) {
        this.worker = worker;
        this.queue = queue;
        this.parts = parts;
    }

    /**
     * @param queue whose jobs it manages
     * @return a builder
     */
    public static ManagerBuilder on(JobQueue queue) {
        return new ManagerBuilder(queue);
    }

    /** {@return whether it has not stopped: false after {@link #close}, or if its claims have ended, see {@link Worker#isAlive}} */
    public boolean isAlive() {
        return worker.isAlive();
    }

    /** {@return the error that made it stop itself; empty if it did not} See {@link Worker#failure}. */
    public Optional<Throwable> failure() {
        return worker.failure();
    }

    /** {@return what it has done so far; an outcome that a worker reported to another manager is counted by that manager} */
    public WorkerStats stats() {
        return parts.tally().with(worker.stats());
    }

    /** {@return the port on which workers call back; zero if they cannot} */
    public int port() {
        HttpEndpoint endpoint = parts.endpoint();
        return endpoint == null ? 0 : endpoint.port();
    }

    /** {@return the state of the remote workers} */
    public List<RemoteWorkerStatus> workers() {
        return parts.remote().stream().map(HttpChannel::status).toList();
    }

    /**
     * Waits until there is nothing to claim and no job of the manager's kinds is running, not even one that another manager assigned. A due
     * job of a kind that no worker can run now stays unclaimed, and the wait continues.
     *
     * @param timeout how long to wait
     * @return whether that happened in time
     * @throws InterruptedException if interrupted
     * @throws dev.pawl.api.DatabaseException if the database fails
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            Set<String> unserved =
                    unserved(); // read before the wait, in which the worker leaves the jobs of these kinds unclaimed
            if (worker.awaitIdle(Duration.ofNanos(left))) {
                unserved.addAll(unserved());
                if (!anyRuns() && !anyWaits(unserved)) {
                    return true;
                }
            }
            TimeUnit.MILLISECONDS.sleep(STEP.toMillis());
        }
    }

    private Set<String> unserved() {
        Set<String> unserved = new HashSet<>(parts.kinds());
        unserved.removeIf(parts.dispatcher()::isServed);
        return unserved;
    }

    private boolean anyWaits(Set<String> unserved) {
        return !unserved.isEmpty()
                && queue.admin().queues().list(Admin.UNLIMITED).stream()
                        .filter(stats -> parts.queues().contains(stats.name()) && stats.available() > 0)
                        .anyMatch(stats -> unserved.stream().anyMatch(kind -> hasJobs(stats.name(), kind)));
    }

    private boolean hasJobs(String name, String kind) {
        JobFilter waiting = JobFilter.ALL.queue(name).kind(kind).state(JobState.AVAILABLE);
        return !queue.admin().jobs().list(waiting.limit(1)).isEmpty();
    }

    private boolean anyRuns() {
        return !queue.unwrap(RemoteRuns.class).running(parts.kinds(), 1).isEmpty();
    }

    /** Stops: assigns no more jobs, waits up to the grace time for its own threads, and leaves remote runs alone. */
    @Override
    public void close() {
        parts.pollers().shutdownNow(); // from now on workers should call other managers
        worker.close();
        parts.close();
    }
}
