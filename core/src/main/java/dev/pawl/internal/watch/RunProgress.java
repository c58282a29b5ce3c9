package dev.pawl.internal.watch;

import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Micros;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.RunTimes;
import dev.pawl.spi.RunLengths;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Histograms of the runs that workers have reported since the last call. They show by how much the counts of each worker have grown. The
 * counts begin at zero when the worker starts. The first call counts nothing. Reads at most the thousand newest live workers. Not
 * thread-safe.
 */
final class RunProgress {
    private static final int MAX_WORKERS = 1_000;
    /**
     * A worker whose last heartbeat is older than this has nothing new to report, and is not read.
     */
    private static final Duration HEARTBEAT_AGE = Duration.ofMinutes(2);

    private final Sql sql;
    private Map<Long, Map<String, long[]>> seen = new HashMap<>();
    /**
     * Start of the newest worker at the last call; null before the first call. All runs of workers that started later
     * are new.
     */
    private @Nullable Instant newest;

    private final Dialect dialect;

    RunProgress(Dialect dialect) {
        this.dialect = dialect;
        sql = dialect.statement("SELECT id, started_at, runs FROM pawl_worker WHERE heartbeat_at > "
                + dialect.nowPlusMicros() + " ORDER BY started_at DESC, id DESC LIMIT " + MAX_WORKERS);
    }

    /** {@return the new runs by kind} */
    List<RunLengths> count(Connection connection) throws SQLException {
        Map<Long, Map<String, long[]>> reported = new HashMap<>();
        Map<String, long[]> sums = new TreeMap<>();
        Instant last = sql.on(connection, -Micros.of(HEARTBEAT_AGE)).query(rows -> {
            Instant latest = newest == null ? Instant.EPOCH : newest;
            while (rows.next()) {
                long id = rows.getLong(1);
                Instant started = Objects.requireNonNull(dialect.moment(rows, "started_at"));
                Map<String, long[]> now = RunTimes.read(rows.getString("runs"));
                Map<String, long[]> before = seen.get(id);
                if (before != null) {
                    now.forEach((kind, counts) -> add(sums, kind, counts, before.get(kind)));
                } else if (newest != null && started.isAfter(newest)) {
                    now.forEach((kind, counts) -> add(sums, kind, counts, null));
                }
                reported.put(id, now);
                latest = started.isAfter(latest) ? started : latest;
            }
            return latest;
        });
        seen = reported;
        newest = last;
        return RunText.lengths(sums);
    }

    private static void add(Map<String, long[]> sums, String kind, long[] counts, long @Nullable [] before) {
        long[] sum = sums.computeIfAbsent(kind, name -> new long[RunTimes.BUCKETS]);
        for (int i = 0; i < sum.length; i++) {
            sum[i] += Math.max(0, counts[i] - (before == null ? 0 : before[i]));
        }
    }
}
