package dev.pawl.dashboard;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.limit.Limit;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.spi.Series;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * Measures each page and call with many jobs; not a test, run by hand. {@code PagesBench postgres 10000000 1000000} fills a database with
 * this many finished and waiting jobs and the maximum of samples, and prints four durations in milliseconds for each path: the median and
 * the longest of the first requests to five new dashboards, and the median and the longest of ten further requests to each. To fill the
 * tables only once, run it in steps: {@code PagesBench serve postgres} starts a server, prints the URL of a database and keeps both until
 * it is killed; {@code PagesBench fill URL 10000000 1000000}; {@code PagesBench URL}.
 */
final class PagesBench {
    private static final List<String> PATHS = List.of(
            "/",
            "/?span=hours",
            "/?span=day",
            "/?span=week",
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
            "/jobs?q=state:discarded+kind:mail.send+before:1h",
            "/jobs/suggest?q=kind:m",
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
            "/api/series?span=week",
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

    private PagesBench() {}

    /**
     * @param arguments the database (postgres or mariadb), number of finished jobs, number of waiting jobs; or the URL
     *     of a database that is already filled; {@code lanes} to store the jobs in lanes, as by default, instead of in
     *     rows of their own; and {@code snapshots} to also measure the queries behind the pages
     * @throws Exception if anything fails
     */
    public static void main(String[] arguments) throws Exception {
        List<String> all = List.of(arguments);
        switch (all.get(0)) {
            case "serve" -> {
                try (TestDatabase database = server(all.get(1)).createDatabase()) {
                    System.out.println(database.jdbcUrl());
                    new CountDownLatch(1).await();
                }
            }
            case "fill" -> on(new TestDatabase(all.get(1), () -> {}), all.subList(2, all.size()), List.of());
            case "postgres", "mariadb" -> {
                try (TestDatabase database = server(all.get(0)).createDatabase()) {
                    on(database, all.subList(1, all.size()), all);
                }
            }
            default -> on(new TestDatabase(all.get(0), () -> {}), List.of(), all);
        }
    }

    /** Fills the database if numbers are given, and then measures if requested. */
    private static void on(TestDatabase database, List<String> fill, List<String> measure) throws Exception {
        try (HikariDataSource pool = database.newDataSource(6);
                JobQueue queue = JobQueue.open(pool)) {
            if (!fill.isEmpty()) {
                PagesBenchTables tables = new PagesBenchTables(
                        database.jdbcUrl().startsWith("jdbc:postgresql"),
                        Long.parseLong(fill.get(0)),
                        Long.parseLong(fill.get(1)),
                        fill.contains("lanes"));
                tables.fill(pool);
                queue.limits().set(Limit.queue("mail").atOnce(50).maxWaiting(2_000_000));
                queue.limits().set(Limit.keysOf("mail").atOnce(2));
                queue.limits().set(Limit.kind("mail.send").atOnce(20));
            }
            if (!measure.isEmpty()) {
                measureAll(queue, measure.contains("snapshots"));
            }
        }
    }

    private static TestServer server(String product) {
        return switch (product) {
            case "postgres" -> TestServers.postgres();
            case "mariadb" -> TestServers.mariaDb();
            default -> throw new IllegalArgumentException(product);
        };
    }

    private static void measureAll(JobQueue queue, boolean alsoReads) throws InterruptedException, SQLException {
        warmUp();
        queue.enqueue(new JobRequest("rare", "{}", EnqueueOptions.DEFAULTS));
        if (alsoReads) {
            snapshots(queue);
        }
        for (String path : PATHS) {
            measure(queue, path);
        }
    }

    /** The first pages of a process are slow regardless of its jobs, because classes are loaded. */
    private static void warmUp() throws SQLException {
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = JobQueue.open(pool);
                Dashboard dashboard = Dashboard.on(queue).samples(false).build()) {
            queue.enqueue(new JobRequest("rare", "{}", EnqueueOptions.DEFAULTS));
            try (Connection connection = pool.getConnection()) {
                PagesBenchTables.samples(connection);
            }
            for (int round = 0; round < 5; round++) {
                for (String path : PATHS) {
                    long unused = take(dashboard, path);
                }
            }
        }
    }

    /** Measures the queries behind the pages. */
    private static void snapshots(JobQueue queue) {
        Admin admin = queue.admin();
        for (int round = 0; round < 2; round++) {
            time("queues", () -> admin.queues().list(10_000));
            time("all queues", () -> admin.queues().list(Admin.UNLIMITED));
            time("finished", () -> admin.queues().finished(50_000));
            time("unattended", admin.queues()::unattended);
            time("stalled", admin.runs()::stalled);
            time("workers", admin.workers()::list);
            time("remote workers", admin.workers()::remote);
            time("schedules", () -> queue.schedules().list());
            time("limits", () -> queue.limits().list());
            time("failures", () -> admin.runs().failures(null, null, 10_000));
            time("doctor", admin.maintenance()::diagnose);
            time("tables", admin.maintenance()::tables);
            time("samples", () -> queue.unwrap(Series.class).last(Duration.ofHours(1)));
            time("newest", () -> admin.jobs().page(JobFilter.ALL.limit(200)));
            time("tag", () -> admin.jobs().page(JobFilter.ALL.tag("none")));
            time("text", () -> admin.jobs().page(JobFilter.ALL.text("none")));
        }
    }

    private static void time(String what, Supplier<?> look) {
        long before = System.nanoTime();
        Object unused = look.get();
        System.out.printf(Locale.ROOT, "  %-20s %6d ms%n", what, (System.nanoTime() - before) / 1_000_000);
    }

    /** In each of five rounds, sends one request to a new dashboard and then ten more. */
    private static void measure(JobQueue queue, String path) throws InterruptedException {
        List<Long> first = new ArrayList<>();
        List<Long> later = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            try (Dashboard dashboard = Dashboard.on(queue).samples(false).build()) {
                first.add(take(dashboard, path));
                for (int i = 0; i < 10; i++) {
                    Delay.work(20); // as with several viewers
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
}
