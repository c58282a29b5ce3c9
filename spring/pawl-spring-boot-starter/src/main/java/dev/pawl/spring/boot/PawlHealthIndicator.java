package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.internal.bean.WorkerHealth;
import dev.pawl.spring.WorkerLifecycle;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** Reports down if the queue's database is unavailable or the worker has stopped by itself. */
public class PawlHealthIndicator extends AbstractHealthIndicator {
    private final JobQueue queue;
    private final WorkerLifecycle lifecycle;

    PawlHealthIndicator(JobQueue queue, WorkerLifecycle lifecycle) {
        super("the job queue does not respond");
        this.queue = queue;
        this.lifecycle = lifecycle;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        WorkerHealth health = WorkerHealth.check(queue, lifecycle.worker());
        builder.status(health.up() ? Status.UP : Status.DOWN).withDetails(health.details());
    }
}
