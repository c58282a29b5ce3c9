package dev.pawl.internal.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A statement of {@link Dialect#statement} or {@link Dialect#planned(String)}, to be run with values on any connection:
 * {@code sql.on(connection, batch, after, 100).longs()}. Values are bound to the placeholders by position, according to
 * their types: see
 * {@link #on}. A statement that runs often is created once, in a constructor.
 *
 * <p>Numbers are boxed. So statements that bind a page of jobs in each round trip of a worker use JDBC directly.
 * Thread-safe.
 */
public final class Sql {
    private final Dialect dialect;
    private final String text;
    private final boolean planned;

    Sql(Dialect dialect, String text, boolean planned) {
        this.dialect = dialect;
        this.text = dialect.sql(text);
        this.planned = planned;
    }

    /** Binds placeholders from an index on, and returns the next index. */
    @FunctionalInterface
    public interface Value {
        int bind(PreparedStatement statement, int index) throws SQLException;
    }

    /** Reads the current row, or, for {@link Bound#query}, all rows. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Receives the current row. */
    @FunctionalInterface
    public interface Action {
        void take(ResultSet row) throws SQLException;
    }

    /** Provides the {@link #values} for one run of a batch. */
    @FunctionalInterface
    public interface Row<T> {
        List<? extends @Nullable Object> of(T item) throws SQLException;
    }

    /**
     * {@return the statement with values; nothing is sent yet}
     *
     * @param connection to run it on
     * @param values a number, a string, a boolean, bytes or null; an {@link Instant} for {@link Dialect#moment()}; a list of ids for
     *     {@link Dialect#anyOf}; a {@link Value}
     */
    public Bound on(Connection connection, @Nullable Object... values) {
        return new Bound(connection).bind(values);
    }

    /** {@return values for {@link #batch}, as for {@link #on}} */
    public static List<@Nullable Object> values(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    /** Runs the statement for each item as one JDBC batch, and returns the counts; without items, nothing is sent. */
    public <T> int[] batch(Connection connection, Iterable<T> items, Row<? super T> values) throws SQLException {
        Iterator<T> left = items.iterator();
        if (!left.hasNext()) {
            return new int[0];
        }
        try (PreparedStatement statement = prepare(connection)) {
            while (left.hasNext()) {
                bind(statement, values.of(left.next()));
                statement.addBatch();
            }
            return statement.executeBatch();
        }
    }

    private PreparedStatement prepare(Connection connection) throws SQLException {
        return planned ? dialect.planned(connection, text) : connection.prepareStatement(text);
    }

    private void bind(PreparedStatement statement, List<? extends @Nullable Object> values) throws SQLException {
        int index = 1;
        for (Object value : values) {
            index = bind(statement, index, value);
        }
    }

    @SuppressWarnings("unchecked") // lists can contain ids only
    private int bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        if (value instanceof Long number) {
            statement.setLong(index, number);
        } else if (value instanceof Integer number) {
            statement.setInt(index, number);
        } else if (value instanceof String string) {
            statement.setString(index, string);
        } else if (value instanceof Boolean flag) {
            statement.setBoolean(index, flag);
        } else if (value instanceof Instant moment) {
            dialect.bind(statement, index, moment);
        } else if (value instanceof List<?> ids) {
            return dialect.bindIds(statement, index, (List<Long>) ids);
        } else if (value instanceof Value own) {
            return own.bind(statement, index);
        } else if (value instanceof byte[] bytes) {
            dialect.bindBytes(statement, index, bytes);
        } else if (value == null) {
            statement.setNull(index, Types.NULL);
        } else {
            throw new IllegalArgumentException("cannot bind a value of " + value.getClass());
        }
        return index + 1;
    }

    /** A statement with values, to be run once. Confined to one thread. */
    public final class Bound {
        private final Connection connection;
        private final List<@Nullable Object> values = new ArrayList<>(8);

        private Bound(Connection connection) {
            this.connection = connection;
        }

        /** Adds values for the next placeholders. */
        public Bound bind(@Nullable Object... more) {
            values.addAll(Arrays.asList(more));
            return this;
        }

        /** Runs a statement that changes rows. */
        public void run() throws SQLException {
            int unused = update();
        }

        /** {@return how many rows the statement has changed} */
        public int update() throws SQLException {
            try (PreparedStatement statement = prepare(connection)) {
                Sql.this.bind(statement, values);
                return statement.executeUpdate();
            }
        }

        /** {@return what the reader returns; it gets the result set positioned before the first row} */
        public <T> T query(Reader<T> rows) throws SQLException {
            try (PreparedStatement statement = prepare(connection)) {
                Sql.this.bind(statement, values);
                try (ResultSet found = statement.executeQuery()) {
                    return rows.read(found);
                }
            }
        }

        /** Passes each row. */
        public void each(Action action) throws SQLException {
            boolean unused = query(rows -> {
                while (rows.next()) {
                    action.take(rows);
                }
                return true;
            });
        }

        /** {@return all rows, as a mutable list} */
        public <T> List<T> list(Reader<T> row) throws SQLException {
            List<T> all = new ArrayList<>();
            each(found -> all.add(row.read(found)));
            return all;
        }

        /** {@return the first column of all rows} */
        public List<Long> longs() throws SQLException {
            return list(row -> row.getLong(1));
        }

        /** {@return the first column of all rows} */
        public List<String> strings() throws SQLException {
            return list(row -> row.getString(1));
        }

        /** {@return the first row; empty if there is none, or null was read} */
        public <T> Optional<T> first(Reader<T> row) throws SQLException {
            return query(rows -> rows.next() ? Optional.ofNullable(row.read(rows)) : Optional.empty());
        }

        /** {@return the first row of a query that always has one} */
        public <T> T one(Reader<T> row) throws SQLException {
            return query(rows -> {
                rows.next();
                return row.read(rows);
            });
        }

        /** {@return whether there is a row} */
        public boolean exists() throws SQLException {
            return query(ResultSet::next);
        }
    }
}
