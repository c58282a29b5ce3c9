package dev.pawl.spring.boot;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.spring.WorkerLifecycle;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Checks that the queue is reachable, and that the worker is running and can write. The number of waiting jobs does not affect health. */
final class WorkerHealth {
    /** One lost connection is not an outage. */
    private static final Duration LONG = Duration.ofSeconds(2);

    private final JobQueue queue;
    private final WorkerLifecycle lifecycle;

    WorkerHealth(JobQueue queue, WorkerLifecycle lifecycle) {
        this.queue = queue;
        this.lifecycle = lifecycle;
    }

    /**
     * @param up whether everything works
     * @param details for people
     */
    record Result(boolean up, Map<String, Object> details) {}

    /**
     * Runs one small statement; throws the database's exception.
     *
     * @return the result
     */
    Result check() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("database", queue.describe());
        long alive = queue.admin().workers().list().stream()
                .filter(each -> each.alive())
                .count();
        details.put("workersAlive", alive);
        Optional<Worker> worker = lifecycle.worker();
        boolean works = worker.isEmpty() || worker.get().isAlive();
        details.put("worker", worker.isEmpty() ? "none" : works ? "running" : "stopped");
        Optional<Duration> lost = worker.flatMap(Worker::databaseLostFor).filter(time -> time.compareTo(LONG) >= 0);
        lost.ifPresent(time -> details.put("cannotWriteFor", time.toString()));
        worker.flatMap(Worker::failure).ifPresent(failure -> details.put("failure", failure.toString()));
        return new Result(works && lost.isEmpty(), details);
    }
}
