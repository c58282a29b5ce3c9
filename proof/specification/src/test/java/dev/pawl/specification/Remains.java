package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Retention;
import dev.pawl.internal.engine.StepWorker;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.PausedKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The last step of a program. It compares the model with tables that no operation shows, ends and erases all jobs, prunes long afterwards,
 * and requires that no table has a row of a job left.
 */
public record Remains() implements Op {
    /** Enqueues a job with each unique key, so that the result is compared with the model, and rolls back. */
    private static final Op UNIQUE_KEYS = new Transaction(
            End.ROLLBACK,
            Stream.of(
                            Opt.UNIQUE,
                            Opt.UNIQUE_WAITING,
                            Opt.UNIQUE_DISCARDED,
                            Opt.UNIQUE_KEPT,
                            Opt.UNIQUE_1M,
                            Opt.UNIQUE_20D)
                    .<InTransaction>map(unique -> new Enqueue(List.of(unique)))
                    .toList());

    /** Concurrency keys: empty when no job is live. */
    private static final List<String> LINES = List.of("pawl_keyed", "pawl_key");

    /** Jobs: empty when all are erased. */
    private static final List<String> JOBS = List.of("pawl_job", "pawl_job_history");

    /** Rows that belong to jobs and batches: empty when the retention of all has passed. */
    private static final List<String> WITH_TIME = List.of(
            "pawl_lane_job WHERE lane > 0", // on MySQL and MariaDB, rows of lane 0 only provide ids
            "pawl_attempt",
            "pawl_job_log",
            "pawl_assignment",
            "pawl_step",
            "pawl_result",
            "pawl_stack",
            "pawl_unique",
            "pawl_batch",
            "pawl_batch_count",
            "pawl_batch_job",
            "pawl_batch_pause",
            "pawl_node",
            "pawl_edge");

    private static final Duration LONG_AFTER = Duration.ofDays(100);

    /**
     * Several rounds are needed, because the end of a rescued job may enqueue a callback of its batch, and the end of that callback a
     * callback of the outer batch.
     */
    private static final int MAX_ROUNDS = 10;

    @Override
    public void on(Real real, Model model) throws SQLException {
        compareLines(real, model);
        Duty.PRUNE.on(real, model);
        UNIQUE_KEYS.on(real, model);
        Time.DAYS_8.on(real, model);
        Duty.PRUNE.on(real, model);
        UNIQUE_KEYS.on(real, model);
        endAll(real, model);
        none(real, LINES);
        change(real, new JobChange.Erase());
        none(real, JOBS);
        goOn(real, model, LONG_AFTER);
        long unused = real.queue.admin().maintenance().prune(Retention.DEFAULTS);
        none(real, WITH_TIME);
    }

    /** A job that is blocked by its key has a row with its queue, key and priority; a pending job of a workflow has none. */
    private static void compareLines(Real real, Model model) throws SQLException {
        Map<Long, String> places = new TreeMap<>();
        query(real, "SELECT job_id, queue, job_key, priority FROM pawl_keyed WHERE released = 0", row -> {
            Spec job = model.job(row.getLong(1));
            places.put(row.getLong(1), row.getString(2) + " " + row.getString(3));
            require(job == null || !job.pending, "job %s is pending, and blocked by its key", row.getLong(1));
            if (job != null && job.blocked) {
                same("priority of job " + job.id + " in its line", (long) job.priority, row.getLong(4));
            }
        });
        model.all()
                .filter(job -> job.blocked)
                .forEach(job -> same("line of job " + job.id, Model.nameOfKey(job), places.get(job.id)));
    }

    private static void endAll(Real real, Model model) throws SQLException {
        Set<Long> inLine = model.all()
                .filter(job -> job.waits() && job.blocked)
                .map(job -> job.id)
                .collect(toSet());
        for (PausedKey held : real.queue.limits().pausedKeys()) {
            boolean unused = real.queue.limits().resume(new ConcurrencyKey(held.queue(), held.key()));
        }
        change(real, new JobChange.Cancel());
        query(
                real,
                "SELECT job_id FROM pawl_keyed",
                row -> require(
                        !inLine.contains(row.getLong(1)),
                        "job %s is cancelled, and stands in the line of its key",
                        row.getLong(1)));
        for (StepWorker worker :
                real.runs.stream().map(Real.Held::worker).distinct().toList()) {
            Set<StepWorker.Run> unused = worker.complete(real.runs.stream()
                    .filter(held -> held.worker() == worker)
                    .map(Real.Held::run)
                    .toList());
        }
        real.restart();
        for (int round = 1; isAnyLeft(real); round++) {
            require(round <= MAX_ROUNDS, "jobs do not end: %s", real.listed());
            goOn(real, model, Duration.ofMinutes(2));
            int unused = real.worker.rescueOfOthers();
            for (long batch : ids(real, "SELECT id FROM pawl_batch WHERE sealed_at IS NULL")) {
                boolean unusedAsWell = real.queue.batch(batch).seal();
            }
            real.worker.tidy();
            change(real, new JobChange.Cancel());
        }
        real.worker.releaseKeys();
    }

    private static boolean isAnyLeft(Real real) throws SQLException {
        return real.listed().values().stream().anyMatch(job -> !job.state().isFinished())
                || !ids(real, "SELECT batch_id FROM pawl_batch_count WHERE done_at IS NULL")
                        .isEmpty();
    }

    private static void change(Real real, JobChange change) {
        real.queue.admin().jobs().changeAll(JobFilter.ALL, change, done -> {});
    }

    private static void goOn(Real real, Model model, Duration length) throws SQLException {
        model.now = model.now.plus(length);
        real.clock(model.now);
        real.worker.readClock();
    }

    /** Requires that these tables are empty. */
    private static void none(Real real, List<String> tables) throws SQLException {
        String any = tables.stream()
                .map(table -> "SELECT '" + table + "', COUNT(*) FROM " + table)
                .collect(joining(" UNION ALL "));
        List<String> left = new ArrayList<>();
        query(real, any, row -> {
            if (row.getLong(2) > 0) {
                left.add(row.getString(1));
            }
        });
        for (String table : left) {
            query(real, "SELECT * FROM " + table, row -> {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    values.add(row.getMetaData().getColumnLabel(i) + " " + row.getString(i));
                }
                throw new Difference("there is a row left in " + table + ": " + String.join(", ", values));
            });
        }
    }

    private static List<Long> ids(Real real, String sql) throws SQLException {
        List<Long> ids = new ArrayList<>();
        query(real, sql, row -> ids.add(row.getLong(1)));
        return ids;
    }

    /** Reads a row. */
    private interface Reader {
        void read(ResultSet row) throws SQLException;
    }

    private static void query(Real real, String sql, Reader reader) throws SQLException {
        try (Connection connection = real.stage.pool().getConnection();
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }

    @Override
    public String toString() {
        return "new Remains()";
    }
}
