package dev.pawl.dashboard;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.EnqueueOptions;
import dev.pawl.JobQueue;
import dev.pawl.JobRequest;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobFilter;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How long each page and call takes where there are many jobs; not a test, run by hand: {@code PagesBench postgres 10000000 1000000}
 * fills a database with so many finished and waiting jobs, and prints for each path, in milliseconds: the first look at a dashboard that
 * knows nothing yet, the median of five and the longest; and the median and the longest of ten looks after each of them.
 */
final class PagesBench {
    private static final List<String> PATHS = List.of(
            "/",
            "/queues",
            "/jobs",
            "/jobs?state=available",
            "/jobs?state=discarded",
            "/jobs?state=running",
            "/jobs?queue=mail",
            "/jobs?kind=rare",
            "/jobs?kind=none",
            "/jobs?tag=none",
            "/jobs?key=none",
            "/jobs?uniqueKey=none",
            "/jobs?text=none",
            "/jobs?from=2020-01-01T00:00:00Z&until=2020-02-01T00:00:00Z",
            "/jobs?state=completed",
            "/jobs/1",
            "/jobs/new",
            "/jobs/change?change=cancel&queue=mail",
            "/failures",
            "/batches",
            "/workflows",
            "/schedules",
            "/limits",
            "/workers",
            "/managers",
            "/slots",
            "/database",
            "/api/queues",
            "/api/series",
            "/api/jobs?kind=none",
            "/api/jobs/1",
            "/api/jobs/1/attempts",
            "/api/jobs/1/log",
            "/api/jobs/1/steps",
            "/api/jobs/1/result",
            "/api/jobs/count?change=cancel&text=none",
            "/api/tables",
            "/api/batches",
            "/api/workflows",
            "/api/schedules",
            "/api/limits",
            "/api/workers",
            "/api/slots",
            "/api/assignments",
            "/api/unattended",
            "/api/stalled",
            "/api/failures",
            "/api/counts",
            "/api/doctor");

    private static final long CHUNK = 100_000;
    private static final String PAYLOAD = "{\"to\":\"ada@example.com\",\"subject\":\"" + "x".repeat(120) + "\"}";

    private PagesBench() {}

