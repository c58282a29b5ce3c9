package dev.pawl.internal.watch;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.spi.Leader;
import dev.pawl.spi.Leadership;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Elects leaders by rows of {@code pawl_leader}. Thread-safe. */
public final class SqlLeadership implements Leadership {
    private final Database database;
    private final Sql create;
    private final Sql read;
    private final Sql take;
    private final Sql save;
    private final Sql release;

    /** @param database the pool and the dialect */
    public SqlLeadership(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        String now = dialect.now();
        create = dialect.statement(dialect.insertIfMissing("pawl_leader (name, owner, token) VALUES (?, '', 0)"));
        read = dialect.statement("SELECT owner, token, state, CASE WHEN held_until > " + now
                + " THEN 1 ELSE 0 END AS held FROM pawl_leader WHERE name = ?");
        // The token is set first, because MySQL evaluates the assignments one after the other.
        take = dialect.statement(
                "UPDATE pawl_leader SET token = token + CASE WHEN owner = ? THEN 0 ELSE 1 END, owner = ?,"
                        + " held_until = " + dialect.nowPlusMicros()
                        + " WHERE name = ? AND (owner = ? OR held_until IS NULL OR held_until <= " + now + ")");
        save = dialect.statement("UPDATE pawl_leader SET state = ? WHERE name = ? AND owner = ? AND token = ?");
        release = dialect.statement(
                "UPDATE pawl_leader SET held_until = NULL WHERE name = ? AND owner = ? AND token = ?");
    }

    private record Row(String owner, long token, String state, boolean isHeld) {}

    @Override
    public Optional<Leader> hold(String name, String owner, Duration length) {
        return Failures.wrapped("cannot lead the task " + name, () -> {
            Optional<Row> row = database.autocommit(connection -> row(connection, name));
            if (row.isPresent() && row.get().isHeld && !row.get().owner.equals(owner)) {
                return Optional.empty();
            }
            if (row.isEmpty()) {
                int unused = database.statement(
                        connection -> create.on(connection, name).update());
            }
            Row mine = database.transaction(connection -> {
                take.on(connection, owner, owner, Micros.of(length), name, owner)
                        .run();
                return row(connection, name).orElseThrow();
            });
            return mine.owner.equals(owner)
                    ? Optional.of(new Leader(name, owner, mine.token, mine.state))
                    : Optional.empty();
        });
    }

    private Optional<Row> row(Connection connection, String name) throws SQLException {
        return read.on(connection, name)
                .first(row -> new Row(
                        row.getString("owner"),
                        row.getLong("token"),
                        Objects.requireNonNullElse(row.getString("state"), ""),
                        row.getInt("held") == 1));
    }

    @Override
    public boolean save(Leader leader, String state) {
        return Failures.wrapped(
                "cannot write the state of the task " + leader.name(),
                () -> database.transaction(connection -> {
                    save.on(connection, state, leader.name(), leader.owner(), leader.token())
                            .run();
                    // Reads the row, because a driver may count only rows whose values have changed.
                    return row(connection, leader.name())
                            .filter(row -> row.owner.equals(leader.owner()) && row.token == leader.token())
                            .isPresent();
                }));
    }

    @Override
    public void release(Leader leader) {
        int unused = Failures.wrapped(
                "cannot release the task " + leader.name(),
                () -> database.statement(
                        connection -> release.on(connection, leader.name(), leader.owner(), leader.token())
                                .update()));
    }
}
