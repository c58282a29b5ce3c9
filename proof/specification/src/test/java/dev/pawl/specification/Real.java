package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobRun;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.Strategy;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.engine.StepWorker;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The queue on a database, as a program drives it. */
public final class Real implements AutoCloseable {
    public final Stage stage;
    private Client current;
    private @Nullable Client other;
    /** Whether the program has used limits; like the features below, they are compared only then. */
    boolean hasLimits;

    boolean hasSchedules;
    boolean hasSlots;
    boolean hasRetentions;
    boolean hasPauses;
    /** Jobs that have taken a step, or received a signal. */
    final Set<Long> withSteps = new HashSet<>();
    /** The queue of the program that takes this step. */
    public JobQueue queue;

    public StepWorker worker;
    final Releases releases;
    /** The slots that programs have reserved. */
    final List<SlotOps.Owned> slots = new ArrayList<>();
    /** The runs that were handed off, also those that have ended. */
    final List<RemoteOps.Remote> remoteRuns = new ArrayList<>();
    /** The worker's runs, the oldest first. */
    public final List<Held> runs = new ArrayList<>();

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final Strategy strategy;
    private Instant now = Stage.START;
    /** The workers' clock, which does not change when the database's clock is set. It starts an hour ahead of the real clock. */
    private long nanos = System.nanoTime() + TimeUnit.HOURS.toNanos(1);

    /**
     * A run that the worker believes it holds.
     *
     * @param run as it was claimed
     * @param claim the model's number of the claim
     * @param worker that runs it
     */
    public record Held(StepWorker.Run run, long claim, StepWorker worker) {}

    /** A program with its own queue and worker. */
    private record Client(JobQueue queue, StepWorker worker) {
        /** The codec of the first queue, reused because a new one would have to analyse each type again. */
        private static volatile @Nullable PayloadCodec codec;

        static Client start(Stage stage, Strategy strategy, LongSupplier nanos) throws SQLException {
            JobQueueBuilder builder =
                    JobQueue.builder(stage.pool()).notifications(false).migrate(false);
            JobQueue queue = (codec == null ? builder : builder.codec(codec)).open();
            QueueRuntime inside = queue.unwrap(QueueRuntime.class);
            codec = inside.codec();
            return new Client(queue, new StepWorker(inside.ports(), strategy, "steps", inside.codec(), nanos));
        }
    }

    public Real(Stage stage, Strategy strategy) throws SQLException {
        this.stage = stage;
        this.strategy = strategy;
        stage.clock(Stage.START);
        stage.empty();
        current = client();
        queue = current.queue;
        worker = current.worker;
        releases = new Releases(queue, queue.unwrap(QueueRuntime.class).ports());
    }

    private Client client() throws SQLException {
        return Client.start(stage, strategy, () -> nanos);
    }

    /** Switches to the other program. */
    void swap() throws SQLException {
        Client next = other == null ? client() : other;
        other = current;
        current = next;
        queue = current.queue;
        worker = current.worker;
    }

    /** {@return the claims of a worker's runs} */
    Set<Long> claims(StepWorker of) {
        return runs.stream()
                .filter(held -> held.worker() == of)
                .map(Held::claim)
                .collect(Collectors.toSet());
    }

    /** {@return the workers of all programs} */
    List<StepWorker> workers() {
        return other == null ? List.of(worker) : List.of(worker, other.worker);
    }

    /** All workers read the clock, as they do every few seconds. */
    void readClocks(Model model) throws SQLException {
        for (StepWorker each : workers()) {
            each.readClock();
            model.clock.reads(each, model.now);
        }
    }

    /** All processes have died, and lost their runs and their state; a new one continues. */
    public void restart() throws SQLException {
        runs.clear();
        other = null;
        current = client();
        queue = current.queue;
        worker = current.worker;
    }

    /** The owners of slots have died. */
    public void forgetSlots() {
        slots.clear();
    }

    public EnqueueResult enqueue(@Nullable Connection connection, Request wanted) {
        JobRequest job = new JobRequest(wanted.kind(), wanted.payload(), wanted.options());
        return connection == null
                ? queue.enqueue(job)
                : queue.within(connection).enqueue(job);
    }

    /** {@return a run that knows only its job} */
    public static JobRun runOf(Job job) {
        return (JobRun) Proxy.newProxyInstance(
                Real.class.getClassLoader(), new Class<?>[] {JobRun.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("job")) {
                        return job;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    /** {@return all jobs that the queue lists} */
    public Map<Long, Job> listed() {
        Map<Long, Job> listed = new HashMap<>();
        for (Job job : queue.admin().jobs().list(JobFilter.ALL.limit(1_000))) {
            if (listed.put(job.id(), job) != null) {
                throw new Difference("job " + job.id() + " is listed twice");
            }
        }
        return listed;
    }

    public void compareBatches(Model model) {
        model.batches.compare(
                id -> queue.batch(id).info(), id -> queue.workflow(id).info());
    }

    /** Rare features are queried only if the program may have used them. */
    public void compareRest(Model model) {
        hasLimits |= model.limits.any();
        if (hasLimits) {
            model.limits.compare(queue.limits().list());
        }
        hasSchedules |= model.schedules.any();
        if (hasSchedules) {
            model.schedules.compare(queue.schedules().list());
        }
        if (hasSlots) {
            model.slots.compare(queue.slots().list(), series -> queue.slots().gaps(series, 1_000), model.now);
        }
        if (!withSteps.isEmpty()) {
            model.compareSteps(withSteps, queue.admin().jobs()::steps);
        }
        if (hasRetentions) {
            model.retention.compare(queue.admin().maintenance().retentions());
        }
        if (hasPauses) {
            same(
                    "all queues are paused",
                    model.allPaused,
                    queue.admin().queues().allPausedSince().isPresent());
        }
        model.compareResults(id -> queue.handle(id, Integer.class).result().orElse(null));
    }

    /** Advances time. */
    public void clock(Instant moment) throws SQLException {
        nanos += Duration.between(now, moment).toNanos();
        stepClock(moment);
    }

    /** Sets the database's clock. */
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
        current.queue.close();
        if (other != null) {
            other.queue.close();
        }
    }
}
