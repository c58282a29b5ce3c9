package dev.pawl.internal.step;

import dev.pawl.api.JobStep;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.StepRow;
import dev.pawl.internal.store.StepStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Stores the steps of jobs in rows of {@code pawl_step}. */
public final class SqlSteps implements StepStore {
    private static final JobStep.Kind[] KINDS = JobStep.Kind.values();
    private static final JobStep.State[] STATES = JobStep.State.values();

    private final Database database;
    private final Dialect dialect;
    private final Sql all;
    private final Sql one;
    private final Sql add;
    private final Sql end;

    /**
     * @param database the pool
     */
    public SqlSteps(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        String steps = "SELECT kind, name, place, state, payload, " + dialect.micros("until_at") + " - "
                + dialect.micros(dialect.now()) + " AS remaining FROM pawl_step WHERE job_id = ?";
        all = dialect.statement(steps);
        one = dialect.statement(steps + " AND kind = ? AND name = ?");
        add = dialect.statement(dialect.insertIfMissing(
                "pawl_step (job_id, kind, name, place, state, payload, written_at, until_at) VALUES (?, ?, ?, ?, ?, ?, "
                        + dialect.now() + ", " + dialect.nowPlusMicros() + ")"));
        end = dialect.statement("UPDATE pawl_step SET state = ?, place = ?, payload = ?, until_at = NULL, written_at = "
                + dialect.now() + " WHERE job_id = ? AND kind = ? AND name = ?");
    }

    @Override
    public List<StepRow> list(long jobId) throws SQLException {
        return database.autocommit(connection -> all.on(connection, jobId).list(SqlSteps::read));
    }

    @Override
    public Optional<StepRow> find(Connection connection, long jobId, StepRow.Name name) throws SQLException {
        return one.on(connection, jobId, name.kind().code(), name.name()).first(SqlSteps::read);
    }

    /**
     * @param connection to read with
     * @param jobId of a job
     * @return the stored steps, in the order in which the job reached them; steps that it has not reached are last
     * @throws SQLException from the driver
     */
    public List<JobStep> list(Connection connection, long jobId) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT kind, name, state, payload, written_at, until_at FROM pawl_step WHERE job_id = ?"
                        + " ORDER BY CASE WHEN place = 0 THEN 1 ELSE 0 END, place, kind, name");
        return sql.on(connection, jobId)
                .list(rows -> new JobStep(
                        KINDS[rows.getInt("kind")],
                        rows.getString("name"),
                        STATES[rows.getInt("state")],
                        rows.getString("payload"),
                        Objects.requireNonNull(dialect.moment(rows, "written_at"), "a column that is NOT NULL"),
                        dialect.moment(rows, "until_at")));
    }

    /**
     * Forgets a step and all later steps of the job. Received signals stay, because other programs have sent them. But if the named step is
     * a signal itself, it is forgotten, because the program may be unable to read its value.
     *
     * @param connection in a transaction
     * @param jobId of a job that does not run
     * @param name of the step
     * @return false if the job has no such step
     * @throws SQLException from the driver
     */
    public boolean forgetFrom(Connection connection, long jobId, String name) throws SQLException {
        Optional<StepRow> first = Optional.empty();
        for (JobStep.Kind kind : KINDS) {
            first = first.isPresent() ? first : find(connection, jobId, new StepRow.Name(kind, name));
        }
        if (first.isEmpty()) {
            return false;
        }
        StepRow.Name named = first.get().name();
        Sql sql = dialect.statement(
                "DELETE FROM pawl_step WHERE job_id = ? AND (kind = ? AND name = ? OR place >= ? AND place > 0"
                        + " AND NOT (kind = " + JobStep.Kind.SIGNAL.code() + " AND state = " + JobStep.State.DONE.code()
                        + "))");
        int place = first.get().place() == 0 ? Integer.MAX_VALUE : first.get().place();
        sql.on(connection, jobId, named.kind().code(), named.name(), place).run();
        return true;
    }

    private static StepRow read(ResultSet row) throws SQLException {
        Long remaining = JobRows.longOrNull(row, "remaining");
        return new StepRow(
                new StepRow.Name(KINDS[row.getInt("kind")], row.getString("name")),
                row.getInt("place"),
                STATES[row.getInt("state")],
                row.getString("payload"),
                remaining == null ? null : Duration.of(remaining, ChronoUnit.MICROS));
    }

    @Override
    public boolean add(Connection connection, long jobId, StepRow row) throws SQLException {
        StepRow.Name name = row.name();
        Duration left = row.left();
        return add.on(
                                connection,
                                jobId,
                                name.kind().code(),
                                name.name(),
                                row.place(),
                                row.state().code(),
                                row.value())
                        .bind(left == null ? null : Micros.of(left))
                        .update()
                == 1;
    }

    @Override
    public void end(Connection connection, long jobId, StepRow row) throws SQLException {
        StepRow.Name name = row.name();
        end.on(
                        connection,
                        row.state().code(),
                        row.place(),
                        row.value(),
                        jobId,
                        name.kind().code(),
                        name.name())
                .run();
    }
}
