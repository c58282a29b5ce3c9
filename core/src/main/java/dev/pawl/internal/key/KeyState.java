package dev.pawl.internal.key;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.limit.Pause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The things for which a blocked job waits within its concurrency key. Reads a bounded number of rows.
 *
 * @param pause the pause of the key; null for none. Also given after its time, while jobs are released one at a time until one of them has
 *     ended
 * @param nextStart when the key's rate allows the next start, if that is in the future; null otherwise
 * @param inFlight jobs of the key that are released, by their ids
 * @param before the ids of the jobs before the blocked job in the line of the key, in order, at most {@link #MAX}
 */
public record KeyState(@Nullable Pause pause, @Nullable Instant nextStart, List<Long> inFlight, List<Long> before) {
    /** Maximum number of ids in {@code before}. */
    public static final int MAX = 1_000;

    /** Copies the lists. */
    public KeyState {
        inFlight = List.copyOf(inFlight);
        before = List.copyOf(before);
    }

    /**
     * {@return the state of a blocked job within its key}
     *
     * @param connection to read with
     * @param dialect the product
     * @param queue of the job
     * @param key of the job
     * @param jobId of a blocked job
     * @throws SQLException from the driver
     */
    public static KeyState read(Connection connection, Dialect dialect, String queue, String key, long jobId)
            throws SQLException {
        String now = dialect.micros(dialect.now());
        String keySql = dialect.sql("SELECT paused_until, failures, reason, next_start_at, in_flight, " + now
                + " FROM pawl_key WHERE queue = ? AND job_key = ?");
        Pause pause = null;
        Instant nextStart = null;
        List<Long> released = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(keySql)) {
            statement.setString(1, queue);
            statement.setString(2, key);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    long held = row.getLong(1);
                    String reason = row.getString(3);
                    long readAt = row.getLong(6);
                    pause = held > 0
                            ? new Pause(moment(held), held <= readAt, row.getInt(2), reason == null ? "" : reason)
                            : null;
                    nextStart = row.getLong(4) > readAt ? moment(row.getLong(4)) : null;
                    released.addAll(InFlight.ids(row.getString(5)));
                }
            }
        }
        String keyed = "SELECT job_id FROM pawl_keyed WHERE queue = ? AND job_key = ? AND released = ";
        released.addAll(dialect.statement(keyed + "1 LIMIT " + MAX)
                .on(connection, queue, key)
                .longs());
        List<Long> live = new InFlight(dialect)
                .read(connection, queue, Map.of(key, released)).stream()
                        .filter(KeyRows.ReleasedJob::isLive)
                        .map(KeyRows.ReleasedJob::id)
                        .distinct()
                        .toList();
        List<Long> line = dialect.statement(keyed + "0 ORDER BY available_at, priority, job_id LIMIT " + MAX)
                .on(connection, queue, key)
                .longs();
        int position = line.indexOf(jobId);
        return new KeyState(
                pause,
                nextStart,
                live,
                position < 0 ? (line.size() < MAX ? Collections.emptyList() : line) : line.subList(0, position));
    }

    private static Instant moment(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
