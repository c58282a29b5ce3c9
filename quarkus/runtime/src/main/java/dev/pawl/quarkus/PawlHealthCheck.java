package dev.pawl.quarkus;

import dev.pawl.JobQueue;
import dev.pawl.api.DatabaseException;
import dev.pawl.internal.bean.WorkerHealth;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Reports down if the queue's database is unavailable or the worker has stopped by itself. */
@Readiness
@Singleton
public class PawlHealthCheck implements HealthCheck {
    private final JobQueue queue;
    private final WorkerLifecycle lifecycle;

    PawlHealthCheck(JobQueue queue, WorkerLifecycle lifecycle) {
        this.queue = queue;
        this.lifecycle = lifecycle;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("job queue");
        try {
            WorkerHealth health = WorkerHealth.check(queue, lifecycle.worker());
            health.details().forEach((name, detail) -> response.withData(name, detail.toString()));
            return response.status(health.up()).build();
        } catch (DatabaseException e) {
            return response.down().withData("failure", e.toString()).build();
        }
    }
}
