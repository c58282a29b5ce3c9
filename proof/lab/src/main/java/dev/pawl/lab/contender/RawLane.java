package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A handwritten lane over raw JDBC: an upper bound for Pawl's lanes. Jobs are only appended. To claim a batch, one row is inserted, and one
 * update of that row completes the batch.
 */
final class RawLane implements Contender {
    private static final int BATCH = 1000;
    private static final long IDLE_MILLIS = 5;

    private final Setup setup;
    private final HikariDataSource pool;
    private final String product;
    private final int threads;
    private final int batch;

    RawLane(Setup setup) throws SQLException {
        this.setup = setup;
        this.pool = setup.scratch().pool(8);
        this.product = setup.scratch().dialect();
        this.threads = product.equals("sqlite") ? 1 : 2;
        this.batch = setup.batch() == 0 ? BATCH : setup.batch();
        create();
    }

    @Override
    public String settings() {
        return "a lane by hand over raw JDBC: " + batch + " jobs a claim, " + threads
                + (threads == 1 ? " thread" : " threads")
                + "; no rescue, retries or late commits; the log is the history";
    }

    private void create() throws SQLException {
        String id = switch (product) {
            case "postgresql" -> "bigint GENERATED ALWAYS AS IDENTITY";
            case "mysql" -> "bigint NOT NULL AUTO_INCREMENT";
            default -> "integer NOT NULL";
        };
        String more = product.equals("mysql") ? ", KEY (id)" : "";
        String tail = product.equals("sqlite") ? " WITHOUT ROWID" : "";
        String moment =
                product.equals("postgresql") ? "timestamptz" : product.equals("mysql") ? "datetime(6)" : "integer";
        String bits = product.equals("postgresql") ? "bytea" : product.equals("mysql") ? "varbinary(125)" : "blob";
        execute("CREATE TABLE raw_lane_job (lane int NOT NULL, id " + id + ", created_at " + moment
                + " NOT NULL, max_attempts smallint NOT NULL, kind varchar(100) NOT NULL, tags varchar(200), payload "
                + "text NOT NULL, PRIMARY KEY (lane, id)" + more + ")" + tail);
        execute(
                "CREATE TABLE raw_lane_range (lane int NOT NULL, after_id bigint NOT NULL, last_id bigint NOT NULL, jobs"
                        + " int NOT NULL, leased_by bigint NOT NULL, claimed_at " + moment
                        + " NOT NULL, lease_expires_at " + moment
                        + ", finished_at " + moment + ", done " + bits + ", PRIMARY KEY (lane, after_id))" + tail);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String now() {
        return switch (product) {
            case "postgresql" -> "statement_timestamp()";
            case "mysql" -> "UTC_TIMESTAMP(6)";
            default -> "CAST(unixepoch('subsec') * 1000000 AS integer)";
        };
    }

    @Override
    public void enqueue(int from, int to) throws SQLException {
        boolean own = product.equals("sqlite");
        String row = "(1, " + (own ? "?, " : "") + now() + ", 20, 'work', ?)";
        String insert =
                "INSERT INTO raw_lane_job (lane, " + (own ? "id, " : "") + "created_at, max_attempts, kind, payload) ";
        try (Connection connection = pool.getConnection()) {
            for (int next = from; next < to; next += BATCH) {
                int rows = Math.min(BATCH, to - next);
                if (product.equals("postgresql")) {
                    appendArray(
                            connection,
                            insert + "SELECT 1, " + now() + ", 20, 'work', p FROM unnest(?::text[]) p",
                            next,
                            rows);
                } else {
                    append(connection, insert + "VALUES " + (row + ", ").repeat(rows - 1) + row, next, rows, own);
                }
            }
        }
    }

    private void appendArray(Connection connection, String sql, int from, int rows) throws SQLException {
        Object[] payloads = new Object[rows];
        for (int i = 0; i < rows; i++) {
            payloads[i] = setup.payload(from + i);
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setArray(1, connection.createArrayOf("text", payloads));
            statement.executeUpdate();
        }
    }

    private void append(Connection connection, String sql, int from, int rows, boolean ownIds) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int index = 1;
            for (int i = 0; i < rows; i++) {
                if (ownIds) {
                    statement.setLong(index++, from + i + 1L);
                }
                statement.setString(index++, setup.payload(from + i));
            }
            statement.executeUpdate();
        }
    }

    @Override
    public Running start(Handler handler) {
        Threads running = new Threads(threads, stop -> work(handler, stop));
        return running::close;
    }

    private void work(Handler handler, AtomicBoolean stop) throws Exception {
        try (Connection connection = pool.getConnection()) {
            if (product.equals("mysql")) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            while (!stop.get()) {
                List<Integer> jobs = new ArrayList<>(batch);
                Long after = claim(connection, jobs);
                if (after == null) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
                    continue;
                }
                for (int job : jobs) {
                    handler.run(job);
                }
                complete(connection, after, jobs.size());
                jobs.forEach(handler::done);
            }
        }
    }

    /** Returns null if there were no jobs, or another worker claimed first. */
    private @Nullable Long claim(Connection connection, List<Integer> jobs) throws SQLException {
        String end = "COALESCE((SELECT last_id FROM raw_lane_range WHERE lane = 1 ORDER BY after_id DESC LIMIT 1), 0)";
        String rows = product.equals("postgresql")
                ? "(lane, id) > (1, " + end + ") AND (lane, id) < (2, 0)"
                : "lane = 1 AND id > " + end;
        String hint = product.equals("mysql") ? " FORCE INDEX (PRIMARY)" : "";
        String limit = product.equals("postgresql") ? "(SELECT CAST(? AS bigint))" : "?";
        long after = 0;
        long last = 0;
        try (PreparedStatement statement = connection.prepareStatement("SELECT id, payload, " + end
                + " FROM raw_lane_job" + hint + " WHERE " + rows + " ORDER BY lane, id LIMIT " + limit)) {
            statement.setInt(1, batch);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    last = row.getLong(1);
                    jobs.add(Setup.number(row.getString(2)));
                    after = row.getLong(3);
                }
            }
        }
        return jobs.isEmpty() || !insert(connection, after, last, jobs.size()) ? null : (Long) after;
    }

    private boolean insert(Connection connection, long after, long last, int jobs) throws SQLException {
        String lease = switch (product) {
            case "postgresql" -> now() + " + interval '20 s'";
            case "mysql" -> now() + " + INTERVAL 20 SECOND";
            default -> now() + " + 20000000";
        };
        try (PreparedStatement statement =
                connection.prepareStatement("INSERT INTO raw_lane_range (lane, after_id, last_id,"
                        + " jobs, leased_by, claimed_at, lease_expires_at) VALUES (1, ?, ?, ?, 7, " + now() + ", "
                        + lease + ")")) {
            statement.setLong(1, after);
            statement.setLong(2, last);
            statement.setInt(3, jobs);
            return statement.executeUpdate() == 1;
        } catch (SQLIntegrityConstraintViolationException faster) {
            return false;
        } catch (SQLException e) {
            if ("23505".equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private void complete(Connection connection, long after, int jobs) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("UPDATE raw_lane_range SET done = ?, finished_at = " + now()
                        + ", lease_expires_at = NULL WHERE lane = 1 AND after_id = ? AND leased_by = 7")) {
            statement.setBytes(1, new byte[(jobs + 7) / 8]);
            statement.setLong(2, after);
            if (statement.executeUpdate() != 1) {
                throw new IllegalStateException("the range after " + after + " is gone");
            }
        }
    }

    @Override
    public long unfinished() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT (SELECT COUNT(*) FROM raw_lane_job)"
                        + " - (SELECT COALESCE(SUM(jobs), 0) FROM raw_lane_range WHERE lease_expires_at IS NULL)")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
