package dev.pawl.manager;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The components of a manager besides the worker that claims.
 *
 * @param kinds of its jobs
 * @param queues that it claims from
 * @param dispatcher knows which kinds have a worker
 * @param own channels added by the user
 * @param remote channels to remote workers
 * @param pollers the threads that poll workers, store their state and call probes
 * @param endpoint where workers call back; null if there are no remote workers
 * @param tally counts the reported outcomes
 */
record ManagerParts(
        Set<String> kinds,
        Set<String> queues,
        Dispatcher dispatcher,
        List<WorkerChannel> own,
        List<HttpChannel> remote,
        ScheduledExecutorService pollers,
        @Nullable HttpEndpoint endpoint,
        Tally tally)
        implements AutoCloseable {
    @Override
    public void close() {
        own.forEach(WorkerChannel::close);
        if (endpoint != null) {
            endpoint.close();
        }
    }
}
