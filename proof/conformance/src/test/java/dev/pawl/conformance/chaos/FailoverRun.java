package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Strategy;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Sql;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.cluster.Cluster;
import dev.pawl.servers.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A cluster, the worker processes and producers that use it, and faults of its nodes. */
final class FailoverRun implements AutoCloseable {
    static final int WORKERS = 2;
    static final int PRODUCERS = 3;
    private static final int PORTION = 100;
    /**
     * A renewal is due when three quarters of the lease remain. This time is longer than a handler may wait for a server that does not
     * answer and then for a connection to another server, because nothing can interrupt this wait.
     */
    private static final Duration LEASE = Duration.ofSeconds((FailoverTest.SOCKET_TIMEOUT + 3) * 4L / 3 + 1);

    private static final Duration SOON = Duration.ofSeconds(60);
    /** A MySQL server with a full disk checks for space once a minute. */
    private static final Duration LATER = Duration.ofMinutes(2);
    /** No failover is faster than this, so a commit that returns sooner after the fault was already on its way. */
    private static final long ON_ITS_WAY = TimeUnit.SECONDS.toNanos(1);

    final Cluster cluster;
    final String url;
    final HikariDataSource pool;
    final JobQueue queue;
    final Producers producers;
    final List<Path> logs = new ArrayList<>();
    /** For each number of the backlog, when its enqueue had returned, by {@link System#nanoTime}. */
    final Map<Integer, Long> backlog = new TreeMap<>();

    int faults;
    private final Path folder;
    private final List<String> urls;
    private final List<JavaProcess> workers = new ArrayList<>();
    private int next;

    /**
     * How long a recovery took, in milliseconds. The time of the cluster runs from the fault until a plain program can write. The other
     * times run from then until the first producer, all producers, the first worker and all workers have committed.
     */
    record Times(long cluster, long firstOrder, long allOrders, long firstRun, long allRuns) {}

    /**
     * @param url names all nodes, so that the driver finds the node that takes writes; the database is empty
     */
    FailoverRun(Cluster cluster, String url) throws SQLException, IOException {
        this(cluster, List.of(url));
    }

    /** @param urls URLs of the same kind, assigned to workers and producers in turn; everything else uses the first URL */
    FailoverRun(Cluster cluster, List<String> urls) throws SQLException, IOException {
        this.cluster = cluster;
        this.urls = urls;
        this.url = urls.get(0);
        this.folder = Files.createTempDirectory("pawl-failover-");
        this.pool = new TestDatabase(url, () -> {}).newDataSource(4);
        pool.setConnectionTimeout(3_000);
        this.queue = JobQueue.open(pool);
        execute(url, "CREATE TABLE chaos_order (job_id bigint PRIMARY KEY, number int NOT NULL)");
        execute(url, "CREATE TABLE chaos_plain (id int PRIMARY KEY, writes int NOT NULL)");
        execute(url, "INSERT INTO chaos_plain (id, writes) VALUES (1, 0)");
        execute(
                url,
                "CREATE TABLE chaos_effect (run varchar(36) PRIMARY KEY, job_id bigint NOT NULL, token bigint NOT NULL)");
        await("all nodes have the tables")
                .atMost(SOON)
                .ignoreExceptions()
                .until(() -> urls.stream().allMatch(FailoverRun::hasTables));
        try {
            for (int i = 0; i < WORKERS; i++) {
                logs.add(folder.resolve("runs-" + i));
                workers.add(startWorker(i));
            }
            workers.forEach(worker -> worker.awaitOutput(" works", SOON));
        } catch (RuntimeException e) {
            workers.forEach(JavaProcess::close); // otherwise they would run the jobs of the next test
            throw e;
        }
        this.producers = new Producers(
                IntStream.range(0, PRODUCERS).mapToObj(this::urlOf).toList());
    }

    private static boolean hasTables(String url) {
        return Sql.longOf("a node", url, "SELECT COUNT(*) FROM chaos_effect") == 0;
    }

    /** {@return the URL of a worker or producer} */
    String urlOf(int index) {
        return urls.get(index % urls.size());
    }

    private JavaProcess startWorker(int index) {
        return JavaProcess.start(
                ChaosWorker.class,
                Map.of(),
                urlOf(index),
                logs.get(index).toString(),
                Strategy.AUTO.toString(),
                LEASE.toString());
    }

    /** Closes a worker in an orderly way, and starts it again. */
    void restartWorker(int index) {
        try (JavaProcess old = workers.get(index)) {
            old.terminate();
            old.waitFor(SOON);
        }
        workers.set(index, startWorker(index));
        workers.get(index).awaitOutput(" works", SOON);
    }

