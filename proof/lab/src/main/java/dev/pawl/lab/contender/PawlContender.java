package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobType;
import dev.pawl.api.Prefetch;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.api.WorkerEvent;
import dev.pawl.limit.Limit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Pawl as users run it: typed payloads, one worker with its default buffer, real handlers, history unless disabled. */
class PawlContender implements Contender {
    private static final int QUEUES = 20;
    private static final String QUEUE = "lab-";
    private static final int SMALL_BATCH = 10;
    /** Number of jobs that one transaction enqueues if the jobs belong to small batches. */
    private static final int TOGETHER = 1000;

    private static final int KEYS = 100;
    static final int STRICT_KEYS = 10_000;
    private static final int AT_ONCE = 10;
    private static final int CHUNK = 100;
    static final JobType<Payload> WORK = JobType.of("work", Payload.class);

    private final Setup setup;
    private final HikariDataSource pool;
    private final JobQueue queue;
    private final @Nullable Batch batch;
    /** The pools of the workers, if there are several. */
    private final List<HikariDataSource> pools = new CopyOnWriteArrayList<>();

    private final List<JobQueue> queues = new CopyOnWriteArrayList<>();
    /** A queue on each node, to enqueue there. */
    private final List<JobQueue> nodes = new ArrayList<>();

    /** When the jobs are due; null for at once. */
    private @Nullable Instant due;

    /**
     * The payload of a job.
     *
     * @param n its number
     * @param pad padding
     */
    record Payload(int n, String pad) {}

    PawlContender(Setup setup) throws SQLException {
        this.setup = setup;
        this.pool = setup.scratch().pool(setup.workers() + 4);
        this.queue = open(pool);
        nodes.add(queue);
        for (int node = 1; node < setup.scratch().nodes().size(); node++) {
            nodes.add(another(node));
        }
        if (usesLanes()) { // as if a worker had run before; otherwise the first jobs would have rows of their own
            queueNames().forEach(name -> queue.admin().queues().setStrategy(name, Strategy.LANES));
        }
        limit();
        this.batch = Variant.BATCH.in(setup.system()) ? queue.batch("lab").open() : null;
        if (Variant.TRANSACTION.in(setup.system())) {
            Effect.create(pool);
        }
    }

    private List<String> queueNames() {
        return Variant.QUEUES.in(setup.system())
                ? IntStream.range(0, QUEUES).mapToObj(i -> QUEUE + i).toList()
                : List.of(EnqueueOptions.DEFAULTS.queue());
    }

    private JobQueue open(HikariDataSource on) {
        return JobQueue.builder(on)
                .retention(
                        Variant.NO_HISTORY.in(setup.system())
                                ? Retention.DEFAULTS.completed(Duration.ZERO)
                                : Retention.DEFAULTS)
                .open();
    }

    private void limit() {
        if (Variant.LIMIT.in(setup.system())) {
            queueNames().forEach(name -> queue.limits().set(Limit.queue(name).atOnce(setup.workers())));
        }
        if (Variant.KIND_LIMIT.in(setup.system())) {
            queue.limits().set(Limit.kind(WORK.kind()).atOnce(setup.workers()));
        }
        if (Variant.KEYS.in(setup.system())) {
            queueNames().forEach(name -> queue.limits().set(Limit.keysOf(name).atOnce(AT_ONCE)));
        }
    }

    private EnqueueOptions options(Payload payload) {
        EnqueueOptions options = EnqueueOptions.DEFAULTS;
        if (Contenders.keys(setup.system())) {
            int keys = Variant.STRICT_KEYS.in(setup.system()) ? STRICT_KEYS : KEYS;
            options = options.key("key " + payload.n() % keys);
        }
        if (Variant.QUEUES.in(setup.system())) {
            options = options.queue(QUEUE + payload.n() % QUEUES);
        }
        if (due != null) {
            options = options.availableAt(due);
        }
        return batch == null ? options : batch.with(options);
    }

    private boolean hasOptions() {
        return Contenders.keys(setup.system()) || Variant.QUEUES.in(setup.system()) || due != null || batch != null;
    }

    private boolean usesLanes() {
        Strategy strategy = Contenders.strategy(setup.system());
        return strategy instanceof Strategy.Lanes || strategy instanceof Strategy.Auto;
    }

    final Setup setup() {
        return setup;
    }

    final JobQueue queue() {
        return queue;
    }

    @Override
    public String settings() {
        return "Pawl, " + setup.system() + (setup.system().startsWith("auto") ? " (" + queue.describe() + ")" : "")
                + ", " + setup.handlersText() + ", "
                + (setup.batch() == 0 ? "default batch" : "batch " + setup.batch()) + ", "
                + (Variant.NO_HISTORY.in(setup.system()) ? "no history" : "history kept") + "; enqueueAll of a stream";
    }

    @Override
    public void enqueue(int from, int to) throws SQLException {
        due = Variant.DUE.in(setup.system()) ? Setup.due(to - from) : null;
        if (Variant.SMALL_BATCHES.in(setup.system())) {
            for (int next = from; next < to; next += TOGETHER) {
                enqueueSmallBatches(next, Math.min(to, next + TOGETHER));
            }
        } else if (to == from + 1) {
            Payload payload = new Payload(from, setup.pad());
            nodes.get(from % nodes.size()).enqueue(WORK, payload, options(payload));
        } else if (nodes.size() == 1) {
            enqueue(queue, from, to);
        } else {
            IntStream.range(0, nodes.size())
                    .parallel()
                    .forEach(node -> enqueue(nodes.get(node), share(from, to, node), share(from, to, node + 1)));
        }
    }

