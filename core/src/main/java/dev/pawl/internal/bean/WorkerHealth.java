package dev.pawl.internal.bean;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the queue is reachable, and the application's worker runs and can write. The number of waiting jobs does not
 * affect it.
 *
 * @param up whether everything works
 * @param details for people
 */
public record WorkerHealth(boolean up, Map<String, Object> details) {
    /** Failing writes count only after this duration, because one lost connection is not an outage. */
    private static final Duration LONG = Duration.ofSeconds(2);

    /**
     * Checks the health, with one small statement; throws the database's exception.
     *
     * @param queue of the application
     * @param worker of the application; empty if it has none
     * @return the result
     */
    public static WorkerHealth check(JobQueue queue, Optional<Worker> worker) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("database", queue.describe());
        long alive = queue.admin().workers().list().stream()
                .filter(each -> each.alive())
                .count();
        details.put("workersAlive", alive);
        boolean works = worker.isEmpty() || worker.get().isAlive();
        details.put("worker", worker.isEmpty() ? "none" : works ? "running" : "stopped");
        Optional<Duration> lost = worker.flatMap(Worker::databaseLostFor).filter(time -> time.compareTo(LONG) >= 0);
        lost.ifPresent(time -> details.put("cannotWriteFor", time.toString()));
        worker.flatMap(Worker::failure).ifPresent(failure -> details.put("failure", failure.toString()));
        return new WorkerHealth(works && lost.isEmpty(), details);
    }
}
