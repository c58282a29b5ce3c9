package dev.pawl.internal.admin;

import dev.pawl.JobState;
import dev.pawl.admin.FailureGroup;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Groups the failed attempts of the newest jobs by their causes. */
final class FailureGroups {
    private static final int MOST_ATTEMPTS = 10_000;
    /** Of an error: its first lines tell the cause. */
    private static final int BEGINNING = 1_500;

    private final Dialect dialect;

    FailureGroups(Dialect dialect) {
        this.dialect = dialect;
    }

    /** A failed attempt, and the job that it belongs to, as it is now. */
    private record Attempt(
            long job, long token, Instant failedAt, String error, String kind, String queue, JobState state) {}

    /** What failed attempts have in common. */
    private record Key(String kind, Cause cause) {}

    List<FailureGroup> list(Connection connection, @Nullable String queue, @Nullable String kind) throws SQLException {
        Map<List<Long>, Attempt> attempts = new LinkedHashMap<>();
        // Live jobs first: one that finishes between the two reads is then found in the history.
        for (String table : new String[] {"pawl_job", "pawl_job_history"}) {
            for (Attempt attempt : attempts(connection, table, queue, kind)) {
                attempts.put(List.of(attempt.job, attempt.token), attempt);
            }
        }
        Map<Key, List<Attempt>> groups = new LinkedHashMap<>();
        for (Attempt attempt : attempts.values()) {
            groups.computeIfAbsent(new Key(attempt.kind, Cause.of(attempt.error)), key -> new ArrayList<>())
                    .add(attempt);
        }
        List<FailureGroup> found = new ArrayList<>();
        groups.forEach((key, failed) -> found.add(group(key, failed)));
        found.sort(Comparator.comparing(FailureGroup::lastAt).reversed());
        return found;
    }

    private static FailureGroup group(Key key, List<Attempt> failed) {
        Comparator<Attempt> byTime = Comparator.comparing(Attempt::failedAt);
        Attempt last = failed.stream().max(byTime).orElseThrow();
        Attempt first = failed.stream().min(byTime).orElseThrow();
        return new FailureGroup(
                key.cause.id(key.kind),
                key.cause.text(),
                key.kind,
                last.queue,
                failed.size(),
                (int) failed.stream().map(Attempt::job).distinct().count(),
                first.failedAt,
                last.failedAt,
                last.error,
                in(failed, JobState.DISCARDED),
                in(failed, JobState.AVAILABLE));
    }

    private static List<Long> in(List<Attempt> failed, JobState state) {
        return failed.stream()
                .filter(attempt -> attempt.state == state)
                .map(Attempt::job)
                .distinct()
                .sorted()
                .toList();
    }

    private List<Attempt> attempts(Connection connection, String table, @Nullable String queue, @Nullable String kind)
            throws SQLException {
        String sql = dialect.sql("SELECT a.job_id, a.lease_token, a.failed_at, SUBSTR(a.error, 1, " + BEGINNING
                + ") AS error, j.kind, j.queue, j.state FROM pawl_attempt a JOIN " + table + " j ON j.id = a.job_id"
                + " WHERE 1 = 1" + (queue == null ? "" : " AND j.queue = ?") + (kind == null ? "" : " AND j.kind = ?")
                + " ORDER BY a.job_id DESC, a.lease_token DESC LIMIT " + MOST_ATTEMPTS);
        List<Attempt> attempts = new ArrayList<>();
        try (PreparedStatement statement = dialect.planned(connection, sql)) {
            int index = 1;
            if (queue != null) {
                statement.setString(index++, queue);
            }
            if (kind != null) {
                statement.setString(index, kind);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    attempts.add(new Attempt(
                            rows.getLong("job_id"),
                            rows.getLong("lease_token"),
                            Objects.requireNonNull(dialect.moment(rows, "failed_at")),
                            rows.getString("error"),
                            rows.getString("kind"),
                            rows.getString("queue"),
                            JobState.ofCode(rows.getInt("state"))));
                }
            }
        }
        return attempts;
    }
}
