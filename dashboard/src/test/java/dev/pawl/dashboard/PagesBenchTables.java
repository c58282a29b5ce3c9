package dev.pawl.dashboard;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Writes the jobs, failed attempts and samples of {@link PagesBench} in batches of a hundred thousand. */
final class PagesBenchTables {
    private static final long CHUNK = 100_000;
    private static final String PAYLOAD = "{\"to\":\"ada@example.com\",\"subject\":\"" + "x".repeat(120) + "\"}";

    private final boolean isPostgres;
    private final long finished;
    private final long waiting;
    private final boolean lanes;

    /**
     * @param isPostgres whether it is PostgreSQL; otherwise MariaDB
     * @param finished number of finished jobs
     * @param waiting number of waiting jobs
     * @param lanes whether the jobs are in lanes
     */
    PagesBenchTables(boolean isPostgres, long finished, long waiting, boolean lanes) {
        this.isPostgres = isPostgres;
        this.finished = finished;
        this.waiting = waiting;
        this.lanes = lanes;
    }

    void fill(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            if (lanes) {
                statement.executeUpdate("DELETE FROM pawl_lane WHERE queue IN ('default', 'mail')");
                statement.executeUpdate("INSERT INTO pawl_lane (queue, priority) VALUES ('default', 0)");
                statement.executeUpdate("INSERT INTO pawl_lane (queue, priority) VALUES ('mail', 0)");
            }
            for (long from = 1; from <= finished; from += CHUNK) {
                long to = Math.min(finished, from + CHUNK - 1);
                String at = isPostgres
                        ? "now() - (" + finished + " - n) * interval '10 milliseconds'"
                        : "UTC_TIMESTAMP(6) - INTERVAL (" + finished + " - n) * 10000 MICROSECOND";
                String failed = " FROM " + numbers(from, to) + " WHERE n % 100 = 0";
                if (lanes) {
                    inLane(statement, from, to, at);
                    range(statement, from, to, at);
                }
                statement.executeUpdate(
                        "INSERT INTO pawl_job_history (id, lease_token, created_at, available_at, started_at,"
                                + " finished_at, state, priority, attempt, max_attempts, queue, kind, payload) SELECT n, 1, "
                                + at + ", " + at + ", " + at + ", " + at
                                + ", CASE WHEN n % 100 = 0 THEN 4 ELSE 2 END, 0, 1, 5,"
                                + " CASE WHEN n % 3 = 0 THEN 'mail' ELSE 'default' END, 'mail.send', '" + PAYLOAD + "'"
                                + (lanes ? failed : " FROM " + numbers(from, to)));
                statement.executeUpdate(
                        "INSERT INTO pawl_attempt (job_id, lease_token, attempt, failed_at, error) SELECT n, 1, 1, "
                                + at + ", 'java.lang.IllegalStateException: the post office is closed'" + failed);
            }
            for (long from = finished + 1; from <= finished + waiting; from += CHUNK) {
                long to = Math.min(finished + waiting, from + CHUNK - 1);
                String at = isPostgres ? "now()" : "UTC_TIMESTAMP(6)";
                if (lanes) {
                    inLane(statement, from, to, at);
                } else {
                    statement.executeUpdate(
                            "INSERT INTO pawl_job (id, created_at, available_at, max_attempts, queue, kind, payload)"
                                    + " SELECT n, " + at + ", " + at
                                    + ", 5, CASE WHEN n % 3 = 0 THEN 'mail' ELSE 'default' END,"
                                    + " 'mail.send', '" + PAYLOAD + "' FROM " + numbers(from, to));
                }
            }
            samples(connection);
            if (isPostgres) {
                statement.execute("SELECT setval('pawl_job_ids', " + (finished + waiting + 1) + ")");
                statement.execute("VACUUM ANALYZE");
            } else {
                statement.execute("ALTER TABLE pawl_lane_job AUTO_INCREMENT = " + (finished + waiting + 1));
                statement.execute(
                        "ANALYZE TABLE pawl_job, pawl_job_history, pawl_attempt, pawl_lane_job, pawl_lane_range");
            }
        }
    }

    /** Samples of eight days with a hundred queues and twenty kinds. */
    static void samples(Connection connection) throws SQLException {
        long now = System.currentTimeMillis() * 1_000;
        String sql = "INSERT INTO pawl_sample (resolution, taken_at, span, stats) VALUES (?, ?, ?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int step = 0; step < 2; step++) {
                long span = step == 0 ? 10_000_000L : 300_000_000L;
                int samples = step == 0 ? 1_080 : 2_304;
                for (int i = samples; i > 0; i--) {
                    statement.setInt(1, step);
                    statement.setTimestamp(2, Timestamp.from(Instant.EPOCH.plus(now - i * span, ChronoUnit.MICROS)));
                    statement.setLong(3, span);
                    statement.setString(4, stats(i));
                    statement.addBatch();
                }
                int[] unused = statement.executeBatch();
            }
        }
    }

    private static String stats(int i) {
        StringBuilder stats = new StringBuilder("{\"queues\":{");
        for (int queue = 0; queue < 100; queue++) {
            String name = queue == 0 ? "default" : queue == 1 ? "mail" : "queue-" + queue;
            stats.append(queue == 0 ? "\"" : ",\"").append(name).append("\":{\"available\":");
            stats.append(1_000 + i % 100)
                    .append(",\"delayed\":12,\"retrying\":3,\"running\":20,\"oldest_ms\":90000,\"completed\":")
                    .append(500 + queue)
                    .append(i % 50 == 0 ? ",\"discarded\":1}" : "}");
        }
        stats.append("},\"runs\":{");
        for (int kind = 0; kind < 20; kind++) {
            stats.append(kind == 0 ? "\"kind-" : ",\"kind-").append(kind);
            stats.append("\":{\"2098\":4,\"3146\":52,\"4195\":360,\"6292\":108,\"8389\":3,\"16778\":2,\"25166\":46}");
        }
        return stats.append("}}").toString();
    }

    /**
     * Writes each thousand of consecutive ids to one lane, except every hundredth id. Finished jobs with such an id have failed, so they
     * are in the history.
     */
    private void inLane(Statement statement, long from, long to, String at) throws SQLException {
        statement.executeUpdate("INSERT INTO pawl_lane_job (lane, id, created_at, max_attempts, kind, payload) SELECT "
                + lane() + ", n, " + at + ", 5, 'mail.send', '" + PAYLOAD + "' FROM "
                + numbers(from, to) + " WHERE n % 100 <> 0");
    }

    /** Writes a range for each thousand. */
    private void range(Statement statement, long from, long to, String at) throws SQLException {
        statement.executeUpdate(
                "INSERT INTO pawl_lane_range (lane, starts_after, last_id, jobs, leased_by, ahead, claimed_at, finished_at,"
                        + " completed, moved_count) SELECT " + lane() + ", n - 1, n + 999, 1000, 1, FALSE, " + at
                        + ", " + at + ", 990, 10 FROM " + numbers(from, to) + " WHERE n % 1000 = 1");
    }

    private String lane() {
        String thousand = isPostgres ? "((n - 1) / 1000)" : "((n - 1) DIV 1000)";
        return "(SELECT id FROM pawl_lane WHERE priority = 0 AND queue = CASE WHEN " + thousand
                + " % 3 = 0 THEN 'mail' ELSE 'default' END)";
    }

    private String numbers(long from, long to) {
        return isPostgres
                ? "generate_series(" + from + ", " + to + ") AS s(n)"
                : "(SELECT seq + " + from + " - 1 AS n FROM seq_1_to_" + (to - from + 1) + ") s";
    }
}
