package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Strategy;
import dev.pawl.servers.Delay;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Jobs with effects, worker processes that run them, and the check that every guarantee held. */
final class Chaos implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    private final TestDatabase database;
    private final HikariDataSource pool;
    private final JobQueue queue;
    private final Path folder;
    private final List<JavaProcess> workers = new ArrayList<>();
    private List<String> workersUrls;
    private Duration deadline = DEADLINE;
    private final List<Path> logs = new ArrayList<>();
    private final int few;
    private int jobs;
    private int mostJobs;
    private final Strategy strategy;

    Chaos(TestDatabase database, int jobs) throws SQLException, IOException {
        this(database, jobs, Strategy.AUTO);
    }

    Chaos(TestDatabase database, int jobs, Strategy strategy) throws SQLException, IOException {
        this.database = database;
        this.jobs = jobs;
        this.few = jobs / 2;
        this.strategy = strategy;
        this.workersUrls = List.of(database.jdbcUrl());
        this.pool = database.newDataSource(4);
        this.queue = JobQueue.open(pool);
        this.folder = Files.createTempDirectory("pawl-chaos-");
        // The column job_id has no unique key, because the database must not refuse a duplicate effect. The check must
        // find it.
        execute(
                "CREATE TABLE chaos_effect (run varchar(36) PRIMARY KEY, job_id bigint NOT NULL, token bigint NOT NULL)");
        if (strategy instanceof Strategy.Lanes) {
            queue.admin().queues().setStrategy(EnqueueOptions.DEFAULTS.queue(), strategy);
        }
        queue.enqueueAll(ChaosWorker.EFFECT, IntStream.range(0, jobs).boxed().toList());
    }

    void startWorkers(int count) {
        for (int i = 0; i < count; i++) {
            workers.add(startWorker(i));
        }
    }

    /** While there are faults to inject, adds jobs whenever few jobs are left, up to this total. */
    void keepBusy(int mostJobs) {
        this.mostJobs = mostJobs;
    }

    private void topUp() throws SQLException {
        if (jobs < mostJobs && liveJobs() < few) {
            int more = Math.min(few, mostJobs - jobs);
            queue.enqueueAll(
                    ChaosWorker.EFFECT,
                    IntStream.range(jobs, jobs + more).boxed().toList());
            jobs += more;
        }
    }

    /** Expects this number of further jobs, which the test enqueues elsewhere. */
    void expectMore(int more) {
        jobs += more;
    }

    void awaitWorkers() {
        workers.forEach(worker -> worker.awaitOutput(" works", Duration.ofSeconds(30)));
    }

    private JavaProcess startWorker(int index) {
        Path log = folder.resolve("runs-" + logs.size());
        logs.add(log);
        String url = workersUrls.get(index % workersUrls.size());
        return JavaProcess.start(ChaosWorker.class, Map.of(), url, log.toString(), strategy.toString());
    }

    /** Assigns these URLs to the workers in turn, instead of the test's own URL. */
    void workersUrls(String... urls) {
        workersUrls = List.of(urls);
    }

    /** Sets how long all jobs together may take; for slower systems. */
    void deadline(Duration deadline) {
        this.deadline = deadline;
    }

    JavaProcess worker(int index) {
        return workers.get(index);
    }

    /** Injects a fault while the system works; returns false when there are no more. */
    interface FaultInjection {
        boolean inject(int round) throws Exception;
    }

    /** Kills and restarts one worker after the other. */
    FaultInjection killWorkers(int times, Random random) {
        return round -> {
            if (round >= times) {
                return false;
            }
            int victim = random.nextInt(workers.size());
            workers.get(victim).awaitOutput(" works", Duration.ofSeconds(30));
            Delay.random(random.nextInt(1000));
            workers.get(victim).close();
            workers.set(victim, startWorker(victim));
            return true;
        };
    }

    void untilAllIsDone(FaultInjection faults) throws Exception {
        long end = System.nanoTime() + deadline.toNanos();
        int round = 0;
        boolean more = true;
        while (more || liveJobs() > 0) {
            topUp();
            more = more && faults.inject(round++);
            if (!more) {
                mostJobs = jobs;
                Delay.poll(100); // other processes complete the jobs and give no signal
            }
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(liveJobs() + " jobs are not done after " + deadline + "; a worker says:\n"
                        + workers.get(0).output());
            }
        }
    }

    private long liveJobs() {
        try {
            // The list may miss a job that moves from its lane to a row meanwhile; the second query finds it.
            long lanes = queue.admin().queues().list(Admin.UNLIMITED).stream()
                    .mapToLong(each -> each.available() + each.running())
                    .sum();
            return Math.max(lanes, longOf("SELECT COUNT(*) FROM pawl_job"));
        } catch (SQLException | DatabaseException away) {
            return jobs;
        }
    }

    /** Checks that no job is lost, that no job is run by two live claims at a time, and that each effect is there exactly once. */
    void assertEveryPromiseHeld() throws Exception {
        workers.forEach(JavaProcess::close);
        RunLogFile runs = new RunLogFile(logs);
        assertThat(runs.violations()).isEmpty();
        Map<Long, Long> tokens = completed();
        assertThat(tokens)
                .as("completed jobs; of the others one says: %s", lastError())
                .hasSize(jobs);
        assertThat(longOf("SELECT COUNT(DISTINCT job_id) FROM chaos_effect"))
                .as("jobs with an effect")
                .isEqualTo(jobs);
        assertThat(longOf("SELECT COUNT(*) FROM chaos_effect")).as("effects").isEqualTo(jobs);
        assertThat(effects()).as("effects of the run that completed the job").isEqualTo(tokens);
        assertThat(runs.jobs()).isEqualTo(jobs);
        System.out.printf(
                "%s, %s: %,d jobs, %,d runs of handlers, %,d worker processes%n",
                database.jdbcUrl().replaceAll("^jdbc:(\\w+):.*", "$1"), strategy, jobs, runs.runs(), logs.size());
    }

    /** The token under which each job was completed. */
    private Map<Long, Long> completed() {
        Map<Long, Long> tokens = new TreeMap<>();
        JobFilter next = JobFilter.ALL.state(JobState.COMPLETED).limit(1000);
        List<Job> page;
        do {
            page = queue.admin().jobs().list(next);
            page.forEach(job -> tokens.put(job.id(), job.leaseToken()));
            next = page.isEmpty() ? next : next.before(page.get(page.size() - 1).id());
        } while (!page.isEmpty());
        return tokens;
    }

    private Map<Long, Long> effects() throws SQLException {
        Map<Long, Long> tokens = new TreeMap<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT job_id, token FROM chaos_effect")) {
            while (rows.next()) {
                tokens.put(rows.getLong(1), rows.getLong(2));
            }
        }
        return tokens;
    }

    private String lastError() {
        return queue.admin().jobs().list(JobFilter.ALL.state(JobState.DISCARDED).limit(1)).stream()
                .flatMap(job -> queue.admin().runs().failedAttempts(job.id(), Admin.UNLIMITED).stream())
                .map(FailedAttempt::error)
                .reduce("nothing", (first, last) -> last);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long longOf(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws IOException {
        workers.forEach(JavaProcess::close);
        queue.close();
        pool.close();
        for (Path log : logs) {
            Files.deleteIfExists(log);
        }
        Files.deleteIfExists(folder);
    }
}
