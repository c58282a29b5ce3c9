package dev.pawl.testkit;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.JobState;
import dev.pawl.internal.QueueRuntime;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.schedule.ScheduleInfo;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds due ticks of schedules and expired leases. A worker may look idle before it has handled them, because it handles them independently
 * of its claims.
 */
final class PendingWork {
    private final JobQueue queue;
    private final Database database;

    PendingWork(JobQueue queue) {
        this.queue = queue;
        this.database = queue.unwrap(QueueRuntime.class).database();
    }

    /**
     * {@return what is due, as text; empty if nothing is}
     *
     * @param workerId of the worker that runs, which may declare schedules
     */
    List<String> list(long workerId) {
        List<ScheduleInfo> schedules = queue.schedules().list();
        Set<String> untold = declaredBy(workerId);
        schedules.forEach(schedule -> untold.remove(schedule.name()));
        if (!untold.isEmpty()) {
            return List.of("the declaration of schedules " + untold);
        }
        return due(schedules.stream()
                .filter(schedule -> schedule.origin() == ScheduleInfo.Origin.DECLARED)
                .map(ScheduleInfo::name)
                .toList());
    }

    private Set<String> declaredBy(long workerId) {
        return Failures.wrapped(
                "cannot read what a worker declares",
                () -> database.autocommit(connection -> {
                    Sql sql = database.dialect().statement("SELECT schedules FROM pawl_worker WHERE id = ?");
                    String forms = sql.on(connection, workerId)
                            .first(row -> row.getString(1))
                            .orElse("{}");
                    return new TreeSet<>(JsonStrings.readMap(forms).keySet());
                }));
    }

    private List<String> due(List<String> declared) {
        Dialect dialect = database.dialect();
        String now = dialect.now();
        String sql = dialect.sql(
                "SELECT 'the expired lease of a job', '' FROM pawl_job WHERE state = 1 AND lease_expires_at <= "
                        + now
                        + " UNION ALL SELECT 'the expired lease of a range of jobs', '' FROM pawl_lane_range WHERE"
                        + " lease_expires_at <= " + now
                        + " UNION ALL SELECT 'a tick of schedule ', name FROM pawl_schedule WHERE next_check_at <= "
                        + now
                        // leaves out schedules whose excluded days only other programs know
                        + " AND (local_exclusions = FALSE"
                        + (declared.isEmpty()
                                ? ""
                                : " OR name IN (" + String.join(",", Collections.nCopies(declared.size(), "?")) + ")")
                        + ")");
        return Failures.wrapped(
                "cannot look for what is due",
                () -> database.autocommit(connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(sql)) {
                        for (int i = 0; i < declared.size(); i++) {
                            statement.setString(i + 1, declared.get(i));
                        }
                        return read(statement);
                    }
                }));
    }

    private static List<String> read(PreparedStatement statement) throws SQLException {
        List<String> due = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next() && due.size() < 20) {
                due.add(row.getString(1) + row.getString(2));
            }
        }
        return due;
    }

    /**
     * {@return whether a job waits that the worker could run if no limit prevented it}
     *
     * @param workerId the worker
     */
    boolean anyJob(long workerId) {
        Instant now = now();
        WorkerInfo worker = queue.admin().workers().list().stream()
                .filter(each -> each.id() == workerId)
                .findFirst()
                .orElseThrow();
        boolean anyQueue = worker.queues().stream().anyMatch(name -> name.contains("*"));
        return EnqueuedJobs.waiting(queue, JobFilter.ALL).stream()
                .filter(job -> worker.kinds().contains(job.kind()))
                .filter(job -> anyQueue || worker.queues().contains(job.queue()))
                .anyMatch(job -> job.state() == JobState.BLOCKED
                        || (job.state() == JobState.AVAILABLE
                                && !job.availableAt().isAfter(now)));
    }

    private Instant now() {
        Dialect dialect = database.dialect();
        return Failures.wrapped(
                "cannot read the time",
                () -> database.autocommit(connection -> {
                    try (PreparedStatement statement =
                                    connection.prepareStatement("SELECT " + dialect.micros(dialect.now()));
                            ResultSet row = statement.executeQuery()) {
                        if (!row.next()) {
                            throw new SQLException("no answer to what time it is");
                        }
                        return Instant.EPOCH.plus(row.getLong(1), ChronoUnit.MICROS);
                    }
                }));
    }
}