    /** {@return where the jobs of a node begin} */
    private int share(int from, int to, int node) {
        return from + (int) ((long) (to - from) * node / nodes.size());
    }

    private void enqueue(JobQueue on, int from, int to) {
        if (hasOptions()) {
            on.enqueueAll(WORK, payloads(from, to), this::options);
        } else {
            on.enqueueAll(WORK, payloads(from, to));
        }
    }

    private void enqueueSmallBatches(int from, int to) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            List<Batch> batches = new ArrayList<>();
            for (int next = from; next < to; next += SMALL_BATCH) {
                batches.add(queue.batch("lab").open(connection));
            }
            queue.within(connection)
                    .enqueueAll(
                            WORK,
                            payloads(from, to),
                            payload -> batches.get((payload.n() - from) / SMALL_BATCH)
                                    .with(options(payload)));
            for (Batch each : batches) {
                boolean unused = each.seal(connection);
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    @Override
    public void enqueueDelayed(int jobs) {
        EnqueueOptions inAnHour = EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1));
        queue.enqueueAll(WORK, payloads(0, jobs), payload -> inAnHour);
    }

    /** An iterator written by hand, because a stream's iterator would use a tenth of the time of an enqueue. */
    private Iterable<Payload> payloads(int from, int to) {
        return () -> new Iterator<>() {
            private int next = from;

            @Override
            public boolean hasNext() {
                return next < to;
            }

            @Override
            public Payload next() {
                if (next >= to) {
                    throw new NoSuchElementException();
                }
                return new Payload(next++, setup.pad());
            }
        };
    }

    @Override
    public Running start(Handler handler) throws Exception {
        List<Worker> workers = new CopyOnWriteArrayList<>();
        try {
            IntStream.range(0, setup.spread())
                    .parallel()
                    .forEach(i ->
                            workers.add(started(setup.spread() == 1 ? queue : another(i), setup.handlers(i), handler)));
        } catch (RuntimeException e) {
            workers.forEach(Worker::close);
            throw e;
        }
        return new Running() {
            @Override
            public Counts counts() {
                return new Counts(
                        workers.stream()
                                .mapToLong(each -> each.stats().claimed())
                                .sum(),
                        workers.stream()
                                .mapToLong(each -> each.stats().claimsLost())
                                .sum(),
                        null,
                        null);
            }

            @Override
            public void close() {
                workers.parallelStream().forEach(Worker::close);
            }
        };
    }

    /** Opens the queue again with its own pool, as another program would. */
    private JobQueue another(int node) {
        HikariDataSource own = setup.scratch().pool(Setup.SMALL_POOL, node);
        pools.add(own);
        JobQueue ofWorker = open(own);
        queues.add(ofWorker);
        return ofWorker;
    }

    private Worker started(JobQueue on, int handlers, Handler handler) {
        WorkerBuilder plain = worker(on, setup).concurrency(handlers);
        WorkerBuilder builder;
        if (Variant.CHUNKS.in(setup.system())) {
            builder = plain.handle(WORK, Handlers.chunked(CHUNK, chunk -> {
                for (Payload payload : chunk.payloads()) {
                    handler.run(payload.n());
                }
            }));
        } else if (Variant.TRANSACTION.in(setup.system())) {
            builder = plain.handle(WORK, (payload, run) -> {
                handler.run(payload.n());
                run.transaction(connection -> Effect.insert(connection, payload.n()));
            });
        } else {
            builder = plain.handle(WORK, (payload, run) -> handler.run(payload.n()));
        }
        return builder.listener(event -> {
                    if (event instanceof WorkerEvent.Completed completed) {
                        handler.done(Setup.number(completed.job().payload()));
                    }
                })
                .start();
    }

    static WorkerBuilder worker(JobQueue queue, Setup setup) {
        WorkerBuilder builder = Worker.on(queue)
                .concurrency(setup.workers())
                .strategy(Contenders.strategy(setup.system()))
                .grace(Duration.ofSeconds(5));
        if (Variant.QUEUES.in(setup.system())) {
            builder.queuesLike(QUEUE + "*");
        }
        return setup.batch() == 0 ? builder : builder.prefetch(Prefetch.DEFAULTS.batch(setup.batch()));
    }

    @Override
    public long unfinished() throws SQLException {
        if (usesLanes()) {
            return queue.admin().queues().list(Admin.UNLIMITED).stream()
                    .mapToLong(each -> each.available() + each.running() + (waits() ? each.delayed() : 0))
                    .sum();
        }
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT COUNT(*) FROM pawl_job WHERE state <> 2" + " AND available_at < " + soon())) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public @Nullable Long claims() throws SQLException {
        if (!usesLanes()) {
            return null;
        }
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM pawl_lane_range WHERE leased_by <> 0")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Returns whether its jobs are not available at once: blocked by their keys, or due later. */
    private boolean waits() {
        return Contenders.keys(setup.system()) || Variant.DUE.in(setup.system());
    }

    private String soon() {
        return switch (setup.scratch().dialect()) {
            case "postgresql" -> "now() + interval '30 min'";
            case "mysql" -> "UTC_TIMESTAMP(6) + INTERVAL 30 MINUTE";
            default -> "(unixepoch() + 1800) * 1000000";
        };
    }

    @Override
    public void close() {
        queue.close();
        pool.close();
        queues.forEach(JobQueue::close);
        pools.forEach(HikariDataSource::close);
    }
}
