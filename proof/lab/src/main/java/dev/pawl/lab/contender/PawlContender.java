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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Pawl as users run it: typed payloads, one worker with its default buffer, real handlers, history unless disabled. */
class PawlContender implements Contender {
    private static final int KEYS = 100;
    static final int STRICT_KEYS = 10_000;
    private static final int AT_ONCE = 10;
    private static final int CHUNK = 100;
    static final JobType<Payload> WORK = JobType.of("work", Payload.class);

    private final Setup setup;
    private final HikariDataSource pool;
    private final JobQueue queue;
    private final @Nullable Batch batch;
    /** Those of the workers, if there are several. */
    private final List<HikariDataSource> pools = new ArrayList<>();

    private final List<JobQueue> queues = new ArrayList<>();

    /**
     * The payload of a job.
     *
     * @param n its number
     * @param pad padding
     */
    record Payload(int n, String pad) {}

    PawlContender(Setup setup) {
        this.setup = setup;
        this.pool = setup.scratch().pool(setup.workers() + 4);
        this.queue = open(pool);
        if (usesLanes()) { // as if a worker had run before; otherwise the first jobs would have rows of their own
            queue.admin().queues().setStrategy(EnqueueOptions.DEFAULTS.queue(), Strategy.LANES);
        }
        limit();
        this.batch = Contenders.batch(setup.system()) ? queue.batch("lab").open() : null;
    }

    private JobQueue open(HikariDataSource on) {
        return JobQueue.builder(on)
                .retention(
                        Contenders.history(setup.system())
                                ? Retention.DEFAULTS
                                : Retention.DEFAULTS.completed(Duration.ZERO))
                .open();
    }

    private void limit() {
        if (Contenders.limit(setup.system())) {
            queue.limits().set(Limit.queue(EnqueueOptions.DEFAULTS.queue()).atOnce(setup.workers()));
        }
        if (Contenders.kindLimit(setup.system())) {
            queue.limits().set(Limit.kind(WORK.kind()).atOnce(setup.workers()));
        }
        if (Contenders.keys(setup.system()) && !Contenders.strictKeys(setup.system())) {
            queue.limits().set(Limit.keysOf(EnqueueOptions.DEFAULTS.queue()).atOnce(AT_ONCE));
        }
    }

    private EnqueueOptions options(Payload payload) {
        int keys = Contenders.strictKeys(setup.system()) ? STRICT_KEYS : KEYS;
        EnqueueOptions options = Contenders.keys(setup.system())
                ? EnqueueOptions.DEFAULTS.key("key " + payload.n() % keys)
                : EnqueueOptions.DEFAULTS;
        return batch == null ? options : batch.with(options);
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
                + (Contenders.history(setup.system()) ? "history kept" : "no history") + "; enqueueAll of a stream";
    }

    @Override
    public void enqueue(int from, int to) {
        if (to == from + 1) {
            Payload payload = new Payload(from, setup.pad());
            queue.enqueue(WORK, payload, options(payload));
        } else {
            if (Contenders.keys(setup.system()) || batch != null) {
                queue.enqueueAll(WORK, payloads(from, to), this::options);
            } else {
                queue.enqueueAll(WORK, payloads(from, to));
            }
        }
    }

    @Override
    public void enqueueDelayed(int jobs) {
        EnqueueOptions inAnHour = EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1));
        queue.enqueueAll(WORK, payloads(0, jobs), payload -> inAnHour);
    }

    /** Written by hand, like those of the raw contenders: a stream's iterator takes a tenth of the time of an enqueue. */
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
        List<Worker> workers = new ArrayList<>();
        if (setup.spread() == 1) {
            workers.add(started(queue, setup.workers(), handler));
        } else {
            for (int i = 0; i < setup.spread(); i++) {
                HikariDataSource own = setup.scratch().pool(Setup.SMALL_POOL);
                pools.add(own);
                JobQueue ofWorker = open(own);
                queues.add(ofWorker);
                workers.add(started(ofWorker, setup.handlers(i), handler));
            }
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

    private Worker started(JobQueue on, int handlers, Handler handler) {
        WorkerBuilder plain = worker(on, setup).concurrency(handlers);
        WorkerBuilder builder = Contenders.chunks(setup.system())
                ? plain.handle(WORK, Handlers.chunked(CHUNK, chunk -> {
                    for (Payload payload : chunk.payloads()) {
                        handler.run(payload.n());
                    }
                }))
                : plain.handle(WORK, (payload, run) -> handler.run(payload.n()));
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
        return setup.batch() == 0 ? builder : builder.prefetch(Prefetch.DEFAULTS.batch(setup.batch()));
    }

    @Override
    public long unfinished() throws SQLException {
        if (usesLanes()) {
            return queue.admin().queues().list(Admin.UNLIMITED).stream()
                    .mapToLong(each ->
                            each.available() + each.running() + (Contenders.keys(setup.system()) ? each.delayed() : 0))
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
