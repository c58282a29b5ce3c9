package dev.pawl.internal.slot;

import dev.pawl.api.JobRun;
import dev.pawl.api.SlotException;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Issues slots. A reservation locks the row of the series, so reservations happen one after the other, and each sees all earlier ones. Each
 * reservation generates a random owner, and all later operations on the slot are valid only for this owner. All times are the database's.
 */
public final class Reservations {
    private static final int REAP_EVERY = 50;
    private static final int MAX_TRIES = 5;

    private final Database database;
    private final Dialect dialect;
    private final SlotRows rows;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /**
     * @param database of the queue
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
     * Reserves a slot and commits. Takes the first of these that exists: the slot that this job reserved in an earlier
     * attempt; in a gapless series, the smallest slot that was released or has expired; the next value that was never
     * issued.
     */
    public ReservedSlot reserve(SeriesOptions options, @Nullable JobRun run, Duration ttl) {
        Request request = new Request(
                options,
                run == null ? null : run.job().id(),
                ttl,
                run == null
                        ? Set.of()
                        : run.slots().stream()
                                .map(slot -> ((ReservedSlot) slot).owner())
                                .collect(Collectors.toSet()));
        return Failures.wrapped("cannot reserve a slot of series " + options.name(), () -> {
            for (int tries = 1; ; tries++) {
                createSeries(options.name());
                Optional<ReservedSlot> reserved = database.transaction(connection -> reserve(connection, request));
                if (reserved.isPresent()) {
                    return reserved.get();
                }
                known.remove(options.name()); // the series was flushed
                if (tries == MAX_TRIES) {
                    throw new SlotException("series " + options.name() + " is flushed again and again");
                }
            }
        });
    }

    /**
     * A request for a slot.
     *
     * @param options of the series
     * @param jobId of the job; null for none
     * @param ttl how long the reservation lasts
     * @param present owners of the slots that the run already has, if its handler uses several series
     */
    private record Request(SeriesOptions options, @Nullable Long jobId, Duration ttl, Set<String> present) {}

    /**
     * Creates the row of a series in a separate transaction, because a duplicate key would end the transaction of the reservation.
     */
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

    /** Reserves a slot; empty if there is no such series. */
    private Optional<ReservedSlot> reserve(Connection connection, Request request) throws SQLException {
        SeriesOptions options = request.options;
        String owner = UUID.randomUUID().toString();
        SlotRows.Series series = rows.lockSeries(connection, options.name());
        if (series == null) {
            return Optional.empty();
        }
        if (request.jobId != null) {
            List<SlotRows.Candidate> before = rows.ofJob(connection, options.name(), request.jobId).stream()
                    .filter(candidate -> !request.present.contains(candidate.owner()))
                    .toList();
            ReservedSlot own = takeOver(connection, request, before, owner);
            if (own != null) {
                return Optional.of(own);
            }
        }
        if (options.gapless()) {
            ReservedSlot free = takeOver(connection, request, rows.free(connection, options.name()), owner);
            if (free != null) {
                return Optional.of(free);
            }
        }
        if (!options.gapless() && series.lastOrdinal() % REAP_EVERY == REAP_EVERY - 1) {
            rows.reap(connection, options.name());
        }
        return Optional.of(issue(connection, options, series, owner, request.jobId, request.ttl));
    }

    private @Nullable ReservedSlot takeOver(
            Connection connection, Request request, List<SlotRows.Candidate> candidates, String owner)
            throws SQLException {
        String series = request.options.name();
        for (SlotRows.Candidate candidate : candidates) {
            if (!request.present.contains(candidate.owner())
                    && rows.takeOver(connection, series, candidate, owner, request.jobId, request.ttl)) {
                return new ReservedSlot(this, series, candidate.place(), owner);
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
                throw new SlotException("series " + options.name() + ": next(" + last + ") returned "
                        + (candidate == null ? "null" : candidate.length() + " characters")
                        + "; it must return 1 to 200 characters");
            }
            if (candidate.equals(last)) {
                throw new SlotException("series " + options.name() + ": next(" + last
                        + ") returned the same value; it must move forward");
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
                + "; let it continue from a value that was not, or raise maxProbes");
    }

    /** {@return the used slot with the highest ordinal} */
    public Optional<String> lastUsed(String name) {
        Sql sql = dialect.statement(
                "SELECT slot FROM pawl_slot WHERE series = ? AND state = 1 ORDER BY ordinal DESC LIMIT 1");
        return Failures.wrapped(
                "cannot read series " + name,
                () -> database.autocommit(connection -> sql.on(connection, name).first(row -> row.getString(1))));
    }

    /** Deletes used slots that are far behind the newest one; in a series with gaps, also slots that will never be used. */
    public long trim(String name, long keep, boolean gapless) {
        String which = gapless ? "state = 1" : "(state > 0 OR expires_at <= " + dialect.now() + ")";
        Sql sql = dialect.statement("""
                DELETE FROM pawl_slot WHERE series = ? AND %s
                   AND ordinal <= (SELECT last_ordinal FROM pawl_slot_series WHERE name = ?) - ?
                """.formatted(which));
        return Failures.wrapped(
                "cannot trim series " + name,
                () -> database.transaction(connection ->
                        (long) sql.on(connection, name, name, keep).update()));
    }

    /**
     * The duration of a reservation.
     *
     * @param options of the series
     * @param run for which the slot is reserved; null for none
     * @return the duration, counted from now
     */
    public Duration ttl(SeriesOptions options, @Nullable JobRun run) {
        Instant until = options.ttl().until();
        if (until == null) {
            return options.ttl().of(run);
        }
        Instant now = Failures.wrapped("cannot read the database's time", () -> database.autocommit(this::now));
        return SlotTtl.bounded(Duration.between(now, until));
    }

    private Instant now(Connection connection) throws SQLException {
        Sql now = dialect.statement("SELECT " + dialect.now() + " AS moment");
        return now.on(connection).one(row -> Objects.requireNonNull(dialect.moment(row, "moment")));
    }

    static long micros(Duration ttl) {
        return Micros.of(ttl);
    }
}
