package dev.pawl.internal.schema;

import dev.pawl.api.SchemaException;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Fault;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Retry;
import dev.pawl.internal.jdbc.SessionSettings;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.jdbc.SqlWork;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Migrates the schema. If several programs start at the same time, each step is applied once. Older releases may keep running. A schema
 * that is newer than the program is accepted if the program knows at least the version in {@code works_from}. Pawl does not use Flyway for
 * this, because a library that brings its own Flyway breaks the Flyway of the application.
 */
public final class Migrator {
    /** How long to keep trying to lock the tables while running workers use them. */
    private static final Duration LOCK_TIMEOUT = Duration.ofMinutes(2);

    /** A worker whose last heartbeat is older than this counts as dead. */
    private static final Duration ALIVE = Duration.ofMinutes(1);

    private final DataSource dataSource;
    private final Dialect dialect;
    private final SchemaRules rules;
    private final List<Migration> steps;

    /**
     * @param dataSource the caller's pool
     * @param dialect the product
     * @param rules the product's rules for schema changes
     */
    public Migrator(DataSource dataSource, Dialect dialect, SchemaRules rules) {
        this(dataSource, dialect, rules, Migrations.of(dialect));
    }

    /**
     * @param dataSource the caller's pool
     * @param dialect the product
     * @param rules the product's rules for schema changes
     * @param steps all steps that the program knows, in order
     */
    public Migrator(DataSource dataSource, Dialect dialect, SchemaRules rules, List<Migration> steps) {
        this.dataSource = dataSource;
        this.dialect = dialect;
        this.rules = rules;
        this.steps = List.copyOf(steps);
    }

    /**
     * Applies the missing steps. Waits for transactions of other programs in many short tries, so that the statements of other programs do
     * not queue behind a waiting lock request.
     *
     * @return the steps that were applied now
     * @throws SchemaException if the schema is too new for this program, or the tables cannot be locked
     * @throws SQLException from the driver
     */
    public List<Migration> migrate() throws SQLException {
        return migrate(left -> {});
    }

    /**
     * Applies the missing steps, and reports the live workers that these leave behind.
     *
     * @param warned gets these workers if this call has applied steps
     * @return the steps that were applied now
     * @throws SchemaException if the schema is too new for this program, or the tables cannot be locked
     * @throws SQLException from the driver
     */
    public List<Migration> migrate(Consumer<LeftBehind> warned) throws SQLException {
        long deadline = System.nanoTime() + LOCK_TIMEOUT.toNanos();
        while (version() < newest()) {
            try {
                Optional<LeftBehind> left = leftBehind();
                List<Migration> applied = alone();
                if (!applied.isEmpty()) {
                    left.ifPresent(warned);
                }
                return applied;
            } catch (SQLException e) {
                awaitTables(e, deadline, "to migrate them");
            }
        }
        return List.of();
    }

    /** Pauses if the tables were only locked, so that the caller can retry. Throws after any other failure, and after the deadline. */
    private void awaitTables(SQLException failure, long deadline, String what) throws SQLException {
        if (!Fault.of(failure).isContention()) {
            throw failure;
        }
        if (System.nanoTime() - deadline >= 0) {
            throw new SchemaException("could not lock the tables " + dialect.prefix() + "* within "
                    + LOCK_TIMEOUT.toSeconds() + " s " + what + "; last error: "
                    + failure.getMessage()
                    + "; look for transactions that stay open, and start again");
        }
        Retry.LOCKED_TABLES.pause(1, "for the tables, " + what);
    }

    private int newest() {
        return steps.size();
    }

    private List<Migration> alone() throws SQLException {
        return during(session -> {
            rules.prepare(session);
            return alone(session, this::apply);
        });
    }

    /**
     * Does work while no other program changes the tables. Waits for transactions of other programs, like {@link #migrate()}.
     *
     * @param what the work is for, as in "to migrate them"
     * @param work uses a connection that has locked the tables; repeated from the start after contention
     * @param <R> its result
     * @return the result
     * @throws SchemaException if the tables cannot be locked
     * @throws SQLException from the driver
     */
    public <R> R alone(String what, SqlWork<R> work) throws SQLException {
        long deadline = System.nanoTime() + LOCK_TIMEOUT.toNanos();
        while (true) {
            try {
                return during(session -> alone(session, work));
            } catch (SQLException e) {
                awaitTables(e, deadline, what);
            }
        }
    }

