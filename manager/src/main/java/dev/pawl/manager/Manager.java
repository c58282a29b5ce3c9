package dev.pawl.manager;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerStats;
import dev.pawl.admin.RemoteWorkerStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Claims jobs and gives them to workers. A run elsewhere does not depend on its manager: close a manager, or kill it, and
 * whatever its workers have goes on and is reported to another one. Two managers or more may run at once over the same queues.
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
     * @return to set options
     */
    public static ManagerBuilder on(JobQueue queue) {
        return new ManagerBuilder(queue);
    }

    /** {@return what it has done so far; what its workers have reported to other managers is counted there} */
    public WorkerStats stats() {
        return parts.tally().with(worker.stats());
    }

    /** {@return the port on which workers call back; zero if they cannot} */
    public int port() {
        HttpEndpoint endpoint = parts.endpoint();
        return endpoint == null ? 0 : endpoint.port();
    }

    /** {@return how the workers elsewhere are} */
    public List<RemoteWorkerStatus> workers() {
        return parts.remote().stream().map(HttpChannel::status).toList();
    }

    /**
     * Waits until there is nothing to claim and no job of its kinds runs, by whichever manager it was assigned.
     *
     * @param timeout how long to wait
     * @return true if it is so
     * @throws InterruptedException if interrupted
     * @throws dev.pawl.DatabaseException if the database fails
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            if (worker.awaitIdle(Duration.ofNanos(left)) && !anyRuns()) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(STEP.toMillis());
        }
    }

    private boolean anyRuns() {
        return !queue.runsElsewhere().running(parts.kinds(), 1).isEmpty();
    }

    /** Stops: gives no more jobs away, lets its own threads end within the grace time, and leaves alone what runs elsewhere. */
    @Override
    public void close() {
        parts.looks().shutdownNow(); // workers are to call others from now on
        worker.close();
        parts.close();
    }
}
