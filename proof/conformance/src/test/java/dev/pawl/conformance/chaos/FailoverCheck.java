package dev.pawl.conformance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Compares what the database holds after failovers with the logs of workers and producers, which no database can lose. */
final class FailoverCheck {
    private final FailoverRun run;
    private final Map<Long, Job> jobs = new TreeMap<>();
    private final Map<Long, List<Long>> effects = new HashMap<>();
    /** The effects whose transaction also completes the job. Any other effect may be of a lost job whose id another job has now. */
    private final Map<Long, List<Long>> fencedEffects = new HashMap<>();

    private final Map<Long, Integer> orders = new HashMap<>();
    private final RunLogFile runs;

    FailoverCheck(FailoverRun run) throws SQLException, IOException {
        this.run = run;
        this.runs = new RunLogFile(run.logs);
        JobFilter filter = JobFilter.ALL.limit(1000);
        List<Job> page;
        do {
            page = run.queue.admin().jobs().list(filter);
            page.forEach(job -> jobs.put(job.id(), job));
            filter = page.isEmpty()
                    ? filter
                    : filter.before(page.get(page.size() - 1).id());
        } while (!page.isEmpty());
        read("SELECT job_id, token, run FROM chaos_effect", row -> {
            add(effects, row);
            if (!row.getString(3).startsWith(ChaosWorker.UNFENCED)) {
                add(fencedEffects, row);
            }
        });
        read("SELECT job_id, number FROM chaos_order", row -> orders.put(row.getLong(1), row.getInt(2)));
    }

    private static void add(Map<Long, List<Long>> tokens, ResultSet effect) throws SQLException {
        tokens.computeIfAbsent(effect.getLong(1), id -> new ArrayList<>()).add(effect.getLong(2));
    }

    private interface Row {
        void take(ResultSet row) throws SQLException;
    }

    private void read(String sql, Row each) throws SQLException {
        try (Connection connection = run.pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                each.take(rows);
            }
        }
    }

    /**
     * Checks that the database agrees with itself, and that each outcome is that of a run of the same job. This holds even if replication
     * has lost commits.
     */
    void databaseIsConsistent() {
        List<String> wrong = new ArrayList<>();
        jobs.forEach((id, job) -> {
            List<Long> tokens = fencedEffects.getOrDefault(id, List.of());
            if (job.state() != JobState.COMPLETED) {
                wrong.add("job " + id + " is " + job.state());
            } else if (!runs.hasRun(id, job.leaseToken(), job.payload())) {
                wrong.add("job " + id + " was completed with token " + job.leaseToken() + ", which never ran it");
            } else if (isTransactional(job) && !tokens.equals(List.of(job.leaseToken()))) {
                wrong.add("job " + id + " was completed with token " + job.leaseToken() + ", effects have " + tokens);
            }
        });
        orders.forEach((id, number) -> {
            Job job = jobs.get(id);
            if (job == null || !job.payload().equals(Integer.toString(number))) {
                wrong.add("order " + number + " has no job " + id);
            }
        });
        Set<Integer> placed = new HashSet<>(orders.values());
        jobs.values().stream()
                .filter(job -> Integer.parseInt(job.payload()) >= Producers.PER_PRODUCER)
                .filter(job -> !placed.contains(Integer.parseInt(job.payload())))
                .forEach(job -> wrong.add("job " + job.id() + " has no order"));
        assertThat(placed).as("numbers of orders").hasSameSizeAs(orders.keySet());
        assertThat(wrong).isEmpty();
    }

    private static boolean isTransactional(Job job) {
        return job.kind().equals(ChaosWorker.EFFECT.kind());
    }

    /**
     * Checks, for synchronous replication, that everything acknowledged is there, that each job has its effect, and that no two runs of a
     * job overlap.
     */
    void nothingIsLost() {
        assertThat(lost()).isEmpty();
        assertThat(jobs.values())
                .allSatisfy(job -> assertThat(effects.get(job.id())).contains(job.leaseToken()));
        assertThat(runs.violations()).isEmpty();
    }

    /** Checks that the server that took over never had the acknowledged commits that are missing. */
    void onlyWhatReplicationLostIsLost(LogPositions log) {
        assertThat(lost()).noneMatch(each -> log.hasSurvived(each.nanos));
        assertThat(acknowledged().stream().filter(each -> log.hasSurvived(each.nanos)))
                .as("what replication did not lose, by %s", log)
                .isNotEmpty();
    }

    /**
     * Something that was committed, as recorded outside of the database.
     *
     * @param nanos when the commit had returned
     */
    record Acknowledged(String what, long nanos, boolean isThere) {}

    /** {@return what was acknowledged, and is not there} */
    List<Acknowledged> lost() {
        return acknowledged().stream().filter(each -> !each.isThere).toList();
    }

    private List<Acknowledged> acknowledged() {
        List<Acknowledged> all = new ArrayList<>();
        run.producers
                .acknowledged()
                .forEach(order -> all.add(new Acknowledged(
                        "order " + order.number() + " with job " + order.jobId(),
                        order.nanos(),
                        Integer.valueOf(order.number()).equals(orders.get(order.jobId())))));
        Set<String> payloads = new HashSet<>();
        jobs.values().forEach(job -> payloads.add(job.payload()));
        run.backlog.forEach((number, nanos) ->
                all.add(new Acknowledged("backlog " + number, nanos, payloads.contains(Integer.toString(number)))));
        runs.commits()
                .forEach(commit -> all.add(new Acknowledged(
                        "effect of job " + commit.job() + " under token " + commit.token(),
                        commit.nanos(),
                        effects.getOrDefault(commit.job(), List.of()).contains(commit.token()))));
        return all;
    }

    /** {@return a summary} */
    String summary() throws IOException {
        Map<Long, String> payloads = new HashMap<>();
        jobs.forEach((id, job) -> payloads.put(id, job.payload()));
        long refused = 0;
        for (Path log : run.logs) {
            refused += Files.readAllLines(log).stream()
                    .filter(line -> line.startsWith("refused "))
                    .count();
        }
        return String.format(
                "%,d faults, %,d jobs, %,d runs, %,d orders, jobs and effects acknowledged, %,d of them lost,"
                        + " %,d runs of jobs whose id another job has now, %,d orders refused, %,d outcomes refused, %,d overlapping runs of one id",
                run.faults,
                jobs.size(),
                runs.runs(),
                acknowledged().size(),
                lost().size(),
                runs.runsOfLostJobs(payloads),
                run.producers.refused(),
                refused,
                runs.violations().size());
    }
}
