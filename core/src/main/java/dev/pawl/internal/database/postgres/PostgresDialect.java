package dev.pawl.internal.database.postgres;

import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.jdbc.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/** PostgreSQL 12 and newer, through pgjdbc. */
public final class PostgresDialect extends Dialect {
    /**
     * @param version as the server reports it
     * @param prefix of every table
     */
    public PostgresDialect(String version, String prefix) {
        this(version, TableNames.prefixed(prefix));
    }

    /**
     * @param version as the server reports it
     * @param names of the tables
     */
    public PostgresDialect(String version, TableNames names) {
        super("postgresql", version, names);
    }

    @Override
    public String now() {
        // Not now(), which does not advance during a long transaction of the caller; not clock_timestamp(), which is
        // volatile and prevents the use of the index on available_at.
        return "statement_timestamp()";
    }

    @Override
    public String nowPlusMicros() {
        return "statement_timestamp() + ? * interval '1 microsecond'";
    }

    @Override
    public String ownIds() {
        return " OVERRIDING SYSTEM VALUE";
    }

    @Override
    public String moment() {
        return "?";
    }

    @Override
    public boolean losesTransactions() {
        return false;
    }

    @Override
    public void bind(PreparedStatement statement, int index, Instant moment) throws SQLException {
        statement.setObject(index, moment.atOffset(ZoneOffset.UTC));
    }

    @Override
    public String bytes() {
        return "decode(?, 'hex')";
    }

    /**
     * Binds the bytes as hexadecimal digits, because the driver's simple protocol alters bytes if {@code standard_conforming_strings} is
     * off.
     */
    @Override
    public void bindBytes(PreparedStatement statement, int index, byte @Nullable [] bytes) throws SQLException {
        statement.setString(index, bytes == null ? null : HexFormat.of().formatHex(bytes));
    }

    @Override
    public @Nullable Instant moment(ResultSet row, String column) throws SQLException {
        OffsetDateTime moment = row.getObject(column, OffsetDateTime.class);
        return moment == null ? null : moment.toInstant();
    }

    /**
     * With {@code state = 1} the planner may use the index on running jobs instead of the primary key, because it estimates that index as
     * nearly empty. It then reads all the dead entries that claims have left there, which takes seven times as long.
     */
    @Override
    public String runs() {
        return isIn(JobState.RUNNING);
    }

    /** The result is exact until the year 2100, because a double holds the seconds to a quarter of a microsecond. */
    @Override
    public String micros(String moment) {
        return "(date_part('epoch', " + moment + ") * 1000000)::bigint";
    }

    @Override
    public String skipLocked() {
        return "FOR UPDATE SKIP LOCKED";
    }

    @Override
    public String forShare() {
        return "FOR SHARE";
    }

    @Override
    public String shareSkipLocked() {
        return "FOR SHARE SKIP LOCKED";
    }

    @Override
    public String forUpdate() {
        return "FOR UPDATE";
    }

    /**
     * With a plain array the planner knows the number of ids, and reads the whole table. That takes ten times as long as a thousand probes
     * of the primary key.
     */
    @Override
    public String anyOf(String column, int count) {
        return column + " = ANY (ARRAY(SELECT unnest(?::bigint[])))";
    }

    @Override
    public int bindIds(PreparedStatement statement, int index, List<Long> ids) throws SQLException {
        bindArray(statement, index, "bigint", ids, Function.identity());
        return index + 1;
    }

    /**
     * Plans the statement for each execution. A plan that was cached while the table was empty would read the whole table once it is full;
     * planning costs little compared with a batch. Planning each time also works behind PgBouncer.
     */
    static PreparedStatement plannedAnew(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        if (statement.isWrapperFor(PGStatement.class)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
        return statement;
    }

    @Override
    public String keepsPlan() {
        return "? > 0";
    }

    @Override
    public Sql.Value planAge() {
        return (statement, index) -> {
            PostgresLaneClaim.bindLimit(statement, index, 1);
            return index + 1;
        };
    }

    @Override
    public boolean takesLists() {
        return true;
    }

    /** Commits are written to the log in their order, so a later commit that depends on this one also makes it durable. */
    @Override
    public void mayBeLost(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL synchronous_commit TO OFF");
        }
    }

    @Override
    public boolean failsToSerialize() {
        return true;
    }

    @Override
    public void seeLatest(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
        }
    }

    @Override
    public PreparedStatement planned(Connection connection, String sql) throws SQLException {
        return plannedAnew(connection, sql);
    }

    /**
     * Binds one column of {@code items} as an array, for {@code unnest}. The driver sends arrays of strings and of longs in binary form. It
     * sends other arrays, and {@code Object[]}, as text in which each quote of a JSON is escaped, and which the server must parse. NULL in
     * such a text means null only if the session has {@code array_nulls}, so the arrays contain none.
     */
    static <T> void bindArray(
            PreparedStatement statement, int index, String elementType, List<T> items, Function<? super T, ?> column)
            throws SQLException {
        int size = items.size();
        Object[] values = switch (elementType) {
            case "text" -> new String[size];
            case "bigint" -> new Long[size];
            default -> new Object[size];
        };
        for (int i = 0; i < values.length; i++) {
            values[i] = Objects.requireNonNull(column.apply(items.get(i)), "an element of an array");
        }
        statement.setArray(index, statement.getConnection().createArrayOf(elementType, values));
    }
}
