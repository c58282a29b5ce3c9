package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Outcome;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.report.Formats;
import dev.pawl.manager.Secret;
import dev.pawl.manager.WorkerServer;
import dev.pawl.servers.process.JavaProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Two managers assign jobs to one worker; one of them ends. */
final class ManagerDeath implements Scenario {
    static final String KIND = "work";

    private static final int JOBS = 1_000;
    private static final int AT_ONCE = 10;
    private static final int MILLIS = 100;
    private static final int LEASE_SECONDS = 20;
    private static final Duration SOON = Duration.ofSeconds(60);

    @Override
    public String name() {
        return "manager-death";
    }

    @Override
    public String description() {
        return "Two managers give fault tolerance, and availability during deploys (002). Here they hand off 1,000"
                + " jobs of 100 ms to a worker with a capacity of ten; after a third of the jobs, one manager ends."
                + " Leases have their default of 20 s. The stall is the longest time in which no job began.";
    }

    @Override
    public Set<String> products() {
        return Set.of("postgresql", "mariadb", "mysql");
    }

    private enum End {
        NONE("both live"),
        STOPPED("one is stopped, as by a deploy"),
        KILLED("one dies of kill -9");

        private final String text;

        End(String text) {
            this.text = text;
        }
    }

    @Override
    public Result run(Scratch scratch, double scale) throws Exception {
        int jobs = Scenario.scaled(JOBS, scale, 6 * AT_ONCE);
        List<List<String>> rows = new ArrayList<>();
        for (End end : End.values()) {
            rows.add(drain(scratch, end, jobs, Duration.ofSeconds(Scenario.scaled(LEASE_SECONDS, scale, 4))));
        }
        return new Result(List.of("", "stall s", "all begun after s", "begun twice"), rows);
    }

    private static List<String> drain(Scratch scratch, End how, int jobs, Duration lease) throws Exception {
        String shared = "of-a-run-of-the-lab-" + UUID.randomUUID();
        Secret secret = new Secret(shared);
        ConcurrentLinkedQueue<Long> begun = new ConcurrentLinkedQueue<>();
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        CountDownLatch aThird = new CountDownLatch(jobs / 3);
        CountDownLatch all = new CountDownLatch(jobs);
        try (HikariDataSource pool = scratch.pool(2);
                JobQueue queue = JobQueue.open(pool);
                WorkerServer worker = WorkerServer.with(secret)
                        .capacity(AT_ONCE)
                        .handle(KIND, (payload, run) -> {
                            begun.add(System.nanoTime());
                            boolean first = seen.add(run.job().id());
                            if (first) {
                                aThird.countDown();
                            }
                            TimeUnit.MILLISECONDS.sleep(MILLIS);
                            if (first) {
                                all.countDown();
                            }
                            return Outcome.completed();
                        })
                        .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                JavaProcess one = manager(scratch, shared, worker, lease);
                JavaProcess other = manager(scratch, shared, worker, lease)) {
            String unused = one.awaitOutput(ManagerMain.READY, SOON);
            unused = other.awaitOutput(ManagerMain.READY, SOON);
            queue.enqueueAll(Collections.nCopies(jobs, new JobRequest(KIND, "{}", EnqueueOptions.DEFAULTS)));
            if (!aThird.await(3, TimeUnit.MINUTES)) {
                throw new IllegalStateException("a third of the jobs did not run; a manager says:\n" + one.output());
            }
            switch (how) {
                case NONE -> {}
                case STOPPED -> one.terminate();
                case KILLED -> one.kill();
            }
            if (!all.await(3, TimeUnit.MINUTES)) {
                throw new IllegalStateException(
                        all.getCount() + " jobs did not run; a manager says:\n" + other.output());
            }
            return row(how, List.copyOf(begun), jobs);
        }
    }

    private static JavaProcess manager(Scratch scratch, String secret, WorkerServer worker, Duration lease) {
        return JavaProcess.startFast(
                ManagerMain.class,
                Map.of(ManagerMain.URL, scratch.url(), ManagerMain.SECRET, secret),
                scratch.product(),
                "http://127.0.0.1:" + worker.port(),
                Long.toString(lease.toMillis()));
    }

    private static List<String> row(End how, List<Long> begun, int jobs) {
        List<Long> sorted = begun.stream().sorted().toList();
        long stall = 0;
        for (int i = 1; i < sorted.size(); i++) {
            stall = Math.max(stall, sorted.get(i) - sorted.get(i - 1));
        }
        return List.of(
                how.text,
                Formats.number(stall / 1e9),
                Formats.number((sorted.get(sorted.size() - 1) - sorted.get(0)) / 1e9),
                Integer.toString(begun.size() - jobs));
    }
}
