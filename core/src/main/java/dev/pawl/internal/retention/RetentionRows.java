package dev.pawl.internal.retention;

import dev.pawl.admin.RetentionRule;
import dev.pawl.api.Retention;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.limit.Subject;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of {@code pawl_retention}: rules of queues and kinds, and the retention that a program has set for all jobs. Thread-safe. */
public final class RetentionRows {
    /** Maximum number of rules, because they are read once a minute and held in memory. */
    private static final int MAX = 1_000;

    private static final String IS = " WHERE subject = ? AND name = ?";

    /** Subject of the row with the retention of all jobs. The name in this row is empty. */
    private static final String PROGRAM = "program";

    private static final String UPDATE = "UPDATE pawl_retention SET completed = ?, cancelled = ?, discarded = ?" + IS;

    /**
     * Stores each value that is longer than the stored one. The database compares them, because another program may have written values
     * since they were read.
     */
    private static final String LENGTHEN =
            "UPDATE pawl_retention SET completed = CASE WHEN completed > ? THEN completed ELSE ? END,"
                    + " cancelled = CASE WHEN cancelled > ? THEN cancelled ELSE ? END,"
                    + " discarded = CASE WHEN discarded > ? THEN discarded ELSE ? END" + IS;

    private final Database database;
    private final Dialect dialect;
    private final String insert;
    private final Sql read;

    /**
     * @param database the pool and the dialect
     */
    public RetentionRows(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        insert = dialect.insertIfMissing(
                "pawl_retention (completed, cancelled, discarded, subject, name) VALUES (?, ?, ?, ?, ?)");
        // also reads the time, which the pruner needs anyway
        read = dialect.statement(
                "SELECT NULL AS subject, NULL AS name, NULL AS completed, NULL AS cancelled, NULL AS discarded, "
                        + dialect.now()
                        + " AS moment UNION ALL SELECT subject, name, completed, cancelled, discarded, NULL"
                        + " FROM pawl_retention");
    }

    /**
     * The result of a read.
     *
     * @param now by the database's clock
     * @param rules all rules of queues and kinds
     * @param ofProgram the retention of all jobs that programs have stored, the longest for each state; null if no program has stored one
     */
    record Read(
            Instant now,
            List<RetentionRule> rules,
            @Nullable Retention ofProgram) {}

    Read read() throws SQLException {
        return database.autocommit(connection -> read.on(connection).query(rows -> {
            Instant now = Instant.EPOCH;
            List<RetentionRule> rules = new ArrayList<>();
            Retention ofProgram = null;
            while (rows.next()) {
                if (rows.getString(1) == null) {
                    Instant moment = dialect.moment(rows, "moment");
                    now = moment == null ? now : moment;
                } else if (isKnown(rows.getString(1))) {
                    rules.add(rule(rows));
                } else if (rows.getString(1).equals(PROGRAM)) {
                    ofProgram = ofProgram(rows);
                }
            }
            return new Read(now, rules, ofProgram);
        }));
    }

    /** Whether this program knows the subject; a newer program may have written others. */
    private static boolean isKnown(String subject) {
        return subject.equals(Subject.Of.QUEUE.word()) || subject.equals(Subject.Of.KIND.word());
    }

    private static RetentionRule rule(ResultSet row) throws SQLException {
        Subject subject = new Subject(Subject.Of.parse(row.getString(1)), row.getString(2));
        return new RetentionRule(subject, length(row, 3), length(row, 4), length(row, 5));
    }

    /** {@return the stored retention; null if the values are invalid because they were written by hand} */
    private static @Nullable Retention ofProgram(ResultSet row) throws SQLException {
        Retention defaults = Retention.DEFAULTS;
        try {
            return new Retention(
                    Objects.requireNonNullElse(length(row, 3), defaults.completed()),
                    Objects.requireNonNullElse(length(row, 4), defaults.cancelled()),
                    Objects.requireNonNullElse(length(row, 5), defaults.discarded()),
                    Long.MAX_VALUE);
        } catch (IllegalArgumentException invalid) {
            return null;
        }
    }

