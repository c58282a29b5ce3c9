package dev.pawl.quarkus;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.RunInterceptor;
import dev.pawl.api.Strategy;
import dev.pawl.internal.bean.FoundHandlers;
import dev.pawl.schedule.Schedule;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's worker: starts after all other observers of the start, and stops before the datasource is closed. It
 * stops claiming, releases unstarted jobs, and lets running handlers continue for the shutdown timeout. Without handlers
 * there is no worker. Thread-safe.
 */
@Singleton
public class WorkerLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLifecycle.class);

    private final JobQueue queue;
    private final PawlConfig config;
    private final HandlerBeans handlers;
    private final Instance<RunInterceptor> interceptors;
    private final Instance<WorkerCustomizer> customizers;
    private final Map<String, JobType<?>> types = new LinkedHashMap<>();
    private final Map<String, Schedule<?>> schedules = new LinkedHashMap<>();
    private @Nullable Worker worker;

    WorkerLifecycle(
            JobQueue queue,
            PawlConfig config,
            HandlerBeans handlers,
            @Any Instance<RunInterceptor> interceptors,
            @Any Instance<WorkerCustomizer> customizers,
            @Any InjectableInstance<JobType<?>> types,
            @Any InjectableInstance<Schedule<?>> schedules) {
        this.queue = queue;
        this.config = config;
        this.handlers = handlers;
        this.interceptors = interceptors;
        this.customizers = customizers;
        types.handlesStream().forEach(each -> this.types.put("the JobType bean of " + each.getBean(), each.get()));
        schedules
                .handlesStream()
                .forEach(each -> this.schedules.put(each.getBean().toString(), each.get()));
    }

    /**
     * {@return a new builder configured like the application's worker}
     *
     * @throws IllegalStateException if a handler is not valid
     */
    public WorkerBuilder builder() {
        WorkerBuilder builder = Worker.on(queue);
        new FoundHandlers(handlers.all(), types, schedules).addTo(builder);
        schedules.values().forEach(builder::schedule);
        apply(config.worker(), builder);
        customizers.forEach(customizer -> customizer.customize(builder));
        interceptors.forEach(builder::intercept);
        return builder;
    }

    private static void apply(PawlConfig.WorkerProperties config, WorkerBuilder builder) {
        builder.concurrency(config.concurrency())
                .strategy(Strategy.parse(config.strategy()))
                .grace(config.shutdownTimeout())
                .lease(config.lease())
                .pollInterval(config.pollInterval())
                .virtualThreads(config.virtualThreads())
                .retryPolicy(RetryPolicy.exponential(
                        config.retry().first(), config.retry().longest()));
        config.name().ifPresent(builder::name);
        config.queues().ifPresent(queues -> builder.queues(queues.toArray(String[]::new)));
    }

    /** {@return the running worker; empty if it was not started or has no handlers} */
    public synchronized Optional<Worker> worker() {
        return Optional.ofNullable(worker);
    }

    synchronized void start(@Observes @Priority(Integer.MAX_VALUE) StartupEvent event) {
        WorkerBuilder builder = builder();
        if (!config.worker().enabled()) {
            return;
        }
        if (builder.kinds().isEmpty()) {
            LOG.info("there is no @JobHandler, so no worker is started");
            return;
        }
        worker = builder.start();
    }

    void stop(@Observes @Priority(1) ShutdownEvent event) {
        worker().ifPresent(Worker::close);
    }

    /** After all other observers, which may enqueue, and before the datasource is closed. */
    void close(@Observes @Priority(Integer.MAX_VALUE) ShutdownEvent event) {
        queue.close();
    }
}
