package dev.pawl.manager;

import dev.pawl.Worker;
import dev.pawl.WorkerStats;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs and gives them to workers. Close it to stop: what runs elsewhere may end within the grace time. Two managers or
 * more may run at once over the same queues. Thread-safe.
 */
public final class Manager implements AutoCloseable {
    private final Worker worker;
    private final List<WorkerChannel> channels;
    private final ScheduledExecutorService looks;
    private final @Nullable HttpEndpoint endpoint;

    Manager(
            Worker worker,
            List<WorkerChannel> channels,
            ScheduledExecutorService looks,
            @Nullable HttpEndpoint endpoint) {
        this.worker = worker;
        this.channels = channels;
        this.looks = looks;
        this.endpoint = endpoint;
    }

    /**
     * @param queue whose jobs it manages
     * @return to set options
     */
    public static ManagerBuilder on(dev.pawl.JobQueue queue) {
        return new ManagerBuilder(queue);
    }

    /** {@return what it has done so far} */
    public WorkerStats stats() {
        return worker.stats();
    }

    /** {@return the port on which workers call back; zero if they cannot} */
    public int port() {
        return endpoint == null ? 0 : endpoint.port();
    }

    /**
     * Waits until nothing is assigned and there is nothing to claim.
     *
     * @param timeout how long to wait
     * @return true if it is so
     * @throws InterruptedException if interrupted
     */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return worker.awaitIdle(timeout);
    }

    @Override
    public void close() {
        worker.close();
        looks.shutdownNow();
        channels.forEach(WorkerChannel::close);
        if (endpoint != null) {
            endpoint.close();
        }
    }
}
