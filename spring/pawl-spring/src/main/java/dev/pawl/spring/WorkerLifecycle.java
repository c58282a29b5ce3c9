package dev.pawl.spring;

import dev.pawl.FrameworkTransactions;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.internal.QueueInside;
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
 * The application's worker: starts when all beans are there, and stops before any of them is closed, and before the web server
 * does. It claims no more, gives back what has not begun, and lets running handlers go on for the grace time; keep that shorter
 * than Spring's own timeout for a phase of the shutdown. Without handlers there is no worker. Thread-safe.
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

    /**
     * {@return a new builder with everything that the application's worker has}
     *
     * @throws IllegalStateException if a handler is transactional and the queue has no transactions of Spring's that could be
     *     those of its runs
     */
    public WorkerBuilder builder() {
        requireTransactions();
        WorkerBuilder builder = Worker.on(queue);
        handlers.addTo(builder);
        customizers.forEach(customizer -> customizer.customize(builder));
        return builder;
    }

    /** Not without a need: it opens a transaction. */
    private void requireTransactions() {
        if (handlers.anyTransactional()) {
            FrameworkTransactions transactions = QueueInside.of(queue).pool().framework();
            if (transactions == null) {
                throw new IllegalStateException(
                        "@JobHandler(transactional = true) needs a queue that knows Spring's transactions,"
                                + " and the application's own JobQueue bean does not: build it with"
                                + " JobQueue.builder(transactions.dataSource()).transactions(transactions), where transactions is the bean"
                                + " of type " + SpringTransactions.class.getName() + ". Handlers: "
                                + String.join(", ", handlers.transactional()));
            }
            if (transactions instanceof SpringTransactions springs) {
                springs.check();
            }
        }
    }

    /** A schedule is the whole cluster's: one that is declared no more would go on for ever. */
    private void removeWithdrawn() {
        for (String name : handlers.withdrawn()) {
            if (queue.schedules().remove(name)) {
                LOG.info("schedule '{}' is removed: its @Recurring says '-'", name);
            }
        }
    }

    /** {@return the running worker; empty if there is none, because it was not started or has no handlers} */
    public synchronized Optional<Worker> worker() {
        return Optional.ofNullable(worker);
    }

    /**
     * Shows each worker as it starts: one that starts later than the application, and one that starts again, too.
     *
     * @param watcher is given the one that runs already at once; called in the thread that starts a worker
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
            Worker started = builder.start();
            worker = started;
            stopping = false;
            watchers.forEach(watcher -> watcher.accept(started));
        }
    }

    /** Waits until it has stopped. */
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
     * If an application fails as it starts, Spring 6 does not stop what runs already, but destroys the beans. What it has stopped before, it has
     * waited for as long as it wants to.
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

    /** Stops beside what else stops in this phase. */
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
