package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.key.KeyWrites.Column;
import dev.pawl.internal.rate.Bucket;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.ConcurrencyKeys.KeyRequest;
import dev.pawl.limit.Rate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads and writes what each key has left of its rate. Used only for queues whose keys have a rate. */
final class KeyRates {
    /** Keys of queues that have a rate for each of their keys. */
    static final String WITH_RATE =
            "FROM pawl_key k JOIN pawl_limit f ON f.subject = 'keys' AND f.name = k.queue AND f.rate_limit IS NOT NULL";

    private final Dialect dialect;
    private final KeyNames names;
    private final KeyWrites writes;
    private final String now;

    KeyRates(Dialect dialect) {
        this.dialect = dialect;
        this.names = new KeyNames(dialect);
        this.writes = new KeyWrites(dialect);
        this.now = dialect.micros(dialect.now());
    }

    /**
     * What a key has left of its rate.
     *
     * @param bucket the bucket of the key
     * @param nextRelease when the next job may be released, in microseconds since 1970
     * @param pausedUntil when the key's pause ends, in microseconds since 1970; 0 if there is none
     * @param now when it was read, in microseconds since 1970
     */
    record Left(Bucket bucket, long nextRelease, long pausedUntil, long now) {}

    /** {@return the rate of each key of a queue; null if there is none} */
    @Nullable
    Rate rate(Connection connection, String queue) throws SQLException {
        String sql =
                "SELECT rate_limit, rate_period FROM pawl_limit WHERE subject = 'keys' AND name = ? AND rate_limit IS NOT NULL";
        return dialect.statement(sql)
                .on(connection, queue)
                .first(row -> rate(row.getInt(1), row.getLong(2)))
                .orElse(null);
    }

    static Rate rate(int starts, long perMicros) {
        return new Rate(starts, Duration.of(perMicros, ChronoUnit.MICROS));
    }

    /** {@return what locked keys have left, in the order of their names; without keys that have no row} */
    SortedMap<String, Left> left(Connection connection, String queue, Collection<String> keys, Rate rate)
            throws SQLException {
        return left(connection, queue, keys, rate, "");
    }

    /** Reads what keys have left. Moments that a former, slower rate has set too far away are brought nearer. */
    private SortedMap<String, Left> left(
            Connection connection, String queue, Collection<String> keys, Rate rate, String lock) throws SQLException {
        String sql = names.each(
                "job_key, next_start_at, cost_backlog, " + now + ", next_release_at, paused_until",
                keys,
                "ORDER BY job_key " + lock);
        SortedMap<String, Left> left = new TreeMap<>();
        SortedMap<String, Left> nearer = new TreeMap<>();
        dialect.planned(sql).on(connection, names.of(queue, keys)).each(rows -> {
            long present = rows.getLong(4);
            Bucket stored = Bucket.of(rows.getLong(2), rows.getString(3));
            Bucket bucket = stored.at(rate, present);
            long next = Math.min(rows.getLong(5), ReleaseRate.furthest(bucket, rate, present));
            Left one = new Left(bucket, next, rows.getLong(6), present);
            left.put(rows.getString(1), one);
            if (bucket.nextStart() < stored.nextStart() || next < rows.getLong(5)) {
                nearer.put(rows.getString(1), one);
            }
        });
        bringNearer(connection, queue, nearer);
        return left;
    }

    private void bringNearer(Connection connection, String queue, Map<String, Left> nearer) throws SQLException {
        Map<String, Long> starts = new HashMap<>();
        nearer.forEach((key, left) -> starts.put(key, left.bucket().nextStart()));
        Map<String, Long> releases = new HashMap<>();
        nearer.forEach((key, left) -> releases.put(key, left.nextRelease()));
        writes.write(
                connection,
                queue,
                nearer.keySet(),
                Column.numbers("next_start_at", starts),
                Column.numbers("next_release_at", releases));
    }

    /**
     * Allocates starts to the requests.
     *
     * @param requests the requests in the order of the keys, in which all transactions lock their rows
     * @return the allocation of each key
     */
    Map<String, Allocation> allocate(
            Connection connection, String queue, SortedMap<String, KeyRequest> requests, Rate rate)
            throws SQLException {
        SortedMap<String, Left> left = left(connection, queue, requests.keySet(), rate, dialect.forUpdate());
        if (left.size() < requests.size()) { // the key of a job that was run before its release may have no row yet
            create(connection, queue, requests, left);
            left = left(connection, queue, requests.keySet(), rate, dialect.forUpdate());
        }
        Map<String, Allocation> allocations = new HashMap<>();
        Map<String, Long> next = new HashMap<>();
        Map<String, String> costly = new HashMap<>();
        Map<String, Long> kept = new HashMap<>();
        for (Map.Entry<String, Left> each : left.entrySet()) {
            KeyRequest request = Objects.requireNonNull(requests.get(each.getKey()));
            Bucket before = each.getValue().bucket();
            Bucket.Allocated allocated = before.allocate(
                    rate, each.getValue().now(), request.starts(), request.largest(), request.goodFor());
            allocations.put(each.getKey(), new Allocation(true, null, allocated.starts(), Duration.ZERO, false));
            if (allocated.starts().now() > 0
                    || !Objects.equals(before.costly(), allocated.after().costly())) {
                Bucket after = allocated.after();
                next.put(each.getKey(), after.nextStart());
                String known = after.costly();
                if (known != null) {
                    costly.put(each.getKey(), known);
                }
                kept.put(each.getKey(), Math.max(each.getValue().pausedUntil(), after.keptUntil(rate)));
            }
        }
        writes.write(
                connection,
                queue,
                next.keySet(),
                Column.numbers("next_start_at", next),
                new Column("cost_backlog", false, costly),
                Column.numbers("kept_until", kept));
        return allocations;
    }

    private void create(
            Connection connection, String queue, SortedMap<String, KeyRequest> requests, Map<String, Left> known)
            throws SQLException {
        Sql sql = dialect.statement(dialect.insertIfMissing("pawl_key (queue, job_key) VALUES (?, ?)"));
        List<String> unknown = requests.keySet().stream()
                .filter(key -> !known.containsKey(key))
                .toList();
        sql.batch(connection, unknown, key -> Sql.values(queue, key));
    }

    /** Records when the next jobs may be released. */
    void nextRelease(Connection connection, String queue, Map<String, Long> next) throws SQLException {
        writes.write(connection, queue, next.keySet(), Column.numbers("next_release_at", next));
    }
}
