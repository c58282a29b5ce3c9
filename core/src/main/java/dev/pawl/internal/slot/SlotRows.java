package dev.pawl.internal.slot;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements on {@code pawl_slot_series} and {@code pawl_slot}. */
final class SlotRows {
    private static final int MAX_CANDIDATES = 20;
    static final int CLEARED = 2;

    /** How long expired slots are kept. During this time, a late owner can still use its slot unless it was taken over. */
    private static final Duration REAP_AFTER = Duration.ofDays(1);

    private static final int MAX_REAPED = 200;

    private final Dialect dialect;
    private final String ends;

    SlotRows(Dialect dialect) {
        this.dialect = dialect;
        this.ends = dialect.nowPlusMicros();
    }

    /**
     * A series whose row is locked.
     *
     * @param started whether its start value was computed
     * @param lastSlot the value that was issued last; null for none
     * @param lastOrdinal the ordinal of that value
     */
    record Series(boolean started, @Nullable String lastSlot, long lastOrdinal) {}

    /**
     * A value and its ordinal.
     *
     * @param slot the value
     * @param ordinal from 1
     */
    record Place(String slot, long ordinal) {}

    private Sql.Bound on(Connection connection, String sql, @Nullable Object... values) {
        return dialect.statement(sql).on(connection, values);
    }

    boolean seriesExists(Connection connection, String name) throws SQLException {
        return on(connection, "SELECT 1 FROM pawl_slot_series WHERE name = ?", name)
                .exists();
    }

    void insertSeries(Connection connection, String name) throws SQLException {
        on(connection, "INSERT INTO pawl_slot_series (name) VALUES (?)", name).run();
    }

