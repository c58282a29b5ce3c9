package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.rate.Bucket;
import dev.pawl.internal.store.ConcurrencyKeys.Ready;
import dev.pawl.internal.store.JobKey;
import dev.pawl.limit.Rate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds keys to release: keys with new jobs, with jobs that may be released, or with jobs whose end was not noted. */
final class KeySearch {
    static final int MAX = 1_000;
    private static final int STEPS = 500;
    /**
     * Finds keys that may be released, by their rate or after a pause, within this number of microseconds; the next sweep finds later ones.
     */
    private static final long SOON = 6_000_000;

    private final Dialect dialect;
    private final InFlight inFlight;
    private final String now;

    KeySearch(Dialect dialect) {
        this.dialect = dialect;
        this.inFlight = new InFlight(dialect);
        this.now = dialect.micros(dialect.now());
    }

    /** A job that was blocked. */
    record Blocked(long id, JobKey key) {}

    boolean isKnown(Connection connection, JobKey key) throws SQLException {
        String row = "SELECT 1 FROM pawl_key WHERE queue = ? AND job_key = ?";
        return on(connection, row, key.queue(), key.key()).exists()
                || hasEntry(connection, key, "released = 0")
                || hasEntry(connection, key, "released = 1");
    }

    private boolean hasEntry(Connection connection, JobKey key, String released) throws SQLException {
        String sql = "SELECT 1 FROM " + KeyLines.table(dialect) + " WHERE " + released
                + " AND queue = ? AND job_key = ? LIMIT 1";
        return on(connection, sql, key.queue(), key.key()).exists();
    }

    /** {@return the id of the newest job with a row in {@code pawl_keyed}; 0 if there is none} */
    long newestBlocked(Connection connection) throws SQLException {
        Sql sql = dialect.planned("SELECT job_id FROM pawl_keyed ORDER BY job_id DESC LIMIT 1");
        return sql.on(connection).first(rows -> rows.getLong(1)).orElse(0L);
    }

    /**
     * Reads jobs in the order of their ids, including jobs that have been released since. With a condition that excludes released jobs,
     * PostgreSQL may read and sort all blocked jobs.
     */
    List<Blocked> blockedAfter(Connection connection, long after) throws SQLException {
        List<Blocked> blocked = new ArrayList<>();
        Sql sql = dialect.planned("SELECT job_id, queue, job_key FROM " + dialect.alongIds("pawl_keyed")
                + " WHERE job_id > ? ORDER BY job_id LIMIT " + MAX);
        sql.on(connection, after)
                .each(rows ->
                        blocked.add(new Blocked(rows.getLong(1), new JobKey(rows.getString(2), rows.getString(3)))));
        return blocked;
    }

