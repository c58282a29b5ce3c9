package dev.pawl.shard;

import dev.pawl.JobHandle;
import dev.pawl.JobQueue;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.Finding;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.BulkResult;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Enqueuer;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.SchemaException;
import dev.pawl.internal.words.ShardIds;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A job queue over several databases, for more jobs than one server can write. Each job is in one of them; its id tells which. Thread-safe.
 *
 * <pre>{@code
 * ShardedQueue queue = ShardedQueue.of(
 *         Shard.of("a", JobQueue.builder(poolOfA)), Shard.of("b", JobQueue.builder(poolOfB)));
 * queue.enqueue(SEND, new Mail("bob@example.com"), EnqueueOptions.DEFAULTS.key("bob"));
 * Fleet fleet = queue.start(40, (shard, worker) -> worker.handle(SEND, mailer::send));
 * }</pre>
 *
 * <p>A job with a concurrency key goes to the shard of that key. A job with only a unique key goes to the shard of the unique key. Jobs
 * without a key are spread. So the order of a concurrency key, and uniqueness, are kept as in one database, with one exception: among jobs
 * with concurrency keys, a unique key is unique only within the same concurrency key. A caller may name the shard of a job: by {@link
 * Shard#within} in a transaction of its database, or by {@link Shard#queue} without one. The guarantees of a key apply only among the jobs
 * of one shard. So either name no shard for the jobs of a key, or the same shard for all of them. An {@link
 * dev.pawl.api.EnqueueInterceptor} of a shard runs after the shard has been chosen, so it must not change keys.
 *
 * <p>Batches, workflows, schedules and slots belong to one shard: use its {@link Shard#queue}. Every method throws
 * {@link DatabaseException}, which names the shard, if a database fails. While a database cannot be reached, calls about its jobs, enqueues
 * of its keys and listings of all shards fail. Other calls work, except that every few seconds an enqueue without a key tries this database
 * and fails.
 */
public final class ShardedQueue implements Enqueuer, AutoCloseable {
    private static final int PORTION = 500;

    private final List<Shard> shards;
    private final Placement placement;

    private ShardedQueue(List<Shard> shards) {
        this.shards = shards;
        this.placement = new Placement(shards.size());
    }

    /**
     * Returns a queue over these databases. Does not use them yet: each is opened when it is first needed.
     *
     * @param shards always in the same order; a new shard must be last and without jobs. Some keys move to a new shard,
     *     so later jobs of such a key do not wait for its earlier jobs on the old shard
     * @return the queue
     * @throws IllegalArgumentException if there are no shards or more than 1,024, if two have the same name, or if one
     *     is open already or has another position in another sharded queue
     */
    public static ShardedQueue of(Shard... shards) {
        List<Shard> all = List.of(shards);
        Set<String> names = new HashSet<>();
        if (all.isEmpty() || all.size() > ShardIds.SHARDS) {
            throw new IllegalArgumentException(all.size() + " shards are not valid: use 1 to " + ShardIds.SHARDS);
        }
        for (int i = 0; i < all.size(); i++) {
            Shard shard = all.get(i);
            if (!names.add(shard.name())) {
                throw new IllegalArgumentException("two shards have the name '" + shard.name() + "'");
            }
            shard.requireNumber(i);
        }
        for (int i = 0; i < all.size(); i++) {
            all.get(i).number(i);
        }
        return new ShardedQueue(all);
    }

    /** {@return the shards, in their order} */
    public List<Shard> shards() {
        return shards;
    }

    /**
     * Returns a shard.
     *
     * @param name its name
     * @return the shard
     * @throws IllegalArgumentException if there is no shard of that name
     */
    public Shard shard(String name) {
        return shards.stream()
                .filter(shard -> shard.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no shard '" + name + "': there are "
                        + shards.stream().map(Shard::name).toList()));
    }

    /**
     * {@return the shard of a concurrency key, or of a unique key whose jobs have no concurrency key}
     *
     * @param key the key
     */
    public Shard shardOf(String key) {
        return shards.get(placement.of(key));
    }

    /**
     * {@return the shard to which the keys of a job send it; empty if it has no keys, and may go to any shard}
     *
     * @param request the job
     */
    public Optional<Shard> shardOf(JobRequest request) {
        String key = key(request.options(), () -> codec().identity(request.payload()));
        return key == null ? Optional.empty() : Optional.of(shardOf(key));
    }

    /**
     * {@return the shard that has a job, if the job exists}
     *
     * @param jobId the id of the job
     * @throws IllegalArgumentException if no shard has such ids
     */
    public Shard shardOf(long jobId) {
        long number = ShardIds.shardOf(jobId);
        if (number < 0 || number >= shards.size()) {
            throw new IllegalArgumentException(
                    "job " + jobId + " has an id of shard " + number + ", and there are " + shards.size() + " shards");
        }
        return shards.get((int) number);
    }

    /**
     * Starts a worker for each shard. Together they run at most this number of handlers at once. See
     * {@link Fleet#start}.
     *
     * @param handlersAtOnce of all shards together, 1 to 10,000
     * @param workers adds handlers and options to the worker of a shard; called for each shard, perhaps at the same
     *     time, and again if its worker cannot start yet
     * @return the running fleet
     * @throws IllegalArgumentException if a worker cannot be started as described
     */
    public Fleet start(int handlersAtOnce, BiConsumer<Shard, WorkerBuilder> workers) {
        return Fleet.start(handlersAtOnce, shards, workers);
    }

    @Override
    public <T> EnqueueResult enqueue(JobType<T> type, T payload, EnqueueOptions options) {
        return enqueued(place(type, payload, options), queue -> queue.enqueue(type, payload, options));
    }

    @Override
    public EnqueueResult enqueue(JobRequest request) {
        return enqueued(place(request), queue -> queue.enqueue(request));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Up to 500 jobs of each shard are held in memory. If one shard fails, jobs that are written on other shards
     * stay.
     */
    @Override
    public <T> BulkResult enqueueAll(
            JobType<T> type, Iterable<? extends T> payloads, Function<? super T, EnqueueOptions> options) {
        return portions(
                StreamSupport.stream(payloads.spliterator(), false)
                        .map(payload -> new Typed<T>(payload, options.apply(payload))),
                typed -> place(type, typed.payload, typed.options),
                (queue, some) -> {
                    var each = some.iterator();
                    return queue.enqueueAll(
                            type, some.stream().map(Typed::payload).toList(), payload -> each.next().options);
                });
    }

    /** A job whose payload is not encoded yet. */
    private record Typed<T>(T payload, EnqueueOptions options) {}

    /**
     * {@inheritDoc}
     *
     * <p>Up to 500 jobs of each shard are held in memory. If one shard fails, jobs that are written on other shards
     * stay.
     */
    @Override
    public BulkResult enqueueAll(Iterable<JobRequest> requests) {
        return portions(StreamSupport.stream(requests.spliterator(), false), this::place, JobQueue::enqueueAll);
    }

    /** Writes a portion of the jobs of a shard. */
    @FunctionalInterface
    private interface Write<J> {
        BulkResult on(JobQueue queue, List<J> jobs);
    }

    private <J> BulkResult portions(Stream<J> jobs, Function<J, Integer> place, Write<J> write) {
        Map<Integer, List<J>> portions = new LinkedHashMap<>();
        List<BulkResult> written = new ArrayList<>(List.of(BulkResult.NONE));
        BiConsumer<Integer, List<J>> flush = (shard, some) -> {
            if (!some.isEmpty()) {
                BulkResult more = enqueued(shard, queue -> write.on(queue, some));
                written.set(0, sum(written.get(0), more));
                some.clear();
            }
        };
        jobs.forEachOrdered(job -> {
            int shard = place.apply(job);
            List<J> portion = portions.computeIfAbsent(shard, each -> new ArrayList<>());
            portion.add(job);
            if (portion.size() == PORTION) {
                flush.accept(shard, portion);
            }
        });
        portions.forEach(flush);
        return written.get(0);
    }

    private static BulkResult sum(BulkResult a, BulkResult b) {
        return new BulkResult(
                a.inserted() + b.inserted(), a.duplicates() + b.duplicates(), a.replaced() + b.replaced());
    }

    /**
     * Enqueues encoded jobs. The jobs of each shard are written in one transaction, but each shard has a transaction of its own. Jobs that
     * must be written together need the same key, or must be enqueued on a shard that the caller names.
     *
     * @param requests the jobs; at most a few thousand
     * @return a result for each, in order
     * @throws DatabaseException if a database fails; then jobs of other shards may have been written
     */
    @Override
    public List<EnqueueResult> enqueueEach(List<JobRequest> requests) {
        Map<Integer, List<Integer>> places = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            places.computeIfAbsent(place(requests.get(i)), each -> new ArrayList<>())
                    .add(i);
        }
        @Nullable EnqueueResult[] results = new EnqueueResult[requests.size()];
        places.forEach((shard, some) -> {
            List<EnqueueResult> written = enqueued(
                    shard,
                    queue -> queue.enqueueEach(some.stream().map(requests::get).toList()));
            for (int i = 0; i < some.size(); i++) {
                results[some.get(i)] = written.get(i);
            }
        });
        return Stream.of(results).map(Objects::requireNonNull).toList();
    }

    /**
     * Not supported, because a query reads one database.
     *
     * @throws UnsupportedOperationException always: call it on the {@link Shard#queue} of a shard
     */
    @Override
    public BulkResult enqueueFrom(EnqueueOptions options, String query, Object... values) {
        throw new UnsupportedOperationException(
                "a query reads one database: call shard(…).queue().enqueueFrom(…), whose jobs stay on that shard");
    }

    private int place(JobRequest request) {
        return place(request.options(), () -> codec().identity(request.payload()));
    }

    private <T> int place(JobType<T> type, T payload, EnqueueOptions options) {
        return place(options, () -> {
            PayloadCodec codec = codec();
            return codec.identity(codec.encode(payload, type.payloadType()));
        });
    }

    private int place(EnqueueOptions options, Supplier<String> identity) {
        String key = key(options, identity);
        return key == null ? placement.any() : placement.of(key);
    }

    private static @Nullable String key(EnqueueOptions options, Supplier<String> identity) {
        return options.key() != null
                ? options.key()
                : options.isUniqueByPayload() ? identity.get() : options.uniqueKey();
    }

    /** {@return the codec, which is the same on all shards} */
    private PayloadCodec codec() {
        return shards.get(0).codec();
    }

    private <T> T enqueued(int shard, Function<JobQueue, T> call) {
        placement.begun(shard);
        try {
            T result = shards.get(shard).call(call);
            placement.answered(shard);
            return result;
        } catch (RuntimeException | Error e) {
            if (e instanceof DatabaseException && !Interrupts.caused(e)) {
                placement.failed(shard);
            } else {
                placement.ended(shard);
            }
            throw e;
        }
    }

    /**
     * Finds a job, live or finished.
     *
     * @param jobId its id
     * @return the job; empty if it does not exist, or was pruned
     * @throws IllegalArgumentException if no shard has such ids
     */
    public Optional<Job> find(long jobId) {
        return shardOf(jobId).call(queue -> queue.admin().jobs().find(jobId));
    }

    /**
     * Cancels a job, see {@link dev.pawl.admin.JobAdmin#cancel}.
     *
     * @param jobId its id
     * @return the result
     * @throws IllegalArgumentException if no shard has such ids
     */
    public CancelResult cancel(long jobId) {
        return shardOf(jobId).call(queue -> queue.admin().jobs().cancel(jobId));
    }

    /**
     * Makes a job available now, see {@link dev.pawl.admin.JobAdmin#retry(long)}.
     *
     * @param jobId its id
     * @return the result
     * @throws IllegalArgumentException if no shard has such ids
     */
    public RetryResult retry(long jobId) {
        return shardOf(jobId).call(queue -> queue.admin().jobs().retry(jobId));
    }

    /**
     * Returns a handle on a job: its state and its result. Does not read the database.
     *
     * @param jobId its id
     * @param result the type of its result
     * @param <R> the result
     * @return the handle
     * @throws IllegalArgumentException if no shard has such ids
     */
    public <R> JobHandle<R> handle(long jobId, Class<R> result) {
        return shardOf(jobId).call(queue -> queue.handle(jobId, result));
    }

    /**
     * Lists jobs of all shards, newest first by the time of their enqueue; for example the jobs of a concurrency key.
     *
     * @param filter the jobs, without {@link JobFilter#before}, because only the jobs of a single shard have further pages
     * @return at most {@link JobFilter#limit()} jobs
     * @throws IllegalArgumentException if the filter asks for a further page
     */
    public List<Job> list(JobFilter filter) {
        if (filter.beforeId() != null) {
            throw new IllegalArgumentException("the ids of several shards are not in order, so there is no page before "
                    + filter.beforeId() + ": use shard(…).queue().admin().jobs()");
        }
        return shards.stream()
                .flatMap(shard -> shard.call(queue -> queue.admin().jobs().list(filter)).stream())
                .sorted(Comparator.comparing(Job::createdAt).reversed())
                .limit(filter.limit())
                .toList();
    }

    /**
     * Lists the queues of all shards, with the sums of their jobs. A queue is shown as paused if it is paused on any
     * shard, and with a strategy if the strategy is the same on all shards.
     *
     * @param limit where to stop counting in each shard, see {@link dev.pawl.admin.QueueAdmin#list}
     * @return the queues by name
     * @throws IllegalArgumentException if the limit is less than 1
     */
    public List<QueueStats> queues(int limit) {
        QueueTotals totals = new QueueTotals();
        shards.forEach(
                shard -> totals.add(shard.call(queue -> queue.admin().queues().list(limit))));
        return totals.list();
    }

    /**
     * Diagnoses all shards, see {@link dev.pawl.admin.Maintenance#diagnose}. A shard whose database fails gets a warning that says so; the
     * other shards are diagnosed nevertheless.
     *
     * @return the findings by the name of the shard, in the order of the shards
     */
    public Map<String, List<Finding>> diagnose() {
        Map<String, List<Finding>> findings = new LinkedHashMap<>();
        for (Shard shard : shards) {
            findings.put(shard.name(), diagnose(shard));
        }
        return findings;
    }

    private static List<Finding> diagnose(Shard shard) {
        try {
            return shard.call(queue -> queue.admin().maintenance().diagnose());
        } catch (DatabaseException | SchemaException e) {
            return List.of(new Finding(Finding.Level.WARNING, "database", String.valueOf(e.getMessage())));
        }
    }

    /**
     * Sets a limit for all shards together. Each shard gets an equal part, and cannot use what another shard leaves unused. Limits for each
     * key are not divided, because a key is on one shard. If this method fails at one shard, the limits of the shards before that shard are
     * already set, so call the method again. Also call it before a new shard gets jobs.
     *
     * @param limit the limit
     * @throws IllegalArgumentException if the limit has no values, or a part would be less than one
     */
    public void setLimit(Limit limit) {
        List<Limit> parts = ShardLimits.of(limit, shards.size());
        for (int i = 0; i < shards.size(); i++) {
            Limit part = parts.get(i);
            boolean unused = shards.get(i).call(queue -> {
                queue.limits().set(part);
                return true;
            });
        }
    }

    /**
     * Removes a limit from all shards.
     *
     * @param subject a queue, a kind or the keys of a queue
     * @return false if no shard had one
     */
    public boolean removeLimit(Subject subject) {
        boolean removed = false;
        for (Shard shard : shards) {
            removed |= shard.call(queue -> queue.limits().remove(subject));
        }
        return removed;
    }

    /** Closes the queues of all shards, see {@link JobQueue#close}. Close fleets first. */
    @Override
    public void close() {
        shards.forEach(Shard::close);
    }
}