    /** Locks a series; null if there is no such series. */
    @Nullable
    Series lockSeries(Connection connection, String name) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT started, last_slot, last_ordinal FROM pawl_slot_series WHERE name = ? " + dialect.forUpdate());
        return sql.on(connection, name)
                .first(row -> new Series(row.getBoolean(1), row.getString(2), row.getLong(3)))
                .orElse(null);
    }

    void moveSeries(Connection connection, String name, Place last) throws SQLException {
        Sql sql = dialect.statement(
                "UPDATE pawl_slot_series SET started = TRUE, last_slot = ?, last_ordinal = ? WHERE name = ?");
        sql.on(connection, last.slot(), last.ordinal(), name).run();
    }

    /**
     * A slot that may be taken over, as found by a read without locks.
     *
     * @param place its value and ordinal
     * @param owner the owner at that time
     * @param state the state at that time
     */
    record Candidate(Place place, String owner, int state) {}

    /** Finds slots that a job has reserved and not used, in an earlier attempt or in this one. */
    List<Candidate> ofJob(Connection connection, String series, long jobId) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT slot, ordinal, owner, state FROM pawl_slot WHERE series = ? AND state = 0 AND job_id = ?"
                        + " ORDER BY ordinal LIMIT " + MAX_CANDIDATES);
        return sql.on(connection, series, jobId).list(SlotRows::candidate);
    }

    /** Finds slots that were released or have expired, smallest first. */
    List<Candidate> free(Connection connection, String series) throws SQLException {
        String sql = "SELECT slot, ordinal, owner, state FROM pawl_slot WHERE series = ? AND state = %s"
                + " ORDER BY ordinal LIMIT " + MAX_CANDIDATES;
        List<Candidate> free = on(connection, sql.formatted("2"), series).list(SlotRows::candidate);
        free.addAll(on(connection, sql.formatted("0 AND expires_at <= " + dialect.now()), series)
                .list(SlotRows::candidate));
        free.sort(Comparator.comparingLong(candidate -> candidate.place().ordinal()));
        return free;
    }

    /** In a series with gaps, deletes unused slots that expired long ago, including released slots. Skips locked rows. */
    void reap(Connection connection, String series) throws SQLException {
        List<Candidate> dead = new ArrayList<>();
        for (int state : new int[] {0, CLEARED}) {
            Sql sql = dialect.statement(
                    "SELECT slot, ordinal, owner, state FROM pawl_slot WHERE series = ? AND state = " + state
                            + " AND expires_at <= " + dialect.nowPlusMicros() + " ORDER BY ordinal LIMIT "
                            + MAX_REAPED);
            dead.addAll(
                    sql.on(connection, series, -Reservations.micros(REAP_AFTER)).list(SlotRows::candidate));
        }
        for (Candidate each : dead) {
            if (isStill(connection, series, each, null)) {
                on(
                                connection,
                                "DELETE FROM pawl_slot WHERE series = ? AND slot = ?",
                                series,
                                each.place().slot())
                        .run();
            }
        }
    }

    private static Candidate candidate(ResultSet row) throws SQLException {
        return new Candidate(new Place(row.getString(1), row.getLong(2)), row.getString(3), row.getInt(4));
    }

    /**
     * Takes over a slot that was found without a lock. Locks its row by the primary key alone. A locking read through a secondary index
     * would also lock slots of other owners, in the opposite order to the transactions that use them. False if the slot is locked, or has
     * changed or been extended since it was found.
     */
    boolean takeOver(
            Connection connection, String series, Candidate seen, String owner, @Nullable Long jobId, Duration ttl)
            throws SQLException {
        return isStill(connection, series, seen, jobId)
                && give(connection, series, seen.place().slot(), owner, jobId, ttl);
    }

    private boolean isStill(Connection connection, String series, Candidate seen, @Nullable Long jobId)
            throws SQLException {
        Sql sql = dialect.statement("SELECT owner, state, job_id, CASE WHEN expires_at <= " + dialect.now()
                + " THEN 1 ELSE 0 END FROM pawl_slot WHERE series = ? AND slot = ? "
                + dialect.skipLocked());
        return sql.on(connection, series, seen.place().slot())
                .first(row -> row.getString(1).equals(seen.owner())
                        && row.getInt(2) == seen.state()
                        && (seen.state() == CLEARED || isOf(row, jobId) || row.getInt(4) == 1))
                .orElse(false);
    }

    private static boolean isOf(ResultSet row, @Nullable Long jobId) throws SQLException {
        long reservedBy = row.getLong(3);
        return !row.wasNull() && jobId != null && reservedBy == jobId;
    }

    private boolean give(
            Connection connection, String series, String slot, String owner, @Nullable Long jobId, Duration ttl)
            throws SQLException {
        Sql sql = dialect.statement("UPDATE pawl_slot SET state = 0, owner = ?, job_id = ?, reserved_at = "
                + dialect.now() + ", expires_at = " + ends + " WHERE series = ? AND slot = ?");
        return sql.on(connection, owner, jobId, Reservations.micros(ttl), series, slot)
                        .update()
                == 1;
    }

    boolean exists(Connection connection, String series, String slot) throws SQLException {
        Sql sql = dialect.statement("SELECT 1 FROM pawl_slot WHERE series = ? AND slot = ?");
        return sql.on(connection, series, slot).exists();
    }

    void insert(Connection connection, String series, Place place, String owner, @Nullable Long jobId, Duration ttl)
            throws SQLException {
        Sql sql = dialect.statement(
                "INSERT INTO pawl_slot (series, slot, ordinal, state, owner, job_id, reserved_at, expires_at)"
                        + " VALUES (?, ?, ?, 0, ?, ?, " + dialect.now() + ", " + ends + ")");
        sql.on(connection, series, place.slot(), place.ordinal(), owner, jobId, Reservations.micros(ttl))
                .run();
    }

    /** {@return whether this owner has used the slot} */
    boolean isUsed(Connection connection, String series, String slot, String owner) throws SQLException {
        Sql sql =
                dialect.statement("SELECT 1 FROM pawl_slot WHERE series = ? AND slot = ? AND owner = ? AND state = 1");
        return sql.on(connection, series, slot, owner).exists();
    }

    /** Marks a reserved slot as used. Like {@link #clear}, does nothing and returns false if the slot has another owner by now. */
    boolean use(Connection connection, String series, String slot, String owner) throws SQLException {
        return end(connection, "state = 1, used_at = " + dialect.now(), series, slot, owner);
    }

    boolean clear(Connection connection, String series, String slot, String owner) throws SQLException {
        return end(connection, "state = 2", series, slot, owner);
    }

    /** Clears a slot unless its row is locked, perhaps by a transaction of the same run. */
    boolean clearUnlessLocked(Connection connection, String series, String slot, String owner) throws SQLException {
        Sql sql = dialect.statement(
                "SELECT 1 FROM pawl_slot WHERE series = ? AND slot = ? AND owner = ? " + dialect.skipLocked());
        return sql.on(connection, series, slot, owner).exists() && clear(connection, series, slot, owner);
    }

    boolean extend(Connection connection, String series, String slot, String owner, Duration ttl) throws SQLException {
        Sql sql = dialect.statement("UPDATE pawl_slot SET expires_at = " + ends
                + " WHERE series = ? AND slot = ? AND owner = ? AND state = 0");
        return sql.on(connection, Reservations.micros(ttl), series, slot, owner).update() == 1;
    }

    private boolean end(Connection connection, String change, String series, String slot, String owner)
            throws SQLException {
        Sql sql = dialect.statement(
                "UPDATE pawl_slot SET " + change + " WHERE series = ? AND slot = ? AND owner = ? AND state = 0");
        return sql.on(connection, series, slot, owner).update() == 1;
    }
}
