package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.WorkerStats;
import dev.pawl.schedule.ScheduleInfo;
import dev.pawl.spring.WorkerLifecycle;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** {@code /actuator/pawl}: shows the queues, the workers of all processes and the schedules, and pauses queues. */
@Endpoint(id = "pawl")
public class PawlEndpoint {
    private final JobQueue queue;
    private final WorkerLifecycle worker;

    PawlEndpoint(JobQueue queue, WorkerLifecycle worker) {
        this.queue = queue;
        this.worker = worker;
    }

    /**
     * The current state.
     *
     * @param database product, version, and claim strategy
     * @param queues with their waiting and running jobs
     * @param unattended jobs without a live worker
     * @param workers of all processes
     * @param schedules recurring jobs
     * @param worker counts of this application's own worker since its start; null if there is none
     */
    public record Overview(
            String database,
            List<QueueStats> queues,
            List<UnattendedJobs> unattended,
            List<WorkerInfo> workers,
            List<Recurring> schedules,
            @Nullable WorkerStats worker) {}

    /**
     * A recurring job.
     *
     * @param name of the schedule
     * @param kind of its jobs
     * @param when its recurrence as text
     * @param nextAt its next tick; null if it is paused or has none
     * @param pausedAt since when it is paused; null if it is not
     */
    public record Recurring(
            String name,
            String kind,
            String when,
            @Nullable Instant nextAt,
            @Nullable Instant pausedAt) {
        private static Recurring of(ScheduleInfo schedule) {
            return new Recurring(
                    schedule.name(), schedule.kind(), schedule.text(), schedule.nextAt(), schedule.pausedAt());
        }
    }

    /** {@return the current state; do not poll it every second, because each call counts the jobs in the database} */
    @ReadOperation
    public Overview overview() {
        return new Overview(
                queue.describe(),
                queue.admin().queues().list(Admin.UNLIMITED),
                queue.admin().queues().unattended(),
                queue.admin().workers().list(),
                queue.schedules().list().stream().map(Recurring::of).toList(),
                worker.worker().map(Worker::stats).orElse(null));
    }

    /**
     * Pauses or resumes a queue for all workers.
     *
     * @param name of the queue
     * @param paused whether to stop claiming from it
     */
    @WriteOperation
    public void pause(@Selector String name, boolean paused) {
        if (paused) {
            queue.admin().queues().pause(name);
        } else {
            boolean unused = queue.admin().queues().resume(name);
        }
    }
}