    private <R> R during(SqlWork<R> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return new SessionSettings().during(connection, dialect, session -> {
                boolean before = session.getAutoCommit();
                try {
                    return work.run(session);
                } finally {
                    session.setAutoCommit(before);
                }
            });
        }
    }

    private <R> R alone(Connection connection, SqlWork<R> work) throws SQLException {
        rules.lock(connection);
        R result;
        try {
            result = work.run(connection);
        } catch (SQLException | RuntimeException failure) {
            try {
                rules.abandon(connection);
            } catch (SQLException broken) {
                failure.addSuppressed(broken);
            }
            throw failure;
        }
        rules.unlock(connection);
        return result;
    }

    /**
     * {@return the live workers whose programs cannot use the tables after the missing steps; empty if there are none} All live workers are
     * counted, because a program that knows the missing steps would have applied them before it registered its workers.
     *
     * @throws SQLException from the driver
     */
    public Optional<LeftBehind> leftBehind() throws SQLException {
        int version = version();
        Optional<Migration> step = version == 0
                ? Optional.empty()
                : steps.stream()
                        .filter(each -> each.version() > version && each.worksFrom() > version)
                        .findFirst();
        int alive = step.isEmpty() ? 0 : liveWorkers();
        return alive == 0
                ? Optional.empty()
                : step.map(first -> new LeftBehind(alive, version, first, first.worksFrom()));
    }

    /** Reads only columns that exist since the first version. */
    private int liveWorkers() throws SQLException {
        Sql sql = dialect.statement("SELECT COUNT(*) FROM pawl_worker WHERE stopped_at IS NULL AND heartbeat_at > "
                + dialect.nowPlusMicros());
        return reading(connection -> sql.on(connection, -Micros.of(ALIVE)).one(row -> row.getInt(1)));
    }

    /**
     * Checks that this program can work on the schema.
     *
     * @throws SchemaException if steps are missing, or the schema is too new
     * @throws SQLException from the driver
     */
    public void requireCurrent() throws SQLException {
        int version = version();
        if (version < newest()) {
            throw new SchemaException(
                    "the tables " + dialect.prefix() + "* are at version " + version + ", this program needs version "
                            + newest() + ": run 'pawl migrate' or open the queue with migration switched on",
                    SchemaException.Reason.NOT_MIGRATED);
        }
    }

    /**
     * {@return the version of the schema; 0 if there are no tables}
     *
     * @throws SchemaException if it is too new for this program
     * @throws SQLException from the driver
     */
    public int version() throws SQLException {
        return reading(connection -> {
            try {
                return version(connection);
            } catch (SQLException e) {
                if (rules.isMissingTable(e)) {
                    return 0;
                }
                throw e;
            }
        });
    }

    /**
     * Runs read-only work.
     *
     * @param work on a connection of the pool
     * @param <R> its result
     * @return the result
     * @throws SQLException from the driver
     */
    public <R> R reading(SqlWork<R> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return new SessionSettings().during(connection, dialect, session -> {
                try {
                    return work.run(session);
                } finally {
                    if (!session.getAutoCommit()) {
                        session.rollback();
                    }
                }
            });
        }
    }

    private int version(Connection connection) throws SQLException {
        int version = number(connection, "SELECT MAX(version) FROM pawl_schema");
        if (version > newest()) {
            int worksFrom = number(connection, "SELECT MAX(works_from) FROM pawl_schema");
            if (worksFrom > newest()) {
                throw new SchemaException("the tables " + dialect.prefix() + "* are at version " + version
                        + ", which requires version " + worksFrom
                        + " or later; this program supports up to " + newest() + ". Upgrade Pawl.");
            }
        }
        return version;
    }

    private int number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(dialect.sql(sql))) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    private List<Migration> apply(Connection connection) throws SQLException {
        execute(connection, steps.get(0).statements().get(0)); // creates pawl_schema if it does not exist
        int version = version(connection);
        List<Migration> missing = steps.subList(Math.min(version, newest()), newest());
        for (Migration step : missing) {
            for (String statement : step.statements()) {
                execute(connection, statement);
            }
        }
        return missing;
    }

    private void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            if (!rules.isDone(e)) {
                throw e;
            }
        }
    }
}