    /**
     * Steps from key to key through the index, and reads a few rows of each key, however many jobs are blocked. That is enough, because the
     * first job of a line is due if any of its jobs is. ORDER BY names all columns of the index, because MySQL does not treat the key of an
     * outer row as a constant, and would otherwise sort all entries of the key.
     */
    Ready ready(Connection connection, String queue, String after, KeyRows.Terms terms) throws SQLException {
        Dialect.Steps steps = dialect.steps(
                KeyLines.table(dialect), "released, queue", "job_key", "released = 0 AND queue = ?", STEPS);
        String sql = """
                SELECT step.job_key,
                       CASE WHEN (SELECT p.available_at FROM %s
                                   WHERE p.queue = ? AND p.job_key = step.job_key AND p.released = 0
                                   ORDER BY p.released, p.queue, p.job_key, p.available_at, p.priority, p.job_id LIMIT 1) <= %s
                             AND COALESCE((SELECT h.paused_until FROM pawl_key h
                                            WHERE h.queue = ? AND h.job_key = step.job_key), 0) <= %s + %s
                             %s
                            THEN 1 ELSE 0 END,
                       (SELECT COUNT(*) FROM %s JOIN %s ON j.id = r.job_id
                         WHERE r.queue = ? AND r.job_key = step.job_key AND r.released = 1 AND j.%s %s),
                       (SELECT u.in_flight FROM pawl_key u WHERE u.queue = ? AND u.job_key = step.job_key)
                  FROM (%s) step ORDER BY step.job_key
                """.formatted(
                        line("p"),
                        now,
                        now,
                        SOON,
                        terms.rate() == null ? "" : mayStartSoon(terms.rate()),
                        line("r"),
                        dialect.jobsById().replaceFirst("pawl_job", "pawl_job j"),
                        dialect.isLive(),
                        !terms.ordered()
                                ? "AND (j." + dialect.runs() + " OR j." + dialect.isClaimable()
                                        + " AND j.available_at <= " + dialect.now() + ")"
                                : "",
                        steps.sql());
        Map<String, Integer> capacities = new LinkedHashMap<>();
        Map<String, List<Long>> named = new HashMap<>();
        String last = null;
        int seen = 0;
        try (PreparedStatement statement = dialect.planned(connection, dialect.sql(sql))) {
            int index = 1;
            statement.setString(index++, queue);
            statement.setString(index++, queue);
            if (terms.rate() != null) {
                statement.setString(index++, queue);
            }
            statement.setString(index++, queue);
            statement.setString(index++, queue);
            statement.setString(index++, queue);
            statement.setString(index++, after);
            if (steps.again()) {
                statement.setString(index, queue);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    last = rows.getString(1);
                    seen++;
                    int free = terms.most() - rows.getInt(3);
                    if (rows.getInt(2) == 1 && free > 0) {
                        List<Long> ids = InFlight.ids(rows.getString(4));
                        capacities.put(last, free);
                        if (ids.size() >= free) { // it matters how many of them are in flight
                            named.put(last, ids);
                        }
                    }
                }
            }
        }
        Map<String, Integer> counts = inFlight.count(connection, queue, named, terms.ordered());
        List<JobKey> keys = capacities.entrySet().stream()
                .filter(each -> each.getValue() > counts.getOrDefault(each.getKey(), 0))
                .map(each -> new JobKey(queue, each.getKey()))
                .toList();
        return new Ready(keys, seen < STEPS ? null : last);
    }

    /** Names the index, so that even misleading statistics do not make the server read the jobs or the entries of all keys. */
    private String line(String alias) {
        return KeyLines.table(dialect).replaceFirst("pawl_keyed", "pawl_keyed " + alias);
    }

    /** Ignores a next start that is further away than this rate can have set it, because a former, slower rate has set it. */
    private String mayStartSoon(Rate rate) {
        return """
                AND COALESCE((SELECT CASE WHEN k.next_start_at > %1$s + %2$s
                                           AND k.next_start_at <= %1$s + CASE WHEN k.cost_backlog IS NULL THEN %3$s ELSE %4$s END
                                          THEN 0 ELSE 1 END
                                FROM pawl_key k WHERE k.queue = ? AND k.job_key = step.job_key), 1) = 1
                """.formatted(now, SOON, Bucket.furthest(rate, false), Bucket.furthest(rate, true));
    }

    /** {@return keys with jobs whose end was not noted, because of a crash or a change by hand} */
    List<JobKey> ended(Connection connection, String queue) throws SQLException {
        String sql = "SELECT DISTINCT queue, job_key FROM " + KeyLines.table(dialect)
                + " WHERE released = 1 AND queue = ?"
                + " AND NOT EXISTS (SELECT 1 FROM pawl_job j WHERE j.id = job_id AND j." + dialect.isLive() + ") LIMIT "
                + MAX;
        Set<JobKey> keys = new LinkedHashSet<>();
        on(connection, sql, queue).each(rows -> keys.add(new JobKey(rows.getString(1), rows.getString(2))));
        String after = "";
        Map<String, List<Long>> some;
        do {
            some = inFlight.of(connection, queue, after, MAX);
            for (String key : some.keySet()) {
                after = key;
            }
            inFlight.ended(connection, queue, some).forEach(key -> keys.add(new JobKey(queue, key)));
        } while (some.size() == MAX && keys.size() < MAX);
        return List.copyOf(keys);
    }

    private Sql.Bound on(Connection connection, String sql, @Nullable Object... values) {
        return dialect.planned(sql).on(connection, values);
    }
}
