package dev.pawl.spring;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.FrameworkTransactions;
import dev.pawl.internal.QueueRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * The application's worker. It starts after all beans have been created. It stops before the web server stops, and before any bean is
 * closed. It stops claiming, releases unstarted jobs, and lets running handlers continue for the grace time; keep that shorter than
 * Spring's timeout for a shutdown phase. Without handlers there is no worker. Thread-safe.
 */
public final class WorkerLifecycle implements SmartLifecycle, DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLifecycle.class);

    private final JobQueue queue;
    private final JobHandlers handlers;
    private final List<WorkerCustomizer> customizers;
    private final boolean autoStartup;
    private final List<Consumer<Worker>> watchers = new ArrayList<>();
    private @Nullable Worker worker;
    private boolean stopping;

    /**
     * @param queue of the application
     * @param handlers of the application
     * @param customizers in order
     * @param autoStartup whether it starts with the application
     */
    public WorkerLifecycle(
            JobQueue queue, JobHandlers handlers, List<WorkerCustomizer> customizers, boolean autoStartup) {
        this.queue = queue;
        this.handlers = handlers;
        this.customizers = List.copyOf(customizers);
        this.autoStartup = autoStartup;
    }

    /** {@return the queue of the application} */
    public JobQueue queue() {
        return queue;
    }

    /**
     * {@return a new builder configured like the application's worker}
     *
     * @throws ConfigurationException if a handler is transactional and the queue has no Spring transactions for its runs
     */
    public WorkerBuilder builder() {
        requireTransactions();
        WorkerBuilder builder = Worker.on(queue);
        handlers.addTo(builder);
        customizers.forEach(customizer -> customizer.customize(builder));
        return builder;
    }

    /** Checks transactions only if a handler needs them, because the check opens one. */
    private void requireTransactions() {
        if (handlers.anyTransactional()) {
            FrameworkTransactions transactions =
                    queue.unwrap(QueueRuntime.class).pool().framework();
            if (transactions == null) {
                throw new ConfigurationException(
                        "@JobHandler(transactional = true) needs a queue that knows Spring's transactions, and the"
                                + " application's own JobQueue bean does not. Handlers: "
                                + String.join(", ", handlers.transactional()),
                        "build it with JobQueue.builder(transactions.dataSource()).transactions(transactions), where"
                                + " transactions is the bean of type " + SpringTransactions.class.getName());
            }
            if (transactions instanceof SpringTransactions springs) {
                springs.check();
            }
        }
    }

    /**
     * Removes the schedules that a {@link Recurring} switches off by {@code -}. A schedule belongs to the whole cluster, so it would
     * otherwise continue for ever.
     */
    private void removeWithdrawn() {
        for (String name : handlers.withdrawn()) {
            if (queue.schedules().remove(name)) {
                LOG.info("schedule '{}' is removed: its @Recurring says '-'", name);
            }
        }
    }

    /** {@return the running worker; empty if it was not started or has no handlers} */
    public synchronized Optional<Worker> worker() {
        return Optional.ofNullable(worker);
    }

    /**
     * Passes each worker to the watcher when it starts, including late starts and restarts.
     *
     * @param watcher also receives a running worker at once; called in the thread that starts a worker
     */
    public synchronized void onStart(Consumer<Worker> watcher) {
        watchers.add(watcher);
        worker().ifPresent(watcher);
    }

    @Override
    public boolean isAutoStartup() {
        return autoStartup;
    }

    @Override
    public synchronized void start() {
        if (worker == null) {
            WorkerBuilder builder = builder();
            if (builder.kinds().isEmpty()) {
                LOG.info("there is no @JobHandler, so no worker is started");
                return;
            }
            removeWithdrawn();
            Worker started = started(builder);
            worker = started;
            stopping = false;
            watchers.forEach(watcher -> watcher.accept(started));
        }
    }

    /**
     * @throws ConfigurationException if a handler does not fit the worker, for example because its weight exceeds the worker's concurrency
     */
    private static Worker started(WorkerBuilder builder) {
        try {
            return builder.start();
        } catch (IllegalArgumentException e) {
            throw ConfigurationException.of(e);
        }
    }

    /** Stops the worker, and waits until it has stopped. */
    @Override
    public void stop() {
        Worker running = toBeStopped();
        if (running != null) {
            running.close();
            forget(running);
        }
    }

    private synchronized @Nullable Worker toBeStopped() {
        stopping = true;
        return worker;
    }

    /**
     * If an application fails during its start, Spring 6 does not stop running components but destroys the beans. If Spring has already
     * stopped the worker, it has waited for the end up to its timeout, so this does not wait again.
     */
    @Override
    public void destroy() {
        if (isLeftRunning()) {
            stop();
        }
    }

    private synchronized boolean isLeftRunning() {
        return worker != null && !stopping;
    }

    private synchronized void forget(Worker stopped) {
        if (worker == stopped) {
            worker = null;
        }
    }

    /** Stops concurrently with the other components of this phase. */
    @Override
    public void stop(Runnable callback) {
        Thread stopping = new Thread(
                () -> {
                    try {
                        stop();
                    } finally {
                        callback.run();
                    }
                },
                "pawl-stop");
        stopping.start();
    }

    /** {@return whether there is a worker, even one that has stopped itself} */
    @Override
    public synchronized boolean isRunning() {
        return worker != null;
    }
}
