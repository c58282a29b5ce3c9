package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.rate.Bucket;
import dev.pawl.internal.store.JobKey;
import dev.pawl.limit.Pause;
import dev.pawl.limit.PausedKey;
import dev.pawl.limit.Rate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pauses keys in their rows of {@code pawl_key}. The row shows the pause to each release until the pause is over and then one trial job has
 * finished. A key without jobs is deleted when its pause ends.
 */
final class PausedKeys {
    /** Maximum number of keys that are shown. */
    static final int MAX_SHOWN = 1_000;

    private final Dialect dialect;
    private final KeyNames names;
    private final String now;

    PausedKeys(Dialect dialect) {
        this.dialect = dialect;
        this.names = new KeyNames(dialect);
        this.now = dialect.micros(dialect.now());
    }

    /** Pauses a key because a job has reported an outage, unless the key is paused already. */
    void unavailable(Connection connection, JobKey key, Duration wait, String reason) throws SQLException {
        while (pause(connection, key, wait, reason, "failures + 1", " AND paused_until <= " + now) == 0
                && !isPaused(connection, key)) {
            create(connection, key);
        }
    }

    /** Pauses a key on request, in any state of the key. */
    void pause(Connection connection, JobKey key, Duration length, String reason, @Nullable Rate rate)
            throws SQLException {
        while (pause(connection, key, length, reason, "0", "") == 0) {
            create(connection, key);
        }
        shortenRetention(
                connection, key.queue(), List.of(key.key()), rate); // the new pause may be shorter than a former one
    }

    private boolean isPaused(Connection connection, JobKey key) throws SQLException {
        String sql = "SELECT 1 FROM pawl_key WHERE queue = ? AND job_key = ? AND paused_until > " + now;
        return on(connection, sql, key.queue(), key.key()).exists();
    }

    /** Another transaction may insert the row at the same moment, or delete it again before this one pauses the key. */
    private void create(Connection connection, JobKey key) throws SQLException {
        String insert = dialect.insertIfMissingToLock(
                "pawl_key (queue, job_key, paused_until) VALUES (?, ?, 0)", "paused_until");
        on(connection, insert, key.queue(), key.key()).run();
    }

    private int pause(
            Connection connection, JobKey key, Duration length, String reason, String failures, String condition)
            throws SQLException {
        long micros = Micros.of(length);
        String update = "UPDATE pawl_key SET kept_until = CASE WHEN kept_until > " + now + " + ? THEN kept_until ELSE "
                + now + " + ? END, failures = " + failures + ", reason = ?, paused_until = " + now
                + " + ? WHERE queue = ? AND job_key = ?" + condition;
        return on(connection, update, micros, micros, reason, micros, key.queue(), key.key())
                .update();
    }

    /**
     * @param rate the rate of each key; null if there is none
     * @return how many of the keys were paused
     */
    int resume(Connection connection, String queue, Collection<String> keys, @Nullable Rate rate) throws SQLException {
        if (keys.isEmpty()) {
            return 0;
        }
        String sql = "UPDATE pawl_key SET paused_until = 0, failures = 0, reason = NULL WHERE queue = ? AND "
                + names.anyOf(keys) + " AND paused_until > 0";
        int resumed = on(connection, sql, names.of(queue, keys)).update();
        if (resumed > 0) {
            shortenRetention(connection, queue, keys, rate);
        }
        return resumed;
    }

    /** Keeps rows no longer than a pause or a rate in use needs them, because the name of a key without jobs may be personal data. */
    private void shortenRetention(Connection connection, String queue, Collection<String> keys, @Nullable Rate rate)
            throws SQLException {
        Map<String, Long> kept = new TreeMap<>();
        String read =
                "SELECT job_key, next_start_at, cost_backlog, paused_until, kept_until FROM pawl_key WHERE queue = ? AND "
                        + names.anyOf(keys) + " ORDER BY job_key " + dialect.forUpdate();
        on(connection, read, names.of(queue, keys)).each(row -> {
            Bucket bucket = Bucket.of(row.getLong(2), row.getString(3));
            long until = Math.max(row.getLong(4), rate == null ? 0 : bucket.keptUntil(rate));
            if (until < row.getLong(5)) {
                kept.put(row.getString(1), until);
            }
        });
        String update = "UPDATE pawl_key SET kept_until = ? WHERE queue = ? AND job_key = ?";
        for (Map.Entry<String, Long> each : kept.entrySet()) {
            on(connection, update, each.getValue(), queue, each.getKey()).run();
        }
    }

    /**
     * {@return keys that are paused, and keys with jobs whose trial job after the pause has not finished yet, at most {@link #MAX_SHOWN}}
     */
    List<PausedKey> list(Connection connection) throws SQLException {
        List<PausedKey> held = new ArrayList<>();
        String sql = "SELECT k.queue, k.job_key, k.paused_until, k.failures, k.reason, " + now
                + " FROM pawl_key k WHERE k.paused_until > " + now
                + " OR (k.paused_until > 0 AND NOT (k.has_in_flight = 0 AND " + KeyLines.none(0) + " AND "
                + KeyLines.none(1) + "))"
                + " ORDER BY k.queue, k.job_key LIMIT " + MAX_SHOWN;
        on(connection, sql).each(rows -> {
            String reason = rows.getString(5);
            held.add(new PausedKey(
                    rows.getString(1),
                    rows.getString(2),
                    new Pause(
                            Instant.EPOCH.plus(rows.getLong(3), ChronoUnit.MICROS),
                            rows.getLong(3) <= rows.getLong(6),
                            rows.getInt(4),
                            reason == null ? "" : reason)));
        });
        return held;
    }

    private Sql.Bound on(Connection connection, String sql, @Nullable Object... values) {
        return dialect.statement(sql).on(connection, values);
    }
}
