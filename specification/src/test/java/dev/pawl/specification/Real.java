package dev.pawl.specification;

import dev.pawl.EnqueueResult;
import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.JobRequest;
import dev.pawl.JobRun;
import dev.pawl.PayloadCodec;
import dev.pawl.Strategy;
import dev.pawl.admin.JobFilter;
import dev.pawl.internal.QueueInside;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.engine.StepWorker;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queue on a database, as a program drives it. */
final class Real implements AutoCloseable {
    final Stage stage;
    private final Strategy strategy;
    private Client current;
    private @Nullable Client other;
    private boolean hasLimits;
    private boolean hasSchedules;
    /** Of the program that takes this step. */
    JobQueue queue;

    StepWorker worker;
    /** What programs have reserved. */
    final List<SlotOps.Owned> slots = new ArrayList<>();
    /** What the worker runs, the oldest first. */
    final List<Held> runs = new ArrayList<>();

    /**
     * What the worker thinks that it runs.
     *
     * @param run as it was claimed
     * @param claim the model's number of the claim
     * @param worker that runs it
     */
    record Held(StepWorker.Run run, long claim, StepWorker worker) {}

    /** A program with a queue and a worker of its own. */
    private static final class Client {
        /** Of the first queue: a new one has to find out how to write each type. */
        private static volatile @Nullable PayloadCodec codec;

        final JobQueue queue;
        StepWorker worker;

        Client(Stage stage, Strategy strategy) throws SQLException {
            JobQueueBuilder builder =
                    JobQueue.builder(stage.pool()).notifications(false).migrate(false);
            queue = (codec == null ? builder : builder.codec(codec)).open();
            codec = QueueInside.of(queue).codec();
            worker = newWorker(queue, strategy);
        }

        static StepWorker newWorker(JobQueue queue, Strategy strategy) throws SQLException {
            QueueRuntime inside = QueueInside.of(queue);
            return new StepWorker(inside.ports(), strategy, "steps", inside.codec());
        }
    }

    Real(Stage stage, Strategy strategy) throws SQLException {
        this.stage = stage;
        stage.clock(Stage.START);
        stage.empty();
        this.strategy = strategy;
        current = new Client(stage, strategy);
        queue = current.queue;
        worker = current.worker;
    }

    /** The steps that follow are those of the other program. */
    void swap() throws SQLException {
        Client next = other == null ? new Client(stage, strategy) : other;
        other = current;
        current = next;
        queue = current.queue;
        worker = current.worker;
    }

    /** All workers die with what they run; others take their places. */
    void crash() throws SQLException {
        runs.clear();
        current.worker = Client.newWorker(current.queue, strategy);
        worker = current.worker;
        if (other != null) {
            other.worker = Client.newWorker(other.queue, strategy);
        }
    }

    EnqueueResult enqueue(@Nullable Connection connection, Request wanted) {
        JobRequest job = new JobRequest(wanted.kind(), wanted.payload(), wanted.options());
        return connection == null ? queue.enqueue(job) : queue.enqueue(connection, job);
    }

    /** {@return a run of which only the job is asked for} */
    static JobRun runOf(Job job) {
        return (JobRun) Proxy.newProxyInstance(
                Real.class.getClassLoader(), new Class<?>[] {JobRun.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("job")) {
                        return job;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    /** {@return all jobs that the queue shows} */
    Map<Long, Job> listed() {
        Map<Long, Job> listed = new HashMap<>();
        for (Job job : queue.admin().list(JobFilter.ALL.limit(1_000))) {
            if (listed.put(job.id(), job) != null) {
                throw new Difference("job " + job.id() + " is listed twice");
            }
        }
        return listed;
    }

    /** What hardly any program has is asked for only if it may be there. */
    void compareRest(Model model) {
        hasLimits |= model.limits.any();
        if (hasLimits) {
            model.limits.compare(queue.limits().list());
        }
        hasSchedules |= model.schedules.any();
        if (hasSchedules) {
            model.schedules.compare(queue.schedules().list());
        }
        if (!slots.isEmpty()) {
            model.slots.compare(queue.slots().list(), model.now);
        }
        if (model.steps.any()) {
            model.compareSteps(queue.admin()::steps);
        }
        model.compareResults(id -> queue.handle(id, Integer.class).result().orElse(null));
    }

    void clock(Instant now) throws SQLException {
        stage.clock(now);
    }

    @Override
    public void close() {
        current.queue.close();
        if (other != null) {
            other.queue.close();
        }
    }
}