    /**
     * @param arguments the database (postgres or mariadb), how many finished jobs, how many that wait; or the URL of a database that
     *     is full already; {@code lanes} to have the jobs in lanes, as they are by default, instead of in rows of their own; and {@code
     *     looks} to measure also what pages are made of
     * @throws Exception if anything fails
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].startsWith("jdbc:")) {
            try (HikariDataSource pool = new TestDatabase(arguments[0], () -> {}).newDataSource(6);
                    JobQueue queue = JobQueue.open(pool)) {
                measureAll(queue, arguments.length > 1);
            }
            return;
        }
        TestServer server = switch (arguments[0]) {
            case "postgres" -> TestServers.postgres();
            case "mariadb" -> TestServers.mariaDb();
            default -> throw new IllegalArgumentException(arguments[0]);
        };
        long finished = Long.parseLong(arguments[1]);
        long waiting = Long.parseLong(arguments[2]);
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = JobQueue.open(pool)) {
            List<String> more = List.of(arguments).subList(3, arguments.length);
            fill(pool, arguments[0], finished, waiting, more.contains("lanes"));
            measureAll(queue, more.contains("looks"));
        }
    }

    private static void measureAll(JobQueue queue, boolean alsoLooks) throws InterruptedException {
        warmUp();
        queue.enqueue(new JobRequest("rare", "{}", EnqueueOptions.DEFAULTS));
        if (alsoLooks) {
            looks(queue);
        }
        for (String path : PATHS) {
            measure(queue, path);
        }
    }

    /** The first pages of a process take long wherever its jobs are: its classes are loaded. */
    private static void warmUp() {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = JobQueue.open(pool);
                Dashboard dashboard = Dashboard.on(queue).samples(false).build()) {
            queue.enqueue(new JobRequest("rare", "{}", EnqueueOptions.DEFAULTS));
            for (int round = 0; round < 5; round++) {
                for (String path : PATHS) {
                    long unused = take(dashboard, path);
                }
            }
        }
    }

    /** What pages are made of. */
    private static void looks(JobQueue queue) {
        JobAdmin admin = queue.admin();
        for (int round = 0; round < 2; round++) {
            time("queues", () -> admin.queues(10_000));
            time("all queues", admin::queues);
            time("finished", () -> admin.finished(50_000));
            time("unattended", admin::unattended);
            time("stalled", admin::stalled);
            time("workers", admin::workers);
            time("remote workers", admin::remoteWorkers);
            time("schedules", () -> queue.schedules().list());
            time("limits", () -> queue.limits().list());
            time("failures", () -> admin.failures(null, null, 10_000));
            time("doctor", admin::diagnose);
            time("tables", admin::tables);
            time("samples", () -> admin.series().last(Duration.ofHours(1)));
            time("newest", () -> admin.page(JobFilter.ALL.limit(200)));
            time("tag", () -> admin.page(JobFilter.ALL.tag("none")));
            time("text", () -> admin.page(JobFilter.ALL.text("none")));
        }
    }

    private static void time(String what, Supplier<?> look) {
        long before = System.nanoTime();
        Object unused = look.get();
        System.out.printf(Locale.ROOT, "  %-20s %6d ms%n", what, (System.nanoTime() - before) / 1_000_000);
    }

    /** Each time a dashboard that knows nothing yet, and then ten more looks. */
    private static void measure(JobQueue queue, String path) throws InterruptedException {
        List<Long> first = new ArrayList<>();
        List<Long> later = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            try (Dashboard dashboard = Dashboard.on(queue).samples(false).build()) {
                first.add(take(dashboard, path));
                for (int i = 0; i < 10; i++) {
                    Thread.sleep(20); // as if several people looked
                    later.add(take(dashboard, path));
                }
            }
        }
        first.sort(null);
        later.sort(null);
        System.out.printf(
                Locale.ROOT,
                "| `%s` | %d | %d | %d | %d |%n",
                path,
                first.get(2),
                first.get(4),
                later.get(25),
                later.get(49));
    }

    private static long take(Dashboard dashboard, String path) {
        int query = path.indexOf('?');
        Request request = new Request(
                "GET",
                "",
                query < 0 ? path : path.substring(0, query),
                query < 0 ? "" : path.substring(query + 1),
                Map.of("host", "localhost"),
                new byte[0],
                false,
                null);
        long before = System.nanoTime();
        Response response = dashboard.handle(request);
        if (response.status() != 200) {
            throw new Refusal(response.status(), path);
        }
        return (System.nanoTime() - before) / 1_000_000;
    }

    private static void fill(HikariDataSource pool, String product, long finished, long waiting, boolean lanes)
            throws SQLException {
        boolean isPostgres = product.equals("postgres");
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            if (lanes) {
                statement.executeUpdate("DELETE FROM pawl_lane WHERE queue IN ('default', 'mail')");
                statement.executeUpdate("INSERT INTO pawl_lane (queue, priority) VALUES ('default', 0)");
                statement.executeUpdate("INSERT INTO pawl_lane (queue, priority) VALUES ('mail', 0)");
            }
            for (long from = 1; from <= finished; from += CHUNK) {
                long to = Math.min(finished, from + CHUNK - 1);
                String at = isPostgres
                        ? "now() - (" + finished + " - n) * interval '10 milliseconds'"
                        : "UTC_TIMESTAMP(6) - INTERVAL (" + finished + " - n) * 10000 MICROSECOND";
                String failed = " FROM " + numbers(product, from, to) + " WHERE n % 100 = 0";
                if (lanes) {
                    inLane(statement, product, from, to, at);
                    range(statement, product, from, to, at);
                }
                statement.executeUpdate(
                        "INSERT INTO pawl_job_history (id, lease_token, created_at, available_at, started_at,"
                                + " finished_at, state, priority, attempt, max_attempts, queue, kind, payload) SELECT n, 1, "
                                + at + ", " + at + ", " + at + ", " + at
                                + ", CASE WHEN n % 100 = 0 THEN 4 ELSE 2 END, 0, 1, 5,"
                                + " CASE WHEN n % 3 = 0 THEN 'mail' ELSE 'default' END, 'mail.send', '" + PAYLOAD + "'"
                                + (lanes ? failed : " FROM " + numbers(product, from, to)));
                statement.executeUpdate(
                        "INSERT INTO pawl_attempt (job_id, lease_token, attempt, failed_at, error) SELECT n, 1, 1, "
                                + at + ", 'java.lang.IllegalStateException: the post office is closed'" + failed);
            }
            for (long from = finished + 1; from <= finished + waiting; from += CHUNK) {
                long to = Math.min(finished + waiting, from + CHUNK - 1);
                String at = isPostgres ? "now()" : "UTC_TIMESTAMP(6)";
                if (lanes) {
                    inLane(statement, product, from, to, at);
                } else {
                    statement.executeUpdate(
                            "INSERT INTO pawl_job (id, created_at, available_at, max_attempts, queue, kind, payload)"
                                    + " SELECT n, " + at + ", " + at
                                    + ", 5, CASE WHEN n % 3 = 0 THEN 'mail' ELSE 'default' END,"
                                    + " 'mail.send', '" + PAYLOAD + "' FROM " + numbers(product, from, to));
                }
            }
            if (isPostgres) {
                statement.execute("SELECT setval('pawl_job_ids', " + (finished + waiting + 1) + ")");
                statement.execute("VACUUM ANALYZE");
            } else {
                statement.execute("ALTER TABLE pawl_lane_job AUTO_INCREMENT = " + (finished + waiting + 1));
                statement.execute(
                        "ANALYZE TABLE pawl_job, pawl_job_history, pawl_attempt, pawl_lane_job, pawl_lane_range");
            }
        }
    }

    /** Jobs of ids that follow each other go to the lanes by the thousand; those that have failed have rows. */
    private static void inLane(Statement statement, String product, long from, long to, String at) throws SQLException {
        statement.executeUpdate("INSERT INTO pawl_lane_job (lane, id, created_at, max_attempts, kind, payload) SELECT "
                + lane(product) + ", n, " + at + ", 5, 'mail.send', '" + PAYLOAD + "' FROM "
                + numbers(product, from, to) + " WHERE n % 100 <> 0");
    }

    /** A range for each thousand. */
    private static void range(Statement statement, String product, long from, long to, String at) throws SQLException {
        statement.executeUpdate(
                "INSERT INTO pawl_lane_range (lane, after_id, last_id, jobs, leased_by, ahead, claimed_at, finished_at,"
                        + " completed, moves) SELECT " + lane(product) + ", n - 1, n + 999, 1000, 1, FALSE, " + at
                        + ", " + at + ", 990, 10 FROM " + numbers(product, from, to) + " WHERE n % 1000 = 1");
    }

    private static String lane(String product) {
        String thousand = product.equals("postgres") ? "((n - 1) / 1000)" : "((n - 1) DIV 1000)";
        return "(SELECT id FROM pawl_lane WHERE priority = 0 AND queue = CASE WHEN " + thousand
                + " % 3 = 0 THEN 'mail' ELSE 'default' END)";
    }

    private static String numbers(String product, long from, long to) {
        return product.equals("postgres")
                ? "generate_series(" + from + ", " + to + ") AS s(n)"
                : "(SELECT seq + " + from + " - 1 AS n FROM seq_1_to_" + (to - from + 1) + ") s";
    }
}
