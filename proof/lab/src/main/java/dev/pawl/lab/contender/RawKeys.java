package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * A handwritten queue with keys: one job of each key runs at a time, in the order of ids. An upper bound for Pawl's strict keys. A job
 * behind another one of its key is blocked; the transaction that deletes a finished job makes the next one ready.
 */
final class RawKeys implements Contender {
    private static final int BATCH = 500;
    private static final int INSERT_BATCH = 1_000;
    private static final long IDLE_MILLIS = 5;

    private final Setup setup;
    private final HikariDataSource pool;
    private final Statements sql;
    private final int threads;
    private final int batch;

    RawKeys(Setup setup) throws SQLException {
        this.setup = setup;
        this.pool = setup.scratch().pool(8);
        String product = setup.scratch().dialect();
        this.sql = Statements.of(product);
        this.threads = product.equals("sqlite") ? 1 : 4;
        this.batch = setup.batch() == 0 ? BATCH : setup.batch();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String each : sql.create) {
                statement.execute(each);
            }
        }
    }

    /**
     * @param create the table and its indexes
     * @param claim selects ids, keys and payloads of ready jobs, and locks or marks these jobs
     * @param mark marks the claimed jobs, whose ids are appended; empty if the claim marks them
     * @param release makes the first blocked jobs of some keys ready; the list of keys is inserted
     */
    private record Statements(List<String> create, String claim, String mark, String release) {
        private static Statements of(String product) {
            return switch (product) {
                case "postgresql" ->
                    new Statements(
                            List.of(
                                    "CREATE TABLE raw_keyed (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                                            + " state smallint NOT NULL, name text NOT NULL, payload text NOT NULL)",
                                    "CREATE INDEX raw_keyed_ready ON raw_keyed (id) WHERE state = 0",
                                    "CREATE INDEX raw_keyed_blocked ON raw_keyed (name, id) WHERE state = 2"),
                            """
                            UPDATE raw_keyed SET state = 1
                             WHERE id = ANY (ARRAY(SELECT id FROM raw_keyed WHERE state = 0 ORDER BY id LIMIT ?
                                                      FOR UPDATE SKIP LOCKED))
                            RETURNING id, name, payload
                            """,
                            "",
                            """
                            UPDATE raw_keyed SET state = 0
                             WHERE id = ANY (ARRAY(SELECT (SELECT b.id FROM raw_keyed b WHERE b.state = 2 AND b.name = k.name
                                                             ORDER BY b.id LIMIT 1)
                                                     FROM unnest(ARRAY[%s]) AS k (name)))
                            """);
                case "sqlite" ->
                    new Statements(
                            List.of(
                                    "PRAGMA journal_mode = WAL",
                                    "CREATE TABLE raw_keyed (id integer PRIMARY KEY AUTOINCREMENT, state int NOT NULL,"
                                            + " name text NOT NULL, payload text NOT NULL)",
                                    "CREATE INDEX raw_keyed_ready ON raw_keyed (id) WHERE state = 0",
                                    "CREATE INDEX raw_keyed_blocked ON raw_keyed (name, id) WHERE state = 2"),
                            """
                            UPDATE raw_keyed SET state = 1
                             WHERE id IN (SELECT id FROM raw_keyed WHERE state = 0 ORDER BY id LIMIT ?)
                            RETURNING id, name, payload
                            """,
                            "",
                            "UPDATE raw_keyed SET state = 0 WHERE id IN"
                                    + " (SELECT MIN(id) FROM raw_keyed WHERE state = 2 AND name IN (%s) GROUP BY name)");
                default ->
                    new Statements(
                            List.of(
                                    "CREATE TABLE raw_keyed (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, state smallint"
                                            + " NOT NULL, name varchar(100) NOT NULL, payload text NOT NULL,"
                                            + " KEY raw_keyed_ready (state, id), KEY raw_keyed_blocked (name, state, id))"),
                            "SELECT id, name, payload FROM raw_keyed FORCE INDEX (raw_keyed_ready) WHERE state = 0"
                                    + " ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED",
                            "UPDATE raw_keyed SET state = 1 WHERE id IN ",
                            """
                            UPDATE raw_keyed j JOIN (SELECT MIN(id) AS id FROM raw_keyed FORCE INDEX (raw_keyed_blocked)
                                                      WHERE name IN (%s) AND state = 2 GROUP BY name) AS first USING (id)
                               SET j.state = 0
                            """);
            };
        }
    }

    /** A claimed job. */
    private record Claimed(long id, String key, int number) {}

    @Override
    public String settings() {
        return "statements by hand over raw JDBC, with " + PawlContender.STRICT_KEYS + " keys: claim " + batch
                + " rows, run them, delete them and make the next job of each key ready; " + threads
                + (threads == 1 ? " thread" : " threads") + "; no leases, retries, history or fence";
    }

    /** Makes the first job of each key ready and blocks the others. This assumes that no job runs while jobs are enqueued. */
    @Override
    public void enqueue(int from, int to) throws SQLException {
        int rows = Math.min(INSERT_BATCH, to - from);
        String insert = "INSERT INTO raw_keyed (state, name, payload) VALUES "
                + Collections.nCopies(rows, "(?, ?, ?)").stream().collect(Collectors.joining(", "));
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(insert)) {
            for (int next = from; next < to; next += rows) {
                if (to - next < rows) {
                    enqueue(next, to);
                    return;
                }
                int parameter = 1;
                for (int i = next; i < next + rows; i++) {
                    statement.setInt(parameter++, i < PawlContender.STRICT_KEYS ? 0 : 2);
                    statement.setString(parameter++, "key " + i % PawlContender.STRICT_KEYS);
                    statement.setString(parameter++, setup.payload(i));
                }
                statement.executeUpdate();
            }
        }
    }

    @Override
    public Running start(Handler handler) {
        Threads running = new Threads(threads, stop -> work(handler, stop));
        return running::close;
    }

    private void work(Handler handler, AtomicBoolean stop) throws Exception {
        try (Connection connection = pool.getConnection()) {
            if (!sql.mark.isEmpty()) {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            connection.setAutoCommit(false);
            while (!stop.get()) {
                List<Claimed> jobs = retrying(connection, () -> claim(connection));
                if (jobs.isEmpty()) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
                    continue;
                }
                for (Claimed job : jobs) {
                    handler.run(job.number);
                }
                int unused = retrying(connection, () -> finish(connection, jobs));
                jobs.forEach(job -> handler.done(job.number));
            }
            connection.setAutoCommit(true);
        }
    }

    private List<Claimed> claim(Connection connection) throws SQLException {
        List<Claimed> jobs = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql.claim)) {
            statement.setInt(1, batch);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    jobs.add(new Claimed(rows.getLong(1), rows.getString(2), Setup.number(rows.getString(3))));
                }
            }
        }
        if (!jobs.isEmpty() && !sql.mark.isEmpty()) {
            run(connection, sql.mark + "(%s)", jobs.stream().map(Claimed::id).toList());
        }
        return jobs;
    }

    private int finish(Connection connection, List<Claimed> jobs) throws SQLException {
        run(
                connection,
                "DELETE FROM raw_keyed WHERE id IN (%s)",
                jobs.stream().map(Claimed::id).toList());
        run(connection, sql.release, jobs.stream().map(Claimed::key).toList());
        return jobs.size();
    }

    private static void run(Connection connection, String template, Collection<?> values) throws SQLException {
        String places = String.join(", ", Collections.nCopies(values.size(), "?"));
        try (PreparedStatement statement = connection.prepareStatement(template.replace("%s", places))) {
            int parameter = 1;
            for (Object value : values) {
                statement.setObject(parameter++, value);
            }
            statement.executeUpdate();
        }
    }

    private interface Step<T> {
        T run() throws SQLException;
    }

    /** On MySQL and MariaDB, transactions that change an index can deadlock. */
    private static <T> T retrying(Connection connection, Step<T> step) throws SQLException {
        while (true) {
            try {
                T answer = step.run();
                connection.commit();
                return answer;
            } catch (SQLTransactionRollbackException deadlock) {
                connection.rollback();
            }
        }
    }

    @Override
    public long unfinished() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM raw_keyed")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
