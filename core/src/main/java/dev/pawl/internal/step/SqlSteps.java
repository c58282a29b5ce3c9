package dev.pawl.internal.step;

import dev.pawl.JobStep;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.JobRows;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.store.StepRow;
import dev.pawl.internal.store.StepStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The rows of {@code pawl_step}. */
public final class SqlSteps implements StepStore {
    private static final JobStep.Kind[] KINDS = JobStep.Kind.values();
    private static final JobStep.State[] STATES = JobStep.State.values();

    private final Database database;
    private final Dialect dialect;
    private final String all;
    private final String one;
    private final String add;
    private final String end;

    /**
     * @param database the pool
     */
    public SqlSteps(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        all = dialect.sql("SELECT kind, name, place, state, payload, " + dialect.micros("until_at") + " - "
                + dialect.micros(dialect.now()) + " AS remaining FROM pawl_step WHERE job_id = ?");
        one = all + " AND kind = ? AND name = ?";
        add = dialect.sql(dialect.insertIfMissing(
                "pawl_step (job_id, kind, name, place, state, payload, written_at, until_at) VALUES (?, ?, ?, ?, ?, ?, "
                        + dialect.now() + ", " + dialect.nowPlusMicros() + ")"));
        end = dialect.sql("UPDATE pawl_step SET state = ?, place = ?, payload = ?, until_at = NULL, written_at = "
                + dialect.now() + " WHERE job_id = ? AND kind = ? AND name = ?");
    }

    @Override
    public List<StepRow> of(long jobId) throws SQLException {
        return database.autocommit(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(all)) {
                statement.setLong(1, jobId);
                return read(statement);
            }
        });
    }

    @Override
    public Optional<StepRow> find(Connection connection, long jobId, StepRow.Name name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(one)) {
            bind(statement, 1, jobId, name);
            return read(statement).stream().findFirst();
        }
    }

    /**
     * @param connection to read with
     * @param jobId of a job
     * @return what it remembers, in the order in which it came to it; what it has not come to is last
     * @throws SQLException from the driver
     */
    public List<JobStep> list(Connection connection, long jobId) throws SQLException {
        String sql =
                dialect.sql("SELECT kind, name, state, payload, written_at, until_at FROM pawl_step WHERE job_id = ?"
                        + " ORDER BY CASE WHEN place = 0 THEN 1 ELSE 0 END, place, kind, name");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, jobId);
            List<JobStep> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(new JobStep(
                            KINDS[rows.getInt("kind")],
                            rows.getString("name"),
                            STATES[rows.getInt("state")],
                            rows.getString("payload"),
                            Objects.requireNonNull(dialect.moment(rows, "written_at"), "a column that is NOT NULL"),
                            dialect.moment(rows, "until_at")));
                }
            }
            return found;
        }
    }

    /**
     * Forgets a step and what the job did after it. Signals that have come stay, because others have sent them, but for the one that is
     * named: it may have had a value that the program cannot read.
     *
     * @param connection in a transaction
     * @param jobId of a job that does not run
     * @param name of the step
     * @return false if it has no such step
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
        String sql = dialect.sql(
                "DELETE FROM pawl_step WHERE job_id = ? AND (kind = ? AND name = ? OR place >= ? AND place > 0"
                        + " AND NOT (kind = " + JobStep.Kind.SIGNAL.code() + " AND state = " + JobStep.State.DONE.code()
                        + "))");
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, 1, jobId, named);
            statement.setInt(
                    4,
                    first.get().place() == 0 ? Integer.MAX_VALUE : first.get().place());
            statement.executeUpdate();
        }
        return true;
    }

    private static List<StepRow> read(PreparedStatement statement) throws SQLException {
        List<StepRow> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                Long remaining = JobRows.longOrNull(rows, "remaining");
                found.add(new StepRow(
                        new StepRow.Name(KINDS[rows.getInt("kind")], rows.getString("name")),
                        rows.getInt("place"),
                        STATES[rows.getInt("state")],
                        rows.getString("payload"),
                        remaining == null ? null : Duration.of(remaining, ChronoUnit.MICROS)));
            }
        }
        return found;
    }

    @Override
    public boolean add(Connection connection, long jobId, StepRow row) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(add)) {
            bind(statement, 1, jobId, row.name());
            statement.setInt(4, row.place());
            statement.setInt(5, row.state().code());
            statement.setString(6, row.value());
            Duration left = row.left();
            if (left == null) {
                statement.setNull(7, Types.BIGINT);
            } else {
                statement.setLong(7, Micros.of(left));
            }
            return statement.executeUpdate() == 1;
        }
    }

    @Override
    public void end(Connection connection, long jobId, StepRow row) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(end)) {
            statement.setInt(1, row.state().code());
            statement.setInt(2, row.place());
            statement.setString(3, row.value());
            bind(statement, 4, jobId, row.name());
            statement.executeUpdate();
        }
    }

    private static void bind(PreparedStatement statement, int index, long jobId, StepRow.Name name)
            throws SQLException {
        statement.setLong(index, jobId);
        statement.setInt(index + 1, name.kind().code());
        statement.setString(index + 2, name.name());
    }
}
