package dev.pawl.internal.remote;

import dev.pawl.admin.RemoteWorkerInfo;
import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of {@code pawl_remote_worker}: reports of managers about their workers. */
public final class RemoteWorkers {
    /** If a row was not updated for this long, its manager is dead. */
    private static final Duration FRESH = Duration.ofMinutes(1);

    private static final int LONGEST_PROBLEM = 500;

    private final Database database;
    private final Dialect dialect;

    /**
     * @param database the pool and the dialect
     */
    public RemoteWorkers(Database database) {
        this.database = database;
        this.dialect = database.dialect();
    }

    /**
     * Replaces the report of a manager, and removes those of dead managers.
     *
     * @param managerId the manager's id as a worker
     * @param workers all of its remote workers; none when it stops
     * @throws SQLException from the driver
     */
    public void write(long managerId, List<RemoteWorkerStatus> workers) throws SQLException {
        Sql stale = dialect.statement(
                "DELETE FROM pawl_remote_worker WHERE manager_id = ? OR checked_at <= " + dialect.nowPlusMicros());
        Sql insert = dialect.statement(
                "INSERT INTO pawl_remote_worker (manager_id, url, problem, capacity, running, kinds, checked_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, " + dialect.now() + ")");
        database.transaction(connection -> {
            stale.on(connection, managerId, -Micros.of(FRESH)).run();
            insert.batch(connection, workers, worker -> values(managerId, worker));
            return true;
        });
    }

    private static List<@Nullable Object> values(long managerId, RemoteWorkerStatus worker) {
        String problem = worker.problem();
        return Sql.values(
                managerId,
                worker.url(),
                problem == null || problem.length() <= LONGEST_PROBLEM
                        ? problem
                        : problem.substring(0, LONGEST_PROBLEM),
                worker.capacity(),
                worker.running(),
                JsonStrings.write(worker.kinds().stream().sorted().toList()));
    }

    /** {@return the reports of live managers, ordered by worker and manager} */
    public List<RemoteWorkerInfo> list(Connection connection) throws SQLException {
        Sql sql = dialect.statement("""
                SELECT w.name, r.url, r.problem, r.capacity, r.running, r.kinds, r.checked_at
                  FROM pawl_remote_worker r JOIN pawl_worker w ON w.id = r.manager_id
                 WHERE w.stopped_at IS NULL AND r.checked_at > %s ORDER BY r.url, w.id
                """.formatted(dialect.nowPlusMicros()));
        return sql.on(connection, -Micros.of(FRESH))
                .list(row -> new RemoteWorkerInfo(
                        row.getString("name"),
                        new RemoteWorkerStatus(
                                row.getString("url"),
                                row.getString("problem"),
                                row.getInt("capacity"),
                                row.getInt("running"),
                                new HashSet<>(JsonStrings.readAll(row.getString("kinds")))),
                        Objects.requireNonNull(dialect.moment(row, "checked_at"), "a column that is NOT NULL")));
    }
}
