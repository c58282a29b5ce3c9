package dev.pawl;

import dev.pawl.admin.JobAdmin;
import dev.pawl.internal.engine.Completing;
import dev.pawl.internal.engine.Engine;
import dev.pawl.internal.engine.Handlers;
import dev.pawl.internal.engine.MatchingQueues;
import dev.pawl.internal.engine.QueueOrder;
import dev.pawl.internal.engine.ShutdownTimeouts;
import dev.pawl.internal.engine.WorkerConfig;
import dev.pawl.internal.store.Declaration;
import dev.pawl.schedule.Schedule;
import dev.pawl.schedule.ScheduleInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Handlers and options of a {@link Worker}. Confined to one thread; {@link #start} freezes and checks everything. */
public final class WorkerBuilder {
    private static final Duration USUAL_SLEEP = Duration.ofHours(1);

    private final JobQueue queue;
    private final Handlers handlers;
    private final List<Consumer<WorkerEvent>> listeners = new ArrayList<>();
    private final List<RunInterceptor> interceptors = new ArrayList<>();
    private final List<ChunkInterceptor> chunkInterceptors = new ArrayList<>();
    private final List<Declaration> schedules = new ArrayList<>();
    private boolean onlyDeclaredSchedules;
    private final List<JobType<?>> types = new ArrayList<>();
    private QueueOrder order = new QueueOrder.Strict(List.of("default"));
    private int concurrency = 10;
    private int maxConcurrency;
    private double maxHeapUse;
    private int buffer = 2000;
    private long bufferBytes = 16L << 20;
    private int batch = 1000;
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
        this.handlers = new Handlers(queue.runtime().codec());
    }

    /**
     * Handles jobs of a type; a normal return completes the job.
     *
     * @param type the type
     * @param handler thread-safe
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if the kind has a handler already
     */
    public <T> WorkerBuilder handle(JobType<T> type, JobHandler<T> handler) {
        return handle(type, handler, HandlerOptions.DEFAULTS);
    }

    /**
     * Handles jobs of a type, with options of their own.
     *
     * @param type the type
     * @param handler thread-safe
     * @param options timeout and retry policy
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if the kind has a handler already
     */
    public <T> WorkerBuilder handle(JobType<T> type, JobHandler<T> handler, HandlerOptions options) {
        return handleWithOutcome(type, Completing.of(handler), options);
    }

    /**
     * Handles jobs of a type; the handler says how the run ended.
     *
     * @param type the type
     * @param handler thread-safe
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if the kind has a handler already
     */
    public <T> WorkerBuilder handleWithOutcome(JobType<T> type, JobHandler.WithOutcome<T> handler) {
        return handleWithOutcome(type, handler, HandlerOptions.DEFAULTS);
    }

    /**
     * Handles jobs of a type, with options of their own; the handler says how the run ended.
     *
     * @param type the type
     * @param handler thread-safe
     * @param options timeout and retry policy
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if the kind has a handler already
     */
    public <T> WorkerBuilder handleWithOutcome(
            JobType<T> type, JobHandler.WithOutcome<T> handler, HandlerOptions options) {
        handlers.add(type, handler, options);
        types.add(type);
        return this;
    }

    /**
     * Handles jobs of a type; what the handler returns is the job's result, see {@link JobRun#result}.
     *
     * @param type the type
     * @param handler thread-safe; never returns null
     * @param <T> the payload
     * @param <R> the result
     * @return this
     * @throws InvalidJobException if the kind has a handler already
     */
    public <T, R> WorkerBuilder handleWithResult(JobType<T> type, JobHandler.WithResult<T, R> handler) {
        return handle(type, (payload, run) -> run.result(handler.handle(payload, run)));
    }

    /**
     * Handles jobs of a type many at a time, in one call: see {@link Chunk}. A call takes one place of the worker. The first job of a
     * chunk is claimed as any other, and others of its kind and queue with it.
     *
     * @param type the type
     * @param size the most jobs of a call, 1 to 1,000: a call gets what is there
     * @param handler thread-safe
     * @param <T> the payload of each
     * @return this
     * @throws InvalidJobException if the kind has a handler already, or the size is outside its range
     */
    public <T> WorkerBuilder handleChunk(JobType<T> type, int size, ChunkHandler<T> handler) {
        return handleChunk(type, ChunkOptions.of(size), handler, HandlerOptions.DEFAULTS);
    }

    /**
     * The same, with options. With {@link Strategy.Transactional} each chunk has one job, because each is claimed by a transaction of its
     * own.
     *
     * @param type the type
     * @param chunk how many jobs at once, and how long the first waits for others
     * @param handler thread-safe
     * @param options timeout of a call, retry policy of each job, weight of a call
     * @param <T> the payload of each
     * @return this
     * @throws InvalidJobException if the kind has a handler already
     */
    public <T> WorkerBuilder handleChunk(
            JobType<T> type, ChunkOptions chunk, ChunkHandler<T> handler, HandlerOptions options) {
        handlers.addChunk(type, chunk, handler, options);
        types.add(type);
        return this;
    }

    /**
     * The largest result to accept, see {@link JobRun#result}.
     *
     * @param bytes of UTF-8, 1 to 16,000,000. Default 64 KiB
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public WorkerBuilder maxResultBytes(int bytes) {
        if (bytes < 1 || bytes > 16_000_000) {
            throw new InvalidJobException("maxResultBytes " + bytes + " is not valid: use 1 to 16000000");
        }
        handlers.mostResultBytes(bytes);
        return this;
    }

    /** What earlier versions have left behind goes to the handler of the next version that has one. */
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
     * Handles jobs of a kind by their encoded payload, as {@link Job#payload()} of the run has it. For tools.
     *
     * @param kind the kind
     * @param handler thread-safe; gets the payload's text
     * @param options timeout and retry policy
     * @return this
     * @throws InvalidJobException if the kind is malformed or has a handler already
     */
    public WorkerBuilder handleEncoded(String kind, JobHandler.WithOutcome<String> handler, HandlerOptions options) {
        handlers.addEncoded(Names.check("kind", kind), handler, options);
        return this;
    }

    /**
     * Handles jobs of a kind by giving them away: the handler finds somebody to do the work and returns
     * {@link Outcome#elsewhere}; from then on {@link RunsElsewhere} looks after the run. It may return any other
     * outcome if nobody has taken the run. Such a worker never runs handlers in the transaction of the claim, even if
     * the queue is set to {@link Strategy.Transactional}. For managers.
     *
     * @param kind the kind
     * @param isOpen whether any worker could run this kind now; while it is false no job of the kind is claimed, so
     *     that the jobs of other kinds do not wait behind them. Asked before every claim; thread-safe, quick
     * @param handler thread-safe; gets the payload's text
     * @param options timeout and retry policy
     * @return this
     * @throws InvalidJobException if the kind is malformed or has a handler already
     */
    public WorkerBuilder handleElsewhere(
            String kind, BooleanSupplier isOpen, JobHandler.WithOutcome<String> handler, HandlerOptions options) {
        handlers.addElsewhere(Names.check("kind", kind), isOpen, handler, options);
        return this;
    }

    /** {@return the kinds that have a handler so far} */
    public Set<String> kinds() {
        return Set.copyOf(handlers.kinds());
    }

    /**
     * Claims from these queues: from the first as long as it has jobs, then from the next.
     *
     * @param names one or more. Default: {@code default}
     * @return this
     * @throws InvalidJobException if a name is malformed
     */
    public WorkerBuilder queues(String... names) {
        List.of(names).forEach(each -> Names.check("queue", each));
        if (names.length == 0) {
            throw new InvalidJobException("a worker needs at least one queue");
        }
        order = new QueueOrder.Strict(List.of(names));
        return this;
    }

    /**
     * Claims from all queues whose names match, including those that come into being later. All are treated alike: each round begins with
     * a random one. A round first reads which queues have due jobs and claims only from these, so the others cost no statement. For fairness
     * among many tenants, give jobs keys instead ({@link EnqueueOptions#key}): a key costs less than a queue.
     *
     * @param patterns names of queues in which {@code *} stands for any text, such as {@code mail-*}, or {@code *} for all
     * @return this
     * @throws InvalidJobException if a pattern could be the name of no queue
     */
    public WorkerBuilder queuesLike(String... patterns) {
        if (patterns.length == 0) {
            throw new InvalidJobException("a worker needs at least one queue");
        }
        List.of(patterns).forEach(each -> Names.check("queue", each.replace('*', 'x')));
        order = new MatchingQueues(List.of(patterns));
        return this;
    }

    /**
     * Claims from these queues in turn, by weight: while all of them have jobs, each gets its share of the sum of all
     * weights; what one does not use goes to the others.
     *
     * @param weights for each queue 1 to 1,000
     * @return this
     * @throws InvalidJobException if a name is malformed or a weight outside its range
     */
    public WorkerBuilder weightedQueues(Map<String, Integer> weights) {
        if (weights.isEmpty()) {
            throw new InvalidJobException("a worker needs at least one queue");
        }
        weights.forEach((each, weight) -> {
            Names.check("queue", each);
            requireRange("the weight of queue " + each, weight, 1, 1000);
        });
        order = new QueueOrder.Weighted(Map.copyOf(weights));
        return this;
    }

    /**
     * How many handlers run at once; handlers with a {@link HandlerOptions#weight} count as that many. It can be changed while the
     * worker runs: {@link Worker#concurrency(int)}, {@link JobAdmin#scale}.
     *
     * @param handlersAtOnce 1 to 10,000. Default 10
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public WorkerBuilder concurrency(int handlersAtOnce) {
        requireRange("concurrency", handlersAtOnce, 1, 10_000);
        this.concurrency = handlersAtOnce;
        return this;
    }

    /**
     * To how many handlers at once the worker may be scaled while it runs. Not beyond its concurrency unless this says so: the
     * program has sized its pool and its memory for that many, and somebody far away does not know them.
     *
     * @param handlersAtOnce {@link #concurrency} to 10,000. Default: the concurrency
     * @return this
     * @throws InvalidJobException if it is outside the range; if it is less than the concurrency, when the worker starts
     */
    public WorkerBuilder maxConcurrency(int handlersAtOnce) {
        requireRange("maxConcurrency", handlersAtOnce, 1, 10_000);
        this.maxConcurrency = handlersAtOnce;
        return this;
    }

    /**
     * Claims no jobs while more than this part of the heap was in use after the last garbage collection, and is in use now. What the
     * worker has is still run. It logs that it holds back and that it goes on, and {@link WorkerStats#holdsBack} tells. While it
     * holds back and nothing of it runs, it asks the JVM for a collection every 30 seconds, because there may be none otherwise.
     *
     * @param fraction of the largest size of the heap ({@code -Xmx}): 0.5 to 0.99. Default: no mark
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public WorkerBuilder maxHeapUse(double fraction) {
        if (!(fraction >= 0.5 && fraction <= 0.99)) {
            throw new InvalidJobException("maxHeapUse " + fraction + " is not valid: use 0.5 to 0.99");
        }
        this.maxHeapUse = fraction;
        return this;
    }

    /**
     * How many claimed jobs may wait for a free handler. The worker claims no further ahead than its handlers get
     * through in about a tenth of a second, so slow jobs stay available to other workers. Those that wait for a limit count, too; of
     * them as many may wait as it runs at once, however small this is.
     *
     * @param jobs 0 to 10,000. Default 2,000
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public WorkerBuilder buffer(int jobs) {
        requireRange("buffer", jobs, 0, 10_000);
        this.buffer = jobs;
        return this;
    }

    /**
     * How many bytes of payload may wait for a free handler, and as many again may have run and wait to be recorded.
     * Approximate: counted in characters, and claims are sized by recent payloads.
     *
     * @param bytes 64 KiB to 16 GiB. Default 16 MiB
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public WorkerBuilder bufferBytes(long bytes) {
        if (bytes < 1 << 16 || bytes > 1L << 34) {
            throw new InvalidJobException(
                    "bufferBytes " + bytes + " is not valid: use " + (1 << 16) + " to " + (1L << 34));
        }
        this.bufferBytes = bytes;
        return this;
    }

    /**
     * How many jobs one claim takes at most. With several workers, small batches keep closer to the order of the queue;
     * large ones cost less.
     *
     * @param jobs 1 to 1,000. Default 1,000
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public WorkerBuilder batch(int jobs) {
        requireRange("batch", jobs, 1, 1000);
        this.batch = jobs;
        return this;
    }

    /**
     * How long a lease lasts. The worker renews its leases in good time; when it is gone, its jobs are rescued after
     * this time.
     *
     * @param duration 1 s to 1 day. Default 20 s
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public WorkerBuilder lease(Duration duration) {
        requireRange("lease", duration, Duration.ofSeconds(1), Duration.ofDays(1));
        this.lease = duration;
        return this;
    }

    /**
     * The longest time between two polls of an empty queue. The worker polls more often if there were jobs recently,
     * and at once when it hears of new ones.
     *
     * @param duration 1 ms to 1 hour, varied by ±20 %. Default 1 s
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public WorkerBuilder pollInterval(Duration duration) {
        requireRange("pollInterval", duration, Duration.ofMillis(1), Duration.ofHours(1));
        this.pollInterval = duration;
        return this;
    }

    /**
     * Sends nothing to the database while there is nothing to do, so that one that is paid by use may go to sleep, too:
     * {@link #suspendWhenIdle(Duration)} with an hour. Only where other processes can wake the worker: on PostgreSQL, unless
     * {@link JobQueueBuilder#notifications} are switched off.
     *
     * @return this
     */
    public WorkerBuilder suspendWhenIdle() {
        mustBeWoken = true;
        maxSuspend = USUAL_SLEEP;
        return this;
    }

    /**
     * Sends nothing to the database while there is nothing to do. When nothing has happened for three seconds, the worker asks
     * once when the next job, tick of a schedule, end of another worker's lease or end of a hold is due, says in its row that it
     * sleeps, and sends no statement until then. It wakes sooner for every enqueue in this process and, on PostgreSQL, in any
     * other (LISTEN), and for what people change. For as long as it cannot be sure that it hears them, it does not sleep.
     *
     * <p>On other databases, and with {@link JobQueueBuilder#notifications} switched off, nobody else can wake it: then jobs of
     * other processes may wait for as long as it sleeps, so choose how long that may be. Without this option, which is the
     * default, a worker never sleeps.
     *
     * @param atMost after this it looks again, 10 s to 30 days: news that is lost, because a process is killed between its
     *     commit and its NOTIFY, is made up for then
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public WorkerBuilder suspendWhenIdle(Duration atMost) {
        requireRange("suspendWhenIdle", atMost, Duration.ofSeconds(10), Duration.ofDays(30));
        mustBeWoken = false;
        maxSuspend = atMost;
        return this;
    }

    private void requireItMaySleep() {
        if (maxSuspend != null && handlers.anyElsewhere()) {
            throw new InvalidJobException(
                    "a worker whose jobs run elsewhere has to look after them even while it is idle: remove suspendWhenIdle");
        }
        if (mustBeWoken && !queue.runtime().ports().wakes().reachesOthers()) {
            throw new InvalidJobException(
                    "suspendWhenIdle() needs a database by which other processes can wake the worker:"
                            + " PostgreSQL, with notifications; here ("
                            + queue.runtime().database().dialect().server()
                            + ") say how long their jobs may wait: suspendWhenIdle(Duration.ofMinutes(5))");
        }
    }

    /**
     * How long {@link Worker#close} lets running handlers go on before it interrupts them.
     *
     * @param duration zero to 1 day. Default 30 s
     * @return this
     * @throws InvalidJobException if it is outside the range
     */
    public WorkerBuilder grace(Duration duration) {
        requireRange("grace", duration, Duration.ZERO, Duration.ofDays(1));
        this.grace = duration;
        return this;
    }

    /**
     * How long to wait after failed attempts, unless the handler's options say otherwise.
     *
     * @param policy default {@link RetryPolicy#DEFAULT}
     * @return this
     */
    public WorkerBuilder retryPolicy(RetryPolicy policy) {
        this.retryPolicy = Objects.requireNonNull(policy);
        return this;
    }

    /**
     * How jobs are claimed and run, from all queues of this worker. With {@link Strategy#AUTO}, each queue follows
     * {@link JobAdmin#setStrategy}, or {@link Strategy.Lanes}.
     *
     * @param newStrategy default {@link Strategy#AUTO}
     * @return this
     */
    public WorkerBuilder strategy(Strategy newStrategy) {
        this.strategy = Objects.requireNonNull(newStrategy);
        return this;
    }

    /**
     * Whether handlers run on virtual threads where the JVM has them (21 and later), or on a pool of platform threads.
     *
     * @param wanted default true
     * @return this
     */
    public WorkerBuilder virtualThreads(boolean wanted) {
        this.virtualThreads = wanted;
        return this;
    }

    /**
     * The worker's name in lists.
     *
     * @param newName at most 200 characters. Default: host/process
     * @return this
     */
    public WorkerBuilder name(String newName) {
        this.name = Names.checkKey("worker name", newName);
        return this;
    }

    /**
     * Adds a listener for what happens to jobs. It is called by the worker's own threads, so it must be quick and
     * thread-safe; what it throws is logged and ignored.
     *
     * @param listener added to those that were added before
     * @return this
     */
    public WorkerBuilder listener(Consumer<WorkerEvent> listener) {
        listeners.add(Objects.requireNonNull(listener));
        return this;
    }

    /**
     * Puts something around every call of a handler of this worker, those that were added before included: see
     * {@link RunInterceptor}. Several nest: the first one is the outermost. Not around handlers that give jobs away
     * ({@link #handleElsewhere}).
     *
     * @param interceptor goes inside those that were added before. Default: none, which costs nothing
     * @return this
     */
    public WorkerBuilder intercept(RunInterceptor interceptor) {
        interceptors.add(Objects.requireNonNull(interceptor));
        return this;
    }

    /**
     * Puts something around every call of a {@link ChunkHandler} of this worker, those that were added before included: see
     * {@link ChunkInterceptor}. Several nest: the first one is the outermost.
     *
     * @param interceptor goes inside those that were added before. Default: none, which costs nothing
     * @return this
     */
    public WorkerBuilder interceptChunk(ChunkInterceptor interceptor) {
        chunkInterceptors.add(Objects.requireNonNull(interceptor));
        return this;
    }

    /**
     * Handles jobs of a former kind as well: a kind was renamed, and jobs with its former name wait. They are read and run as
     * those of the type. A unique key holds among jobs of the same kind only, so not across the two names.
     *
     * @param former the former name
     * @param type whose handler was added before
     * @return this
     * @throws InvalidJobException if the type has no handler yet, or the former name has one
     */
    public WorkerBuilder alias(String former, JobType<?> type) {
        handlers.alias(Names.check("kind", former), type.kind());
        return this;
    }

    /**
     * Reads the payload of every job that waits or runs and has a handler here, and runs none of them: tells, before a new
     * release is deployed, whether it can read what the one before has written. Jobs of kinds that have no handler here are counted.
     * Each job that is there from the beginning to the end is read once, also while workers run; those that are enqueued meanwhile are
     * not. So are the payloads of stored schedules, but for those declared here ({@link #schedule}), whose payloads this program
     * writes anew; and those of callbacks of batches that are not done.
     *
     * @return what can be read and what cannot, and what has no handler
     * @throws InvalidJobException if there is no handler
     * @throws DatabaseException if the database fails
     */
    public PayloadCheck checkPayloads() {
        return checkPayloads(looked -> {});
    }

    /**
     * The same, with somebody who is told how far it has come.
     *
     * @param progress is told, by the calling thread, how many jobs were looked at so far
     * @return what can be read and what cannot, and what has no handler
     * @throws InvalidJobException if there is no handler
     * @throws DatabaseException if the database fails
     */
    public PayloadCheck checkPayloads(LongConsumer progress) {
        if (handlers.kinds().isEmpty()) {
            throw new InvalidJobException(
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
     * Declares a recurring job: written to the database when the worker starts. If it is there already, its job,
     * missed and overlap become what is declared here; when it recurs only if that is declared otherwise than before, so that a time that
     * somebody has set by hand stays. Any worker on the
     * database enqueues its jobs, this one or another that knows the kind runs them, and it goes on after this program is
     * gone: {@link Schedules} tells, changes and removes.
     *
     * <p>If live workers of two releases declare it in different forms, the newest form is in force: the one whose first live worker
     * started last. When that release is gone, for example because it was rolled back, the schedule becomes what the others declare, within
     * half a minute.
     *
     * @param schedule the schedule
     * @param <T> the payload
     * @return this
     * @throws InvalidJobException if there is one of that name already, or the payload cannot be encoded
     */
    public <T> WorkerBuilder schedule(Schedule<T> schedule) {
        if (schedules.stream().anyMatch(one -> one.name().equals(schedule.name()))) {
            throw new InvalidJobException("schedule '" + schedule.name() + "' is declared twice");
        }
        schedules.add(Schedules.declaration(queue.runtime(), schedule));
        return this;
    }

    /**
     * Removes schedules that a program has declared and no live worker declares any more, within a minute or two. So a schedule ends when
     * it is deleted from the code. Affects only schedules whose jobs go to this worker's queues, and none that were added by hand
     * ({@link Schedules#add}). A removed schedule that is declared again later starts over, without the ticks that it missed. So do not use
     * this where another service declares schedules for the same queues and may be stopped for a while.
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
     * @throws InvalidJobException if there is no handler, if one takes more places than the worker has, if the most places are fewer
     *     than those at the start, or if the strategy cannot be combined with handlers that give jobs away
     * @throws SchemaException if the database does not support the strategy
     */
    public Worker start() {
        if (handlers.kinds().isEmpty()) {
            throw new InvalidJobException("a worker needs at least one handler: call handle(…) before start()");
        }
        addEarlierVersions();
        if (handlers.anyElsewhere() && strategy instanceof Strategy.Transactional) {
            throw new InvalidJobException(
                    "the strategy " + strategy + " runs handlers in the transaction of the claim, so"
                            + " jobs cannot be run elsewhere with it: use Strategy.AUTO or another");
        }
        checkPlaces();
        requireItMaySleep();
        WorkerConfig config = new WorkerConfig(
                name,
                handlers.chunksIntercepted(List.copyOf(chunkInterceptors)).intercepted(List.copyOf(interceptors)),
                order,
                concurrency,
                Math.max(concurrency, maxConcurrency),
                maxHeapUse,
                buffer,
                bufferBytes,
                batch,
                lease,
                pollInterval,
                maxSuspend,
                retryPolicy,
                strategy,
                virtualThreads,
                ShutdownTimeouts.USUAL.withGrace(grace),
                List.copyOf(schedules),
                onlyDeclaredSchedules,
                List.copyOf(listeners));
        Engine engine = new Engine(queue.runtime().ports(), config);
        engine.start();
        return new Worker(engine, grace);
    }

    private void checkPlaces() {
        if (maxConcurrency != 0 && maxConcurrency < concurrency) {
            throw new InvalidJobException("maxConcurrency " + maxConcurrency + " is less than the worker's concurrency "
                    + concurrency + ": raise the one or lower the other");
        }
        handlers.weights().forEach((kind, weight) -> {
            if (weight > concurrency) {
                throw new InvalidJobException("a job of kind '" + kind + "' takes " + weight
                        + " places, and the worker has " + concurrency
                        + ", so it would never run: lower the weight or raise the concurrency");
            }
        });
    }

    private static void requireRange(String what, int value, int low, int high) {
        if (value < low || value > high) {
            throw new InvalidJobException(what + " " + value + " is not valid: use " + low + " to " + high);
        }
    }

    private static void requireRange(String what, Duration value, Duration low, Duration high) {
        if (value.compareTo(low) < 0 || value.compareTo(high) > 0) {
            throw new InvalidJobException(what + " " + value + " is not valid: use " + low + " to " + high);
        }
    }
}
