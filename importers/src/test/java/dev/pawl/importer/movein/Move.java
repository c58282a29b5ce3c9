package dev.pawl.importer.movein;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Outcome;
import dev.pawl.cli.ImportLine;
import dev.pawl.cli.Importer;
import dev.pawl.importer.PeerImporter;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.Tier;
import dev.pawl.servers.process.JavaProcess;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A database with another library's tables and Pawl's, and imports from the former into the latter. */
final class Move implements AutoCloseable {
    private final TestDatabase database;
    private final HikariDataSource pool;
    private final JobQueue queue;

    /** {@return the arguments of {@link #on}: SQLite, and {@link #servers}} */
    static Stream<String> products() {
        return Stream.concat(Stream.of("sqlite"), servers());
    }

    /** {@return PostgreSQL; in the full tier, also MariaDB, and MySQL if there is one} */
    static Stream<String> servers() {
        return Tier.ofThisBuild().isAll("PAWL_CONTRACTS")
                ? Stream.concat(
                        Stream.of("postgresql", "mariadb"),
                        TestServers.mySql().stream().map(mySql -> "mysql"))
                : Stream.of("postgresql");
    }

    private Move(TestDatabase database, @Nullable EnqueueInterceptor interceptor) {
        this.database = database;
        pool = database.newDataSource(12);
        JobQueueBuilder builder = JobQueue.builder(pool);
        queue = (interceptor == null ? builder : builder.interceptEnqueue(interceptor)).open();
    }

    static Move on(String product) throws SQLException {
        return on(product, null);
    }

    static Move on(String product, @Nullable EnqueueInterceptor interceptor) throws SQLException {
        return new Move(
                switch (product) {
                    case "postgresql" -> TestServers.postgres().createDatabase();
                    case "mariadb" -> TestServers.mariaDb().createDatabase();
                    case "mysql" -> TestServers.mySql().orElseThrow().createDatabase();
                    default -> TestServers.sqlite().createDatabase();
                },
                interceptor);
    }

    HikariDataSource pool() {
        return pool;
    }

    JobQueue queue() {
        return queue;
    }

    List<ImportLine> dryRun(String peer) throws SQLException {
        return run(peer, Map.of(), false, true);
    }

    List<ImportLine> take(String peer, Map<String, String> kinds) throws SQLException {
        return run(peer, kinds, false, false);
    }

    List<ImportLine> copy(String peer, Map<String, String> kinds) throws SQLException {
        return run(peer, kinds, true, false);
    }

    /** Starts another process that imports and is killed ({@code kill -9}) just before it writes the job with that number. */
    void killedAt(int job, String peer, Map<String, String> kinds, boolean copy) {
        List<String> arguments = new ArrayList<>(List.of(database.jdbcUrl(), peer, Boolean.toString(copy), "" + job));
        kinds.forEach((name, kind) -> arguments.add(name + "=" + kind));
        try (JavaProcess mover = JavaProcess.start(Mover.class, Map.of(), arguments.toArray(String[]::new))) {
            mover.awaitOutput(Mover.IN_THE_MIDDLE, Duration.ofSeconds(60));
            mover.kill();
        }
    }

    /** Imports everything, unless it is killed. */
    static final class Mover {
        static final String IN_THE_MIDDLE = "in the middle";

        private Mover() {}

        public static void main(String[] arguments) throws Exception {
            Map<String, String> kinds = new HashMap<>();
            for (String kind : List.of(arguments).subList(4, arguments.length)) {
                kinds.put(kind.substring(0, kind.indexOf('=')), kind.substring(kind.indexOf('=') + 1));
            }
            int killedAt = Integer.parseInt(arguments[3]);
            AtomicInteger jobs = new AtomicInteger();
            CountDownLatch never = new CountDownLatch(1);
            TestDatabase database = new TestDatabase(arguments[0], () -> {});
            try (Move move = new Move(database, request -> {
                if (jobs.incrementAndGet() == killedAt) {
                    System.out.println(IN_THE_MIDDLE);
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                return request;
            })) {
                List<ImportLine> unused = move.run(arguments[1], kinds, Boolean.parseBoolean(arguments[2]), false);
            }
        }
    }

    private List<ImportLine> run(String peer, Map<String, String> kinds, boolean copy, boolean dryRun)
            throws SQLException {
        Importer.Source source = new Importer.Source(peer, null, ZoneId.systemDefault(), false, copy);
        Importer.Target target = new Importer.Target(queue, pool, "pawl_unique", EnqueueOptions.DEFAULTS);
        try (Connection connection = pool.getConnection()) {
            return new PeerImporter().run(source, connection, target, kinds, dryRun);
        }
    }

    static long count(List<ImportLine> lines, ImportLine.Result result) {
        return lines.stream()
                .filter(line -> line.result() == result)
                .mapToLong(ImportLine::count)
                .sum();
    }

    static String notes(List<ImportLine> lines) {
        return lines.stream().map(String::valueOf).reduce("", (all, line) -> all + "\n" + line);
    }

    long rows(String table) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getLong(1);
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long jobs() {
        return queue.admin().jobs().list(JobFilter.ALL.limit(10_000)).size();
    }

    /** {@return the payloads that a worker runs until nothing is due} */
    List<String> run(String kind) throws InterruptedException {
        ConcurrentLinkedQueue<String> payloads = new ConcurrentLinkedQueue<>();
        try (Worker worker = worker(kind, payloads)) {
            assertThat(worker.awaitIdle(Duration.ofSeconds(60))).isTrue();
        }
        return List.copyOf(payloads);
    }

    Worker worker(String kind, ConcurrentLinkedQueue<String> payloads) {
        return Worker.on(queue)
                .extend(registry -> registry.encoded(
                        kind,
                        (payload, run) -> {
                            payloads.add(payload);
                            return Outcome.completed();
                        },
                        HandlerOptions.DEFAULTS))
                .start();
    }

    @Override
    public void close() {
        queue.close();
        pool.close();
        database.close();
    }
}
