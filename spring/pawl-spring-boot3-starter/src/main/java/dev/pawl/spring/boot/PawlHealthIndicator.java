package dev.pawl.spring.boot;

import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.Status;

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
