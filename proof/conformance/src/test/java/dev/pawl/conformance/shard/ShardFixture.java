package dev.pawl.conformance.shard;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.shard.Fleet;
import dev.pawl.shard.Shard;
import dev.pawl.shard.ShardedQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Two databases as one queue, and a fleet whose handlers note their jobs. */
@Timeout(120)
abstract class ShardFixture {
    static final JobType<String> GREET = JobType.of("greet", String.class);
    static final Duration LONG = Duration.ofSeconds(60);
    static final EnqueueOptions PLAIN = EnqueueOptions.DEFAULTS;

    final List<AutoCloseable> opened = new ArrayList<>();
    final AtomicInteger running = new AtomicInteger();
    final AtomicInteger most = new AtomicInteger();
    final Semaphore mayEnd = new Semaphore(0);
    final Map<String, List<String>> ran = new ConcurrentHashMap<>();
    SwitchedDataSource first;
    SwitchedDataSource second;
    ShardedQueue queue;
    Shard a;
    Shard b;

    abstract TestServer server();

    /** {@return one database for each shard, or a single database if the shards are its schemas} */
    List<TestDatabase> databases() {
        return List.of(server().createDatabase(), server().createDatabase());
    }

    /** Sets the schema of the shard, if the shards are schemas of one database. */
    void configure(JobQueueBuilder builder, int shard) {}

    @BeforeEach
    void open() {
        List<TestDatabase> databases = databases();
        opened.addAll(databases);
        first = pool(databases.get(0));
        second = pool(databases.get(databases.size() - 1));
        queue = newQueue("a", first, "b", second);
        a = queue.shard("a");
        b = queue.shard("b");
    }

    SwitchedDataSource pool(TestDatabase database) {
        HikariDataSource pool = database.newDataSource(16);
        opened.add(0, pool);
        return new SwitchedDataSource(pool);
    }

    ShardedQueue newQueue(String name, SwitchedDataSource pool, String otherName, SwitchedDataSource otherPool) {
        ShardedQueue made = ShardedQueue.of(
                Shard.of(name, builder(name.equals("a") ? 0 : 1, pool)),
                Shard.of(otherName, builder(otherName.equals("a") ? 0 : 1, otherPool)));
        opened.add(0, made);
        return made;
    }

    JobQueueBuilder builder(int shard, SwitchedDataSource pool) {
        JobQueueBuilder builder = JobQueue.builder(pool);
        configure(builder, shard);
        return builder;
    }

    @AfterEach
    void close() throws Exception {
        mayEnd.release(100_000);
        first.goOn();
        second.goOn();
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    Fleet start(int places, BiConsumer<Shard, WorkerBuilder> workers) {
        Fleet fleet = queue.start(places, workers);
        opened.add(0, fleet);
        return fleet;
    }

    /** Starts a fleet whose handlers note their jobs, and end when the test lets them. */
    Fleet startHeld(int places) {
        return start(
                places,
                (shard, worker) -> worker.pollInterval(Duration.ofMillis(100)).handle(GREET, (name, run) -> {
                    begin(shard, name);
                    try {
                        mayEnd.acquire();
                    } finally {
                        running.decrementAndGet();
                    }
                }));
    }

    Fleet startQuick(int places) {
        return start(
                places,
                (shard, worker) -> worker.pollInterval(Duration.ofMillis(100)).handle(GREET, (name, run) -> {
                    begin(shard, name);
                    running.decrementAndGet();
                }));
    }

    void begin(Shard shard, String name) {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        ran(shard).add(name);
    }

    List<String> ran(Shard shard) {
        return ran.computeIfAbsent(shard.name(), each -> new CopyOnWriteArrayList<>());
    }

    static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "name " + i).toList();
    }

    String keyOf(Shard shard) {
        return names(100).stream()
                .filter(key -> queue.shardOf(key) == shard)
                .findFirst()
                .orElseThrow();
    }

    long live(Shard shard) {
        return shard.queue().admin().queues().list(Admin.UNLIMITED).stream()
                .mapToLong(stats -> stats.available() + stats.delayed() + stats.running())
                .sum();
    }
}
