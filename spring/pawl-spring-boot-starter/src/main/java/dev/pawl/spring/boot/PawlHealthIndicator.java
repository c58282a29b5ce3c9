package dev.pawl.spring.boot;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** Reports down if the queue's database is unavailable or the worker has stopped by itself. */
public class PawlHealthIndicator extends AbstractHealthIndicator {
    private final WorkerHealth health;

    PawlHealthIndicator(WorkerHealth health) {
        super("the job queue does not respond");
        this.health = health;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        WorkerHealth.Result result = health.check();
        builder.status(result.up() ? Status.UP : Status.DOWN).withDetails(result.details());
    }
}
