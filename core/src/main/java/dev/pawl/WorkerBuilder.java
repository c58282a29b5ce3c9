package dev.pawl;

import dev.pawl.admin.QueueAdmin;
import dev.pawl.admin.WorkerAdmin;
import dev.pawl.api.ChunkHandler;
import dev.pawl.api.ChunkInterceptor;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handler;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobType;
import dev.pawl.api.Names;
import dev.pawl.api.PayloadCheck;
import dev.pawl.api.Prefetch;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.RunInterceptor;
import dev.pawl.api.SchemaException;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerEvent;
import dev.pawl.internal.engine.Completing;
import dev.pawl.internal.engine.Engine;
import dev.pawl.internal.engine.MatchingQueues;
import dev.pawl.internal.engine.QueueOrder;
import dev.pawl.internal.engine.ShutdownTimeouts;
import dev.pawl.internal.engine.WorkerConfig;
import dev.pawl.internal.store.Declaration;
import dev.pawl.schedule.Schedule;
import dev.pawl.schedule.ScheduleInfo;
import dev.pawl.spi.HandlerRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Handlers and options of a {@link Worker}. Confined to one thread; {@link #start} checks and copies everything. */
public final class WorkerBuilder {
    private static final Duration USUAL_SLEEP = Duration.ofHours(1);

    private final JobQueue queue;
    private final dev.pawl.internal.engine.Handlers handlers;
    private final List<Consumer<WorkerEvent>> listeners = new ArrayList<>();
    private final List<RunInterceptor> interceptors = new ArrayList<>();
    private final List<ChunkInterceptor> chunkInterceptors = new ArrayList<>();
    private final List<Declaration> schedules = new ArrayList<>();
    private boolean onlyDeclaredSchedules;
    private final List<JobType<?>> types = new ArrayList<>();
    private QueueOrder order = new QueueOrder.Strict(List.of("default"));
    private int concurrency = 10;
    private int maxConcurrency;
    private @Nullable SharedConcurrency shared;
    private Prefetch prefetch = Prefetch.DEFAULTS;
    private Duration lease = Duration.ofSeconds(20);
    private Duration pollInterval = Duration.ofSeconds(1);
    private @Nullable Duration maxSuspend;
    private boolean mustBeWoken;
    private Duration grace = Duration.ofSeconds(30);
    private RetryPolicy retryPolicy = RetryPolicy.DEFAULT;
    private Strategy strategy = Strategy.AUTO;
    private boolean virtualThreads = true;
    private String name = Engine.defaultName();

    WorkerBuilder(JobQueue queue) {
        this.queue = queue;
        this.handlers = new dev.pawl.internal.engine.Handlers(queue.runtime().codec());
    }

    /**
     * Adds a handler for jobs of a type. A normal return completes the job.
     *
     * @param type the type
     * @param handler thread-safe
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException if the kind has a handler already
     */
    public <T> WorkerBuilder handle(JobType<T> type, JobHandler<T> handler) {
        return handle(type, handler, HandlerOptions.DEFAULTS);
    }

    /**
     * Adds a handler for jobs of a type, with options. A normal return completes the job.
     *
     * @param type the type
     * @param handler thread-safe
     * @param options timeout, retry policy and weight
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException if the kind has a handler already
     */
    public <T> WorkerBuilder handle(JobType<T> type, JobHandler<T> handler, HandlerOptions options) {
        return handle(type, Handlers.completing(Completing.of(handler)), options);
    }

    /**
     * Adds a handler that returns a result or an outcome, or runs many jobs in one call.
     *
     * @param type the type
     * @param handler from {@link Handlers}
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException if the kind has a handler already
     */
    public <T> WorkerBuilder handle(JobType<T> type, Handler<T> handler) {
        return handle(type, handler, HandlerOptions.DEFAULTS);
    }

    /**
     * Adds a handler that returns a result or an outcome, or runs many jobs in one call, with options.
     *
     * @param type the type
     * @param handler from {@link Handlers}
     * @param options timeout of a call, retry policy of each job, weight of a call
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException if the kind has a handler already
     */
    public <T> WorkerBuilder handle(JobType<T> type, Handler<T> handler, HandlerOptions options) {
        handlers.add(type, handler, options);
        types.add(type);
        return this;
    }

    /**
     * Sets the largest result that a run may have, see {@link dev.pawl.api.JobRun#result}.
     *
     * @param bytes of UTF-8, 1 to 16,000,000. Default 64 KiB
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public WorkerBuilder maxResultBytes(int bytes) {
        if (bytes < 1 || bytes > 16_000_000) {
            throw new IllegalArgumentException("maxResultBytes " + bytes + " is not valid: use 1 to 16000000");
        }
        handlers.mostResultBytes(bytes);
        return this;
    }

    /** If an earlier version of a type has no handler, routes its jobs to the handler of the next version that has one. */
    private void addEarlierVersions() {
        types.sort(Comparator.comparing(JobType::version));
        for (JobType<?> type : types) {
            for (String earlier : type.earlier()) {
                if (!handlers.kinds().contains(earlier)) {
                    handlers.alias(earlier, type.kind());
                }
            }
        }
    }

    /**
     * Adds handlers of an extension, for example handlers that assign jobs to remote workers, or handlers of a tool that knows no Java
     * types.
     *
     * @param extension adds its handlers to the registry, during this call
     * @return this
     */
    public WorkerBuilder extend(Consumer<HandlerRegistry> extension) {
        extension.accept(handlers);
        return this;
    }

    /** {@return the kinds that have a handler so far, aliases included} */
    public Set<String> kinds() {
        return Set.copyOf(handlers.kinds());
    }

    /**
     * Claims from these queues in strict order: from each queue only when all queues before it are empty.
     *
     * @param names one or more. Default: {@code default}
     * @return this
     * @throws IllegalArgumentException if a name is malformed, or there is none
     */
    public WorkerBuilder queues(String... names) {
        List.of(names).forEach(each -> Names.check("queue", each));
        if (names.length == 0) {
            throw new IllegalArgumentException("a worker needs at least one queue");
        }
        order = new QueueOrder.Strict(List.of(names));
        return this;
    }

    /**
     * Claims from all queues whose names match, including queues that are created later. All these queues have the same
     * priority: each round of claims begins with a random one. A round first reads which queues have due jobs and
     * claims only from those, so empty queues cost no statement. For fairness among many tenants, prefer concurrency
     * keys ({@link EnqueueOptions#key}): a key costs less than a queue.
     *
     * @param patterns names of queues in which {@code *} stands for any text, such as {@code mail-*}, or {@code *} for
     *     all
     * @return this
     * @throws IllegalArgumentException if a pattern cannot match a valid name, or there is none
     */
    public WorkerBuilder queuesLike(String... patterns) {
        if (patterns.length == 0) {
            throw new IllegalArgumentException("a worker needs at least one queue");
        }
        List.of(patterns).forEach(each -> Names.check("queue", each.replace('*', 'x')));
        order = new MatchingQueues(List.of(patterns));
        return this;
    }

    /**
     * Claims from these queues in proportion to their weights. A queue without jobs leaves its share to the others.
     *
     * @param weights for each queue 1 to 1,000
     * @return this
     * @throws IllegalArgumentException if a name is malformed, a weight is outside its range, or there is no queue
     */
    public WorkerBuilder weightedQueues(Map<String, Integer> weights) {
        if (weights.isEmpty()) {
            throw new IllegalArgumentException("a worker needs at least one queue");
        }
        weights.forEach((each, weight) -> {
            Names.check("queue", each);
            requireRange("the weight of queue " + each, weight, 1, 1000);
        });
        order = new QueueOrder.Weighted(Map.copyOf(weights));
        return this;
    }

    /**
     * Sets how many handlers run at once; a handler with a {@link HandlerOptions#weight} counts as that many. It can be
     * changed while the worker runs: {@link Worker#concurrency(int)}, {@link WorkerAdmin#scale}.
     *
     * @param handlersAtOnce 1 to 10,000. Default 10
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public WorkerBuilder concurrency(int handlersAtOnce) {
        requireRange("concurrency", handlersAtOnce, 1, 10_000);
        this.concurrency = handlersAtOnce;
        this.shared = null;
        return this;
    }

    /**
     * Lets the worker share its concurrency with other workers of this process, usually workers on other databases. Each worker may run any
     * part of the shared number of handlers, and all workers together never exceed it. See {@link SharedConcurrency}.
     *
     * @param concurrency of all these workers; replaces {@link #concurrency(int)}. The running worker may be scaled down to a part of the
     *     shared number
     * @return this
     */
    public WorkerBuilder concurrency(SharedConcurrency concurrency) {
        this.shared = concurrency;
        this.concurrency = concurrency.handlersAtOnce();
        return this;
    }

    /**
     * Sets the highest concurrency to which the running worker may be scaled. By default the concurrency cannot be raised above its initial
     * value, because the program has sized its pool and its memory for that.
     *
     * @param handlersAtOnce {@link #concurrency} to 10,000. Default: the concurrency
     * @return this
     * @throws IllegalArgumentException if it is outside the range; by {@link #start}, if it is less than the
     *     concurrency
     */
    public WorkerBuilder maxConcurrency(int handlersAtOnce) {
        requireRange("maxConcurrency", handlersAtOnce, 1, 10_000);
        this.maxConcurrency = handlersAtOnce;
        return this;
    }

    /**
     * Sets how far the worker claims ahead of its handlers, and when it stops claiming.
     *
     * @param newPrefetch size of the buffer and of a claim, and the use of the heap above which nothing is claimed.
     *     Default {@link Prefetch#DEFAULTS}
     * @return this
     */
    public WorkerBuilder prefetch(Prefetch newPrefetch) {
        this.prefetch = Objects.requireNonNull(newPrefetch);
        return this;
    }

    /**
     * Sets the duration of a lease. The worker renews its leases before they expire; if it dies, its jobs are rescued
     * after this time.
     *
     * @param duration 1 s to 1 day. Default 20 s
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public WorkerBuilder lease(Duration duration) {
        requireRange("lease", duration, Duration.ofSeconds(1), Duration.ofDays(1));
        this.lease = duration;
        return this;
    }

    /**
     * Sets the maximum time between two polls of an empty queue. The worker polls more often if there were jobs
     * recently, and at once when it is notified of new ones.
     *
     * @param duration 1 ms to 1 hour, varied by ±20 %. Default 1 s
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public WorkerBuilder pollInterval(Duration duration) {
        requireRange("pollInterval", duration, Duration.ofMillis(1), Duration.ofHours(1));
        this.pollInterval = duration;
        return this;
    }

    /**
     * Sends no statement while the worker is idle, so that a database that is billed by use can suspend, too. Does the same as {@link
     * #suspendWhenIdle(Duration)} with an hour, except that {@link #start} refuses it unless other processes can wake the worker. They can
     * on PostgreSQL with {@link JobQueueBuilder#notifications}.
     *
     * @return this
     */
    public WorkerBuilder suspendWhenIdle() {
        mustBeWoken = true;
        maxSuspend = USUAL_SLEEP;
        return this;
    }

    /**
     * Sends no statement while the worker is idle. After three seconds without activity, the worker reads when it must resume: when the
     * next job or tick of a schedule is due, another worker's lease expires or an outage ends. It marks itself as suspended in its row, and
     * sends nothing until then. It wakes earlier for every enqueue in this process, for enqueues in other processes on PostgreSQL (LISTEN),
     * and for changes by operators. It does not suspend while the connection on which it listens does not work.
     *
     * <p>On other databases, or without {@link JobQueueBuilder#notifications}, other processes cannot wake the worker, so their jobs may
     * wait for {@code atMost}. Without this option, which is the default, a worker never suspends. A worker that assigns jobs to remote
     * workers cannot suspend, so {@link #start} refuses this option for it.
     *
     * @param atMost longest suspension, 10 s to 30 days; it bounds the delay of jobs whose notification is lost because a
     *     process dies between its commit and its NOTIFY
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public WorkerBuilder suspendWhenIdle(Duration atMost) {
        requireRange("suspendWhenIdle", atMost, Duration.ofSeconds(10), Duration.ofDays(30));
        mustBeWoken = false;
        maxSuspend = atMost;
        return this;
    }

    private void requireSuspendable() {
        if (maxSuspend != null && handlers.anyRemote()) {
            throw new IllegalArgumentException(
                    "a worker that hands jobs off checks them even while it is idle: remove suspendWhenIdle");
        }
        if (mustBeWoken && !queue.runtime().ports().wakes().reachesOthers()) {
            throw new IllegalArgumentException(
                    "suspendWhenIdle() needs a database by which other processes can wake the worker:"
                            + " PostgreSQL, with notifications; here ("
                            + queue.runtime().database().dialect().server()
                            + ") say how long their jobs may wait: suspendWhenIdle(Duration.ofMinutes(5))");
        }
    }

    /**
     * Sets how long {@link Worker#close} waits for running handlers before it interrupts them.
     *
     * @param duration zero to 1 day. Default 30 s
     * @return this
     * @throws IllegalArgumentException if it is outside the range
     */
    public WorkerBuilder grace(Duration duration) {
        requireRange("grace", duration, Duration.ZERO, Duration.ofDays(1));
        this.grace = duration;
        return this;
    }

    /**
     * Sets the retry policy of handlers without one of their own.
     *
     * @param policy default {@link RetryPolicy#DEFAULT}
     * @return this
     */
    public WorkerBuilder retryPolicy(RetryPolicy policy) {
        this.retryPolicy = Objects.requireNonNull(policy);
        return this;
    }

    /**
     * Sets how jobs of all queues of this worker are claimed and run. With {@link Strategy#AUTO}, each queue uses the strategy from {@link
     * QueueAdmin#setStrategy}, or {@link Strategy.Lanes} if none was set.
     *
     * @param newStrategy default {@link Strategy#AUTO}
     * @return this
     */
    public WorkerBuilder strategy(Strategy newStrategy) {
        this.strategy = Objects.requireNonNull(newStrategy);
        return this;
    }

    /**
     * Sets whether handlers run on virtual threads or on a pool of platform threads. JVMs before 21 have only platform threads.
     *
     * @param wanted default true
     * @return this
     */
    public WorkerBuilder virtualThreads(boolean wanted) {
        this.virtualThreads = wanted;
        return this;
    }

    /**
     * Sets the worker's name in listings.
     *
     * @param newName at most 200 characters. Default: host/process
     * @return this
     */
    public WorkerBuilder name(String newName) {
        this.name = Names.checkKey("worker name", newName);
        return this;
    }

    /**
     * Adds a listener for events of jobs. It is called on the worker's own threads and on the thread that stops the worker, so it must be
     * quick and thread-safe; its exceptions are logged and ignored.
     *
     * @param listener called in addition to those added before
     * @return this
     */
    public WorkerBuilder listener(Consumer<WorkerEvent> listener) {
        listeners.add(Objects.requireNonNull(listener));
        return this;
    }

    /**
     * Wraps every call of a handler of this worker, including handlers added before; see {@link RunInterceptor}.
     * Handlers that assign jobs to remote workers are not wrapped.
     *
     * @param interceptor runs inside those added before. Default: none
     * @return this
     */
    public WorkerBuilder intercept(RunInterceptor interceptor) {
        interceptors.add(Objects.requireNonNull(interceptor));
        return this;
    }

    /**
     * Wraps every call of a {@link ChunkHandler} of this worker, including handlers added before; see
     * {@link ChunkInterceptor}.
     *
     * @param interceptor runs inside those added before. Default: none
     * @return this
     */
    public WorkerBuilder interceptChunk(ChunkInterceptor interceptor) {
        chunkInterceptors.add(Objects.requireNonNull(interceptor));
        return this;
    }

    /**
     * Routes jobs of a renamed kind to the handler of its new name. They are read and run as jobs of the new type. A
     * unique key is unique within one kind, so it does not cover both names.
     *
     * @param former the former name
     * @param type the new type, whose handler was added before
     * @return this
     * @throws IllegalArgumentException if the type has no handler yet, or the former name has one
     */
    public WorkerBuilder alias(String former, JobType<?> type) {
        handlers.alias(Names.check("kind", former), type.kind());
        return this;
    }

    /**
     * Decodes the payloads of all live jobs that have a handler here, without running them. Use it before a deployment,
     * to check that the new release can read what the old one has written. Jobs of kinds without a handler are counted.
     * Each job that exists during the whole check is read once, even while workers run; jobs enqueued during the check
     * are not read. It also reads the payloads of stored schedules and of callbacks of unfinished batches, but not of
     * schedules declared here ({@link #schedule}), which this program will overwrite.
     *
     * @return the payloads that can be read, those that cannot, and those without a handler
     * @throws IllegalArgumentException if there is no handler
     * @throws DatabaseException if the database fails
     */
    public PayloadCheck checkPayloads() {
        return checkPayloads(looked -> {});
    }

    /**
     * Decodes the payloads like {@link #checkPayloads()} and reports progress.
     *
     * @param progress called on the calling thread with the number of jobs read so far
     * @return the payloads that can be read, those that cannot, and those without a handler
     * @throws IllegalArgumentException if there is no handler
     * @throws DatabaseException if the database fails
     */
    public PayloadCheck checkPayloads(LongConsumer progress) {
        if (handlers.kinds().isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing can be checked without handlers: call handle(…) before checkPayloads()");
        }
        addEarlierVersions();
        Set<String> declared = schedules.stream().map(Declaration::name).collect(Collectors.toSet());
        List<ScheduleInfo> stored = queue.schedules().list().stream()
                .filter(schedule -> !declared.contains(schedule.name()))
                .toList();
        return new PayloadReader(queue.runtime().database(), stored, handlers, progress).check();
    }

    /**
     * Declares a recurring job, which is written to the database when the worker starts. If the schedule exists, its job, missed and
     * overlap are updated. Its recurrence is updated only if its declaration has changed, so that a recurrence set by an operator stays.
     * Any worker on the database enqueues its jobs, and the schedule remains when this program stops; {@link Schedules} lists, changes and
     * removes it.
     *
     * <p>If live workers of two releases declare it differently, the newest declaration applies. Its age counts from the start of the first
     * live worker that declares it. When that release is gone, for example after a rollback, the other declaration applies within half a
     * minute.
     *
     * @param schedule the schedule
     * @param <T> the payload
     * @return this
     * @throws IllegalArgumentException if a schedule of that name is declared already, the payload cannot be encoded or is too large, or
     *     {@code missed} and {@code overlap} cannot be combined: see {@link Schedule}
     */
    public <T> WorkerBuilder schedule(Schedule<T> schedule) {
        if (schedules.stream().anyMatch(one -> one.name().equals(schedule.name()))) {
            throw new IllegalArgumentException("schedule '" + schedule.name() + "' is declared twice");
        }
        schedules.add(Schedules.declaration(queue.runtime(), schedule));
        return this;
    }

    /**
     * Removes schedules that were declared by a program and that no live worker declares any longer. This takes a minute or two. A schedule
     * that is deleted from the code therefore ends. Affects only schedules whose jobs go to this worker's queues, and none that were added
     * with {@link Schedules#add}. A removed schedule that is declared again later starts over, without the ticks that it missed. So do not
     * use this where another service declares schedules for the same queues and may be stopped for a while.
     *
     * @return this
     */
    public WorkerBuilder onlyDeclaredSchedules() {
        onlyDeclaredSchedules = true;
        return this;
    }

    /**
     * Starts the worker. The database need not be reachable yet.
     *
     * @return the running worker
     * @throws IllegalArgumentException if the queue only reads, if there is no handler, if a handler's weight exceeds the concurrency, if a
     *     handler has a weight and the concurrency is shared, if the maximum concurrency differs from the shared concurrency or is less
     *     than the concurrency, if the strategy cannot be combined with handlers that assign jobs to remote workers, or if the worker may
     *     not suspend (see {@link #suspendWhenIdle(Duration)})
     * @throws SchemaException if the database does not support the strategy
     */
    public Worker start() {
        if (queue.isReadOnly()) {
            throw new IllegalArgumentException(
                    "a worker cannot run on a queue that only reads: use the queue of the primary");
        }
        if (handlers.kinds().isEmpty()) {
            throw new IllegalArgumentException("a worker needs at least one handler: call handle(…) before start()");
        }
        addEarlierVersions();
        if (handlers.anyRemote() && strategy instanceof Strategy.Transactional) {
            throw new IllegalArgumentException(
                    "the strategy " + strategy + " runs handlers in the transaction of the claim, so"
                            + " jobs cannot be handed off with it: use Strategy.AUTO or another");
        }
        checkPlaces();
        requireSuspendable();
        WorkerConfig config = new WorkerConfig(
                name,
                handlers.chunksIntercepted(List.copyOf(chunkInterceptors)).intercepted(List.copyOf(interceptors)),
                order,
                concurrency,
                Math.max(concurrency, maxConcurrency),
                prefetch.maxHeapUse(),
                prefetch.buffer(),
                prefetch.bufferBytes(),
                prefetch.batch(),
                lease,
                pollInterval,
                maxSuspend,
                retryPolicy,
                strategy,
                virtualThreads,
                ShutdownTimeouts.USUAL.withGrace(grace),
                List.copyOf(schedules),
                onlyDeclaredSchedules,
                List.copyOf(listeners),
                shared == null ? null : shared.capacity());
        Engine engine = new Engine(queue.runtime().ports(), config);
        engine.start();
        return new Worker(engine, grace);
    }

    private void checkPlaces() {
        if (maxConcurrency != 0 && maxConcurrency < concurrency) {
            throw new IllegalArgumentException("maxConcurrency " + maxConcurrency
                    + " is less than the worker's concurrency " + concurrency + ": raise the one or lower the other");
        }
        if (shared != null && maxConcurrency > concurrency) {
            throw new IllegalArgumentException("maxConcurrency " + maxConcurrency + " is more than the " + concurrency
                    + " handlers that the workers run together: leave it out");
        }
        handlers.weights().forEach((kind, weight) -> {
            if (shared != null) {
                throw new IllegalArgumentException("jobs of kind '" + kind + "' have a weight of " + weight
                        + ", and workers that share their concurrency count every job once: leave the weight out, or"
                        + " give this kind a worker with a concurrency of its own");
            }
            if (weight > concurrency) {
                throw new IllegalArgumentException("a job of kind '" + kind + "' takes " + weight
                        + " places, and the worker has " + concurrency
                        + ", so it would never run: lower the weight or raise the concurrency");
            }
        });
    }

    private static void requireRange(String what, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(what + " " + value + " is not valid: use " + low + " to " + high);
        }
    }

    private static void requireRange(String what, Duration value, Duration low, Duration high) {
        if (value.compareTo(low) < 0 || value.compareTo(high) > 0) {
            throw new IllegalArgumentException(what + " " + value + " is not valid: use " + low + " to " + high);
        }
    }
}