    static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static long longOf(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Enqueues jobs of both kinds in turn; jobs that a failover refuses are enqueued again with other numbers. */
    void enqueueBacklog(int portions) {
        int left = portions;
        while (left > 0) {
            List<Integer> numbers =
                    IntStream.range(next, next + PORTION).boxed().toList();
            next += PORTION;
            try {
                queue.enqueueAll(left % 2 == 0 ? ChaosWorker.EFFECT : ChaosWorker.PLAIN, numbers);
                long acknowledged = System.nanoTime();
                numbers.forEach(number -> backlog.put(number, acknowledged));
                left--;
            } catch (DatabaseException refused) {
                assertThat(refused.isTransient()).isTrue();
            }
        }
    }

    /** Kills a node, measures, and restarts it. */
    Times kill(int node) throws Exception {
        cluster.kill(node);
        Times times = recover();
        cluster.rejoin(node);
        return times;
    }

    /** Halts a node, measures, and continues it when the others have gone on without it. */
    Times halt(int node) throws Exception {
        try {
            return halted(node);
        } finally {
            cluster.proceed(node);
        }
    }

    /**
     * Halts the primary, measures, and restarts it when another node has taken over, as its watchdog would. A primary that continues
     * without a watchdog may take over again, and discard what another node has committed since. This was seen with Patroni 3.0 and etcd.
     */
    Times haltUntilReset(int node) throws Exception {
        Times times;
        try {
            times = halted(node);
        } finally {
            cluster.kill(node);
        }
        cluster.rejoin(node);
        return times;
    }

    private Times halted(int node) throws Exception {
        cluster.halt(node);
        Times times = recover();
        await("no connection of a worker stays at the halted node")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(connectionsTo(node)).isEmpty());
        return times;
    }

    /**
     * {@return the workers' connections to a node} Only workers count, because they use all of their connections. Another pool may keep
     * unused connections to the node.
     */
    private List<String> connectionsTo(int node) throws IOException {
        List<String> found = new ArrayList<>();
        for (JavaProcess worker : workers) {
            Sockets.establishedTo(cluster.port(node), worker.pid()).forEach(port -> found.add("worker: " + port));
        }
        return found;
    }

    private Times recover() throws Exception {
        long fault = System.nanoTime();
        faults++;
        long from = fault + ON_ITS_WAY;
        // a write before the other nodes have noticed the fault proves nothing
        long back = Math.max(awaitWritable(), from);
        awaitCommitsOfAll(from);
        long[] orders = orders(from);
        long[] runs = runs(from);
        Times times = new Times(
                TimeUnit.NANOSECONDS.toMillis(back - fault),
                since(back, orders[0]),
                since(back, orders[PRODUCERS - 1]),
                since(back, runs[0]),
                since(back, runs[WORKERS - 1]));
        System.out.println(times + ", connections of workers by node: " + connections());
        return times;
    }

    /** Waits until each producer and each worker has committed after this time. */
    void awaitCommitsOfAll(long from) {
        await("all producers and workers commit again")
                .atMost(LATER)
                .until(() -> orders(from).length == PRODUCERS && runs(from).length == WORKERS);
    }

    private List<List<Integer>> connections() throws IOException {
        List<List<Integer>> all = new ArrayList<>();
        for (JavaProcess worker : workers) {
            List<Integer> ofWorker = new ArrayList<>();
            for (int node = 1; node <= Cluster.NODES; node++) {
                ofWorker.add(
                        Sockets.establishedTo(cluster.port(node), worker.pid()).size());
            }
            all.add(ofWorker);
        }
        return all;
    }

    private static long since(long back, long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos - back);
    }

    private long awaitWritable() throws InterruptedException {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() - deadline < 0) {
            try {
                execute(url, "UPDATE chaos_plain SET writes = writes + 1");
                return System.nanoTime();
            } catch (SQLException notYet) {
                Delay.poll(50); // a cluster gives no signal
            }
        }
        throw new AssertionError("no node takes writes, " + SOON + " after the fault");
    }

    /** When each producer first got an acknowledgement after this time, in ascending order; producers without one are left out. */
    private long[] orders(long from) {
        return firsts(IntStream.range(0, PRODUCERS).mapToObj(this::ordersOf), from);
    }

    /** {@return when a producer got acknowledgements} */
    long[] ordersOf(int producer) {
        return producers.acknowledged().stream()
                .filter(order -> order.producer() == producer)
                .mapToLong(Producers.Order::nanos)
                .toArray();
    }

    /** When each worker first committed a job after this time, in ascending order; workers without one are left out. */
    private long[] runs(long from) throws IOException {
        List<long[]> all = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            all.add(runsOf(worker));
        }
        return firsts(all.stream(), from);
    }

    /** {@return when a worker committed a job} */
    long[] runsOf(int worker) throws IOException {
        return Files.readAllLines(logs.get(worker)).stream()
                .filter(line -> line.startsWith("done "))
                .map(line -> line.split(" "))
                .filter(words -> words.length == 5)
                .mapToLong(words -> Long.parseLong(words[3]))
                .sorted()
                .toArray();
    }

    private static long[] firsts(Stream<long[]> all, long from) {
        return all.map(each -> LongStream.of(each).filter(nanos -> nanos > from).min())
                .flatMapToLong(OptionalLong::stream)
                .sorted()
                .toArray();
    }

    void endWorkers() {
        workers.forEach(JavaProcess::kill);
    }

    String outputs() {
        return String.join("\n---\n", workers.stream().map(FailoverRun::output).toList());
    }

    /** The output of a worker without stack traces, of which each failure has many. */
    private static String output(JavaProcess worker) {
        return worker.output().lines().filter(line -> !line.startsWith("\t")).collect(Collectors.joining("\n"));
    }

    @Override
    public void close() throws IOException {
        producers.close();
        workers.forEach(JavaProcess::close);
        queue.close();
        pool.close();
        for (Path log : logs) {
            Files.deleteIfExists(log);
        }
        Files.deleteIfExists(folder);
    }
}
