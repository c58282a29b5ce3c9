package dev.pawl.manager;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * What a manager has besides the worker that claims.
 *
 * @param kinds of its jobs
 * @param queues that it claims from
 * @param dispatcher says for which kinds there is a worker
 * @param own channels added by the user
 * @param remote channels to workers elsewhere
 * @param looks the threads that look at workers and ask probes
 * @param endpoint where workers call back; null if there are none
 * @param tally counts what they report
 */
record ManagerParts(
        Set<String> kinds,
        Set<String> queues,
        Dispatcher dispatcher,
        List<WorkerChannel> own,
        List<HttpChannel> remote,
        ScheduledExecutorService looks,
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
