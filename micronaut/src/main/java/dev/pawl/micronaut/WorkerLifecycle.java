package dev.pawl.micronaut;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.RunInterceptor;
import dev.pawl.internal.bean.FoundHandlers;
import dev.pawl.schedule.Schedule;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.runtime.event.annotation.EventListener;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's worker: starts when the context has started, and stops before any bean is closed. It stops claiming,
 * releases unstarted jobs, and lets running handlers continue for the shutdown timeout. Without handlers there is no
 * worker. Thread-safe.
 */
@Singleton
@Requires(beans = JobQueue.class)
public class WorkerLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLifecycle.class);

    private final JobQueue queue;
    private final PawlConfiguration configuration;
    private final HandlerMethods handlers;
    private final List<Schedule<?>> schedules;
    private final List<RunInterceptor> interceptors;
    private final List<WorkerCustomizer> customizers;
    private @Nullable Worker worker;

    WorkerLifecycle(
            JobQueue queue,
            PawlConfiguration configuration,
            HandlerMethods handlers,
            List<Schedule<?>> schedules,
            List<RunInterceptor> interceptors,
            List<WorkerCustomizer> customizers) {
        this.queue = queue;
        this.configuration = configuration;
        this.handlers = handlers;
        this.schedules = schedules;
        this.interceptors = interceptors;
        this.customizers = customizers;
    }

    /**
     * {@return a new builder configured like the application's worker}
     *
     * @throws IllegalStateException if a handler is not valid
     */
    public WorkerBuilder builder() {
        FoundHandlers found = handlers.all();
        WorkerBuilder builder = Worker.on(queue);
        found.addTo(builder);
        schedules.forEach(builder::schedule);
        configuration.worker().apply(builder);
        customizers.forEach(customizer -> customizer.customize(builder));
        interceptors.forEach(builder::intercept);
        return builder;
    }

    /** {@return the running worker; empty if it was not started or has no handlers} */
    public synchronized Optional<Worker> worker() {
        return Optional.ofNullable(worker);
    }

    @EventListener
    synchronized void start(StartupEvent event) {
        WorkerBuilder builder = builder();
        if (!configuration.worker().enabled()) {
            return;
        }
        if (builder.kinds().isEmpty()) {
            LOG.info("there is no @JobHandler, so no worker is started");
            return;
        }
        worker = builder.start();
    }

    @EventListener
    void stop(ShutdownEvent event) {
        worker().ifPresent(Worker::close);
    }
}
