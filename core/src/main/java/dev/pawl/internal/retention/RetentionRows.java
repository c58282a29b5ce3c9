package dev.pawl.internal.retention;

import dev.pawl.admin.RetentionRule;
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
import org.jspecify.annotations.Nullable;

/** The rows of {@code pawl_retention}. Thread-safe. */
public final class RetentionRows {
    /** Limit, because they are read once a minute and held in memory. */
    private static final int MOST = 1_000;

    private static final String IS = " WHERE subject = ? AND name = ?";

    private final Database database;
    private final Dialect dialect;
    private final Sql read;

    /**
     * @param database the pool and the dialect
     */
    public RetentionRows(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        // The pruner needs the time anyway.
        read = dialect.statement(
                "SELECT NULL AS subject, NULL AS name, NULL AS completed, NULL AS cancelled, NULL AS discarded, "
                        + dialect.now()
                        + " AS moment UNION ALL SELECT subject, name, completed, cancelled, discarded, NULL"
                        + " FROM pawl_retention");
    }

    /**
     * The rules as read.
     *
     * @param now by the database's clock
     * @param rules all of them
     */
    record Read(Instant now, List<RetentionRule> rules) {}

    Read read() throws SQLException {
        return database.autocommit(connection -> read.on(connection).query(rows -> {
            Instant now = Instant.EPOCH;
            List<RetentionRule> rules = new ArrayList<>();
            while (rows.next()) {
                if (rows.getString(1) == null) {
                    Instant moment = dialect.moment(rows, "moment");
                    now = moment == null ? now : moment;
                } else if (isKnown(rows.getString(1))) {
                    rules.add(rule(rows));
                }
            }
            return new Read(now, rules);
        }));
    }

    /** A newer program may have written subjects that are unknown here. */
    private static boolean isKnown(String subject) {
        return subject.equals(Subject.Of.QUEUE.word()) || subject.equals(Subject.Of.KIND.word());
    }

    private static RetentionRule rule(ResultSet row) throws SQLException {
        Subject subject = new Subject(Subject.Of.parse(row.getString(1)), row.getString(2));
        return new RetentionRule(subject, length(row, 3), length(row, 4), length(row, 5));
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
     * Writes a rule, and replaces an existing one.
     *
     * @param rule with at least one retention
     * @throws IllegalArgumentException if there are too many
     * @throws SQLException from the driver
     */
    public void set(RetentionRule rule) throws SQLException {
        List<RetentionRule> others = read().rules;
        if (others.size() >= MOST
                && others.stream().noneMatch(other -> other.subject().equals(rule.subject()))) {
            throw new IllegalArgumentException(
                    "there are " + others.size() + " retentions of queues and kinds already, and " + MOST
                            + " is the most: remove one, or give several kinds a queue of their own");
        }
        // Both statements write all columns, so no rule without values is left.
        boolean isNew = write(
                dialect.insertIfMissing(
                        "pawl_retention (completed, cancelled, discarded, subject, name) VALUES (?, ?, ?, ?, ?)"),
                rule);
        if (!isNew) {
            boolean unused = write("UPDATE pawl_retention SET completed = ?, cancelled = ?, discarded = ?" + IS, rule);
        }
    }

    private boolean write(String sql, RetentionRule rule) throws SQLException {
        Sql write = dialect.statement(sql);
        return database.statement(connection -> write.on(connection)
                        .bind(micros(rule.completed()), micros(rule.cancelled()), micros(rule.discarded()))
                        .bind(rule.subject().of().word(), rule.subject().name())
                        .update()
                == 1);
    }

    private static @Nullable Long micros(@Nullable Duration length) {
        return length == null ? null : Micros.of(length);
    }

    /** {@return false if there was no rule} */
    public boolean remove(Subject subject) throws SQLException {
        Sql delete = dialect.statement("DELETE FROM pawl_retention" + IS);
        return database.statement(
                        connection -> delete.on(connection, subject.of().word(), subject.name())
                                .update())
                == 1;
    }
}
