package dev.pawl.metrics;

import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunInterceptor;
import dev.pawl.api.RunSuspended;
import dev.pawl.api.WorkerEvent;
import dev.pawl.api.WorkerStats;
import dev.pawl.metrics.Names.Measure;
import dev.pawl.metrics.Names.Outcomes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures a program's jobs. {@link Names} lists the metrics, and {@link Meters} passes them to a metrics library. One instance per program
 * is enough. Thread-safe.
 *
 * <p>It never queries the database, except for {@link #sample}. Queues and kinds are labels, up to a limit; job ids
 * never are.
 */
public final class JobMetrics implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobMetrics.class);
    private static final int USUAL_NAMES = 100;

    private final Meters meters;
    private final LabelLimit queues;
    private final LabelLimit kinds;
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    private final List<Sampler> samplers = new CopyOnWriteArrayList<>();

    /**
     * Creates metrics with at most 100 queues and 100 kinds as labels.
     *
     * @param meters where the metrics go
     */
    public JobMetrics(Meters meters) {
        this(meters, USUAL_NAMES);
    }

    /**
     * @param meters where the metrics go
     * @param names maximum number of queues, and of kinds, as labels, first come first served; all others are counted
     *     as {@code other}. 1 to 10,000
     * @throws IllegalArgumentException if the number is outside its range
     */
    public JobMetrics(Meters meters, int names) {
        if (names < 1 || names > 10_000) {
            throw new IllegalArgumentException("names " + names + " is not valid: use 1 to 10000");
        }
        this.meters = meters;
        this.queues = new LabelLimit(names);
        this.kinds = new LabelLimit(names);
    }

    /**
     * Counts the jobs that the program enqueues. Call this after adding interceptors that refuse jobs, so that refused jobs are not
     * counted.
     *
     * @param queue before it is opened
     * @return the same
     */
    public JobQueueBuilder measure(JobQueueBuilder queue) {
        return queue.interceptEnqueue(this::enqueued);
    }

    private JobRequest enqueued(JobRequest request) {
        quietly(() -> meters.count(Measure.ENQUEUED, labels(request.options().queue(), request.kind())));
        return request;
    }

    /**
     * Counts and times the runs of a worker.
     *
     * @param worker before it is started
     * @return the same
     */
    public WorkerBuilder measure(WorkerBuilder worker) {
        return worker.listener(this::happened).intercept(this::timed);
    }

    /**
     * Exposes a worker's state: running handlers, buffered jobs, claims. Several workers of a program are summed.
     *
     * @param worker a started worker, which is measured until it stops
     * @return the same
     */
    public synchronized Worker measure(Worker worker) {
        if (workers.contains(worker)) {
            return worker;
        }
        boolean first = workers.isEmpty();
        workers.add(worker);
        if (first) {
            counter(Measure.CLAIMED, WorkerStats::claimed);
            counter(Measure.CLAIMS_LOST, WorkerStats::claimsLost);
            counter(Measure.RESCUED, WorkerStats::rescued);
            gauge(Measure.RUNNING, WorkerStats::running);
            gauge(Measure.BUFFERED, WorkerStats::buffered);
            gauge(Measure.CONCURRENCY, WorkerStats::concurrency);
        }
        return worker;
    }

    private void counter(Measure measure, ToLongFunction<WorkerStats> value) {
        quietly(() -> meters.counter(measure, () -> sum(workers, value)));
    }

    /** Sums the values of live workers, because a stopped worker has no running handlers and no capacity. */
    private void gauge(Measure measure, ToLongFunction<WorkerStats> value) {
        quietly(() -> meters.gauge(
                measure, () -> sum(workers.stream().filter(Worker::isAlive).toList(), value)));
    }

    private static long sum(List<Worker> workers, ToLongFunction<WorkerStats> value) {
        return workers.stream()
                .mapToLong(worker -> value.applyAsLong(worker.stats()))
                .sum();
    }

    /**
     * Starts a thread that periodically reads the depth of all queues, the age of their oldest jobs, the pauses of queues and kinds, and
     * the number of workers, until this is closed. Reading the metrics causes no query. Each sample runs a few statements that count the
     * unfinished jobs. If these are slow, the interval grows, up to five minutes, so that sampling takes at most a twentieth of the time.
     * The values cover all programs of the database, so it is enough that one or two programs sample. If the database fails, these metrics
     * are removed until it responds again.
     *
     * @param queue the queue
     * @param every minimum interval, 1 s to 1 h
     * @throws IllegalArgumentException if that is outside its range
     */
    public void sample(JobQueue queue, Duration every) {
        if (every.compareTo(Duration.ofSeconds(1)) < 0 || every.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("the queues cannot be read every " + every + ": use 1 s to 1 h");
        }
        Sampler sampler = new Sampler(queue, meters, queues, kinds, every);
        samplers.add(sampler);
        sampler.start();
    }

    /** Stops {@link #sample}, removes its metrics, and unregisters the callbacks of the meters. Call it after the workers have stopped. */
    @Override
    public void close() {
        samplers.forEach(Sampler::close);
        samplers.clear();
        quietly(meters::close);
    }

    private void happened(WorkerEvent event) {
        Job job = event.job();
        List<String> labels = labels(job.queue(), job.kind());
        if (event instanceof WorkerEvent.Started started) {
            meters.count(Measure.STARTED, labels);
            meters.record(Measure.WAIT, labels, waited(job, started.sinceClaim()));
            return;
        }
        Measure measure = measure(event);
        if (measure != null) {
            meters.count(measure, labels);
        }
    }

    private static @Nullable Measure measure(WorkerEvent event) {
        if (event instanceof WorkerEvent.Completed) {
            return Measure.COMPLETED;
        } else if (event instanceof WorkerEvent.Failed) {
            return Measure.RETRIED;
        } else if (event instanceof WorkerEvent.Snoozed) {
            return Measure.SNOOZED;
        } else if (event instanceof WorkerEvent.Discarded) {
            return Measure.DISCARDED;
        } else if (event instanceof WorkerEvent.Cancelled) {
            return Measure.CANCELLED;
        } else if (event instanceof WorkerEvent.LeaseLost) {
            return Measure.LEASES_LOST;
        } else if (event instanceof WorkerEvent.Stalled) {
            return Measure.STALLED;
        }
        return null;
    }

    /**
     * {@return the wait} It is measured by the database's clock until the claim, and by the local clock afterwards: the two are never
     * compared.
     */
    private static Duration waited(Job job, Duration sinceClaim) {
        Instant claimed = job.startedAt();
        Duration until = claimed == null ? Duration.ZERO : Duration.between(job.availableAt(), claimed);
        return until.isNegative() ? sinceClaim : until.plus(sinceClaim);
    }

    private Outcome timed(JobRun run, RunInterceptor.Handling handler) throws Exception {
        long begun = System.nanoTime();
        Outcomes how = Outcomes.FAILED;
        try {
            Outcome outcome = handler.proceed();
            how = Outcomes.of(outcome);
            return outcome;
        } catch (RunSuspended waits) { // not a failure: the run continues later
            how = Outcomes.SNOOZED;
            throw waits;
        } finally {
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            String ended = how.word();
            quietly(() -> meters.record(
                    Measure.RUN,
                    List.of(queues.of(run.job().queue()), kinds.of(run.job().kind()), ended),
                    took));
        }
    }

    /** A failing measurement does not affect the enqueue or the run. */
    private static void quietly(Runnable measuring) {
        try {
            measuring.run();
        } catch (RuntimeException | LinkageError broken) {
            LOG.warn("a metric could not be written: {}", broken.toString());
        }
    }

    private List<String> labels(String queue, String kind) {
        return List.of(queues.of(queue), kinds.of(kind));
    }
}
