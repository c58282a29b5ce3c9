package dev.pawl.internal.slot;

import dev.pawl.SlotException;
import dev.pawl.internal.store.sql.Database;
import dev.pawl.internal.store.sql.Dialect;
import dev.pawl.internal.store.sql.Failures;
import dev.pawl.internal.store.sql.Micros;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Issues slots. Whoever reserves holds the row of the series, so reservations come one after the other and each sees all
 * before it; everything after that names the owner that was drawn here. All time is the database's.
 */
public final class Reservations {
    private final Database database;
    private final Dialect dialect;
    private final SlotRows rows;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /**
     * @param database the queue's
     */
    public Reservations(Database database) {
        this.database = database;
        this.dialect = database.dialect();
        this.rows = new SlotRows(dialect);
    }

    Database database() {
        return database;
    }

    SlotRows rows() {
        return rows;
    }

    /**
     * Reserves a slot and commits. In order: what this job had reserved in an attempt before; in a gapless series what was
     * given back or ran out, the smallest first; the next that was never issued.
     */
    public ReservedSlot reserve(SeriesOptions options, @Nullable Long jobId, Duration ttl) {
        return Failures.wrapped("cannot reserve a slot of series " + options.name(), () -> {
            createSeries(options.name());
            return database.transaction(connection -> reserve(connection, options, jobId, ttl));
        });
    }

    /** In a transaction of its own: who comes second must not wait with a transaction that was broken by the key. */
    private void createSeries(String name) throws SQLException {
        if (known.contains(name)) {
            return;
        }
        boolean exists = database.autocommit(connection -> rows.seriesExists(connection, name));
        if (!exists) {
            try {
                database.transaction(connection -> {
                    rows.insertSeries(connection, name);
                    return true;
                });
            } catch (SQLException e) {
                if (!database.autocommit(connection -> rows.seriesExists(connection, name))) {
                    throw e;
                }
            }
        }
        known.add(name);
    }

    private ReservedSlot reserve(Connection connection, SeriesOptions options, @Nullable Long jobId, Duration ttl)
            throws SQLException {
        String owner = UUID.randomUUID().toString();
        SlotRows.Series series = rows.lockSeries(connection, options.name());
        if (jobId != null) {
            ReservedSlot own =
                    takeOver(connection, options, rows.ofJob(connection, options.name(), jobId), owner, jobId, ttl);
            if (own != null) {
                return own;
            }
        }
        if (options.gapless()) {
            ReservedSlot free = takeOver(connection, options, rows.free(connection, options.name()), owner, jobId, ttl);
            if (free != null) {
                return free;
            }
        }
        return issue(connection, options, series, owner, jobId, ttl);
    }

    private @Nullable ReservedSlot takeOver(
            Connection connection,
            SeriesOptions options,
            List<SlotRows.Candidate> candidates,
            String owner,
            @Nullable Long jobId,
            Duration ttl)
            throws SQLException {
        for (SlotRows.Candidate candidate : candidates) {
            if (rows.takeOver(connection, options.name(), candidate, owner, jobId, ttl)) {
                return new ReservedSlot(this, options.name(), candidate.place(), owner);
            }
        }
        return null;
    }

    private ReservedSlot issue(
            Connection connection,
            SeriesOptions options,
            SlotRows.Series series,
            String owner,
            @Nullable Long jobId,
            Duration ttl)
            throws SQLException {
        String last = series.started() ? series.lastSlot() : options.start().get();
        for (int probe = 0; probe < options.maxProbes(); probe++) {
            String candidate = options.next().apply(last);
            if (candidate == null || candidate.isEmpty() || candidate.length() > 200) {
                throw new SlotException("series " + options.name() + ": next(" + last + ") answered "
                        + (candidate == null ? "null" : candidate.length() + " characters")
                        + "; it must answer 1 to 200 characters");
            }
            if (candidate.equals(last)) {
                throw new SlotException("series " + options.name() + ": next(" + last
                        + ") answered the same value; it must go forward");
            }
            if (!rows.exists(connection, options.name(), candidate)) {
                SlotRows.Place place = new SlotRows.Place(candidate, series.lastOrdinal() + 1);
                rows.insert(connection, options.name(), place, owner, jobId, ttl);
                rows.moveSeries(connection, options.name(), place);
                return new ReservedSlot(this, options.name(), place, owner);
            }
            last = candidate;
        }
        throw new SlotException("series " + options.name() + ": next has proposed " + options.maxProbes()
                + " values that were all issued before, the last one was " + last
                + "; let it go on from a value that was not, or raise maxProbes");
    }

    /** {@return the used slot with the highest ordinal} */
    public Optional<String> lastUsed(String name) {
        String sql =
                dialect.sql("SELECT slot FROM pawl_slot WHERE series = ? AND state = 1 ORDER BY ordinal DESC LIMIT 1");
        return Failures.wrapped(
                "cannot read series " + name,
                () -> database.autocommit(connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(sql)) {
                        statement.setString(1, name);
                        try (ResultSet row = statement.executeQuery()) {
                            return row.next() ? Optional.of(row.getString(1)) : Optional.<String>empty();
                        }
                    }
                }));
    }

    /** Deletes used slots that are so far behind the newest. */
    public long trim(String name, long keep) {
        String sql = dialect.sql("""
                DELETE FROM pawl_slot WHERE series = ? AND state = 1
                   AND ordinal <= (SELECT last_ordinal FROM pawl_slot_series WHERE name = ?) - ?
                """);
        return Failures.wrapped(
                "cannot trim series " + name,
                () -> database.transaction(connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(sql)) {
                        statement.setString(1, name);
                        statement.setString(2, name);
                        statement.setLong(3, keep);
                        return (long) statement.executeUpdate();
                    }
                }));
    }

    static long micros(Duration ttl) {
        return Micros.of(ttl);
    }
}
