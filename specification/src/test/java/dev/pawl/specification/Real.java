package dev.pawl.specification;

import dev.pawl.EnqueueResult;
import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.JobRequest;
import dev.pawl.JobRun;
import dev.pawl.Strategy;
import dev.pawl.admin.JobFilter;
import dev.pawl.internal.QueueInside;
import dev.pawl.internal.engine.StepWorker;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The queue on a database, as a program drives it. */
public final class Real implements AutoCloseable {
    public final Stage stage;
    public JobQueue queue;
    public StepWorker worker;
    Releases releases;
    /** What the worker runs, the oldest first. */
    public final List<Held> runs = new ArrayList<>();

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final Strategy strategy;
    private Instant now = Stage.START;
    /** The clock of the workers; it is not set forward when that of the database is. Far enough ahead of the real one. */
    private long nanos = System.nanoTime() + TimeUnit.HOURS.toNanos(1);

    /**
     * What the worker thinks that it runs.
     *
     * @param run as it was claimed
     * @param claim the model's number of the claim
     */
    public record Held(StepWorker.Run run, long claim) {}

    public Real(Stage stage, Strategy strategy) throws SQLException {
        this.stage = stage;
        this.strategy = strategy;
        stage.clock(Stage.START);
        stage.empty();
        queue = opened(stage);
        worker = worker();
        releases = new Releases(queue, QueueInside.of(queue).ports());
    }

    /** {@return the claims of what the worker runs} */
    Set<Long> claims() {
        return runs.stream().map(Held::claim).collect(Collectors.toSet());
    }

    private static JobQueue opened(Stage stage) {
        return JobQueue.builder(stage.pool())
                .notifications(false)
                .migrate(false)
                .open();
    }

    private StepWorker worker() throws SQLException {
        return new StepWorker(QueueInside.of(queue).ports(), strategy, "steps", () -> nanos);
    }

    /** The process has died, with all that it ran and knew; another one goes on. */
    public void restart() throws SQLException {
        runs.clear();
        queue = opened(stage);
        worker = worker();
    }

    public EnqueueResult enqueue(@Nullable Connection connection, Request wanted) {
        JobRequest job = new JobRequest(wanted.kind(), wanted.payload(), wanted.options());
        return connection == null ? queue.enqueue(job) : queue.enqueue(connection, job);
    }

    /** {@return a run of which only the job is asked for} */
    public static JobRun runOf(Job job) {
        return (JobRun) Proxy.newProxyInstance(
                Real.class.getClassLoader(), new Class<?>[] {JobRun.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("job")) {
                        return job;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    /** {@return all jobs that the queue shows} */
    public Map<Long, Job> listed() {
        Map<Long, Job> listed = new HashMap<>();
        for (Job job : queue.admin().list(JobFilter.ALL.limit(1_000))) {
            if (listed.put(job.id(), job) != null) {
                throw new Difference("job " + job.id() + " is listed twice");
            }
        }
        return listed;
    }

    /** Time goes on. */
    public void clock(Instant moment) throws SQLException {
        nanos += Duration.between(now, moment).toNanos();
        stepClock(moment);
    }

    /** The clock of the database is set. */
    public void stepClock(Instant moment) throws SQLException {
        boolean isSoon = Duration.between(now, moment).compareTo(HEARTBEAT) < 0;
        now = moment;
        stage.clock(moment);
        if (!isSoon) {
            releases.heartbeat();
        }
    }

    @Override
    public void close() {
        queue.close();
    }
}