    private static @Nullable Duration length(ResultSet row, int column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Duration.of(micros, ChronoUnit.MICROS);
    }

    /** {@return all rules, queues first, by name} */
    public List<RetentionRule> list() throws SQLException {
        List<RetentionRule> rules = new ArrayList<>(read().rules);
        rules.sort((one, other) -> {
            int of = one.subject().of().compareTo(other.subject().of());
            return of != 0 ? of : one.subject().name().compareTo(other.subject().name());
        });
        return rules;
    }

    /**
     * Writes a rule, replacing an existing rule for the same subject.
     *
     * @param rule with at least one retention
     * @throws IllegalArgumentException if there are too many rules
     * @throws SQLException from the driver
     */
    public void set(RetentionRule rule) throws SQLException {
        List<RetentionRule> others = read().rules;
        if (others.size() >= MAX
                && others.stream().noneMatch(other -> other.subject().equals(rule.subject()))) {
            throw new IllegalArgumentException(
                    "there are " + others.size() + " retentions of queues and kinds already, and " + MAX
                            + " is the most: remove one, or give several kinds a queue of their own");
        }
        // Both statements write all columns, so a failure in between leaves no rule without values.
        if (!write(insert, rule)) {
            boolean unused = write(UPDATE, rule);
        }
    }

    private boolean write(String sql, RetentionRule rule) throws SQLException {
        return write(
                sql,
                micros(rule.completed()),
                micros(rule.cancelled()),
                micros(rule.discarded()),
                rule.subject().of().word(),
                rule.subject().name());
    }

    private boolean write(String sql, @Nullable Object... values) throws SQLException {
        Sql write = dialect.statement(sql);
        return database.statement(connection -> write.on(connection, values).update() == 1);
    }

    /** {@return the retention of all jobs that programs have stored, the longest for each state; empty if no program has stored one} */
    public Optional<Retention> ofProgram() throws SQLException {
        Sql one = dialect.statement("SELECT subject, name, completed, cancelled, discarded FROM pawl_retention" + IS);
        return database.autocommit(connection -> one.on(connection, PROGRAM, "")
                .query(rows -> rows.next() ? Optional.ofNullable(ofProgram(rows)) : Optional.empty()));
    }

    /**
     * Stores a program's retention of all jobs, for workers and commands that set none. The duration for a state is stored only if no
     * program has stored a longer one. The maximum number of jobs is not stored, so workers and commands that set no maximum keep more
     * jobs. Writes only if a duration is longer than the stored one, because all workers of a program call this.
     *
     * @param retention of all jobs without a rule
     * @throws SQLException from the driver
     */
    public void store(Retention retention) throws SQLException {
        long completed = Micros.atLeast(retention.completed());
        long cancelled = Micros.atLeast(retention.cancelled());
        long discarded = Micros.atLeast(retention.discarded());
        Retention stored = ofProgram().orElse(null);
        if (stored != null
                && completed <= Micros.of(stored.completed())
                && cancelled <= Micros.of(stored.cancelled())
                && discarded <= Micros.of(stored.discarded())) {
            return;
        }
        if (!write(insert, completed, cancelled, discarded, PROGRAM, "")) {
            boolean unused =
                    write(LENGTHEN, completed, completed, cancelled, cancelled, discarded, discarded, PROGRAM, "");
        }
    }

    /**
     * Removes the retention that programs have stored. A program that sets a retention stores it again when it starts a
     * worker.
     *
     * @return false if none was stored
     * @throws SQLException from the driver
     */
    public boolean removeOfProgram() throws SQLException {
        return delete(PROGRAM, "");
    }

    private static @Nullable Long micros(@Nullable Duration length) {
        return length == null ? null : Micros.atLeast(length);
    }

    /** {@return false if there was no rule} */
    public boolean remove(Subject subject) throws SQLException {
        return delete(subject.of().word(), subject.name());
    }

    private boolean delete(String of, String name) throws SQLException {
        Sql delete = dialect.statement("DELETE FROM pawl_retention" + IS);
        return database.statement(connection -> delete.on(connection, of, name).update()) == 1;
    }
}
