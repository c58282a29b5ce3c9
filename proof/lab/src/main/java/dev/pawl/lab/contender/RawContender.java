package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/** A handwritten queue over raw JDBC: the performance of row claims in the database itself. */
final class RawContender implements Contender {
    private static final int BATCH = 500;
    private static final int INSERT_BATCH = 1000;

    private static final long IDLE_MILLIS = 5;

    private final Setup setup;
    private final HikariDataSource pool;
    private final RawSql sql;
    private final boolean answersUpdates;
    private final int threads;
    private final int batch;

    RawContender(Setup setup) throws SQLException {
        this.setup = setup;
        this.pool = setup.scratch().pool(8);
        String dialect = setup.scratch().dialect();
        this.sql = setup.system().equals("raw") ? RawSql.of(dialect) : RawSql.ofPawlTable(dialect);
        this.answersUpdates = sql.update().isEmpty();
        this.threads = dialect.equals("sqlite") ? 1 : 4;
        this.batch = setup.batch() == 0 ? BATCH : setup.batch();
        create();
    }

    @Override
    public String settings() {
        return "statements by hand over raw JDBC: claim " + batch + " rows, run them, delete them; " + threads
                + (threads == 1 ? " thread" : " threads") + ", "
                + (sql.create().isEmpty() ? "Pawl's own table" : "a table of seven columns and one index")
                + "; no leases that expire, retries, history or fence";
    }

    private void create() throws SQLException {
        if (sql.create().isEmpty()) {
            JobQueue.builder(pool).tablePrefix("raw_pawl_").open().close();
        }
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String create : sql.create()) {
                statement.execute(create);
            }
        }
    }

    @Override
    public void enqueue(int from, int to) throws SQLException {
        int rows = Math.min(INSERT_BATCH, to - from);
        String insert = "INSERT INTO " + sql.table() + " " + sql.columns() + " VALUES "
                + Collections.nCopies(rows, sql.values()).stream().collect(Collectors.joining(", "));
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(insert)) {
            int next = from;
            for (; next + rows <= to; next += rows) {
                for (int i = 0; i < rows; i++) {
                    statement.setString(i + 1, setup.payload(next + i));
                }
                statement.executeUpdate();
            }
            if (next < to) {
                enqueue(next, to);
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
            connection.setTransactionIsolation(
                    answersUpdates ? connection.getTransactionIsolation() : Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            while (!stop.get()) {
                Map<Long, Integer> jobs = retrying(connection, () -> claim(connection));
                if (jobs.isEmpty()) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
                    continue;
                }
                for (int job : jobs.values()) {
                    handler.run(job);
                }
                retrying(connection, () -> delete(connection, List.copyOf(jobs.keySet())));
                jobs.values().forEach(handler::done);
            }
            connection.setAutoCommit(true);
        }
    }

    @Override
    public long unfinished() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + sql.table())) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    private interface Step<T> {
        T run() throws SQLException;
    }

    /** A claim that moves index entries can deadlock with another claim, even at READ COMMITTED. This was observed on MariaDB. */
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

    private int delete(Connection connection, List<Long> ids) throws SQLException {
        withIds(connection, "DELETE FROM " + sql.table() + " WHERE id IN ", ids);
        return ids.size();
    }

    private Map<Long, Integer> claim(Connection connection) throws SQLException {
        Map<Long, Integer> jobs = new LinkedHashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql.select())) {
            statement.setInt(1, batch);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    jobs.put(rows.getLong(1), Setup.number(rows.getString(2)));
                }
            }
        }
        if (!jobs.isEmpty() && !answersUpdates) {
            withIds(connection, sql.update(), List.copyOf(jobs.keySet()));
        }
        return jobs;
    }

    private static void withIds(Connection connection, String head, List<Long> ids) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(head + "(" + "?,".repeat(ids.size() - 1) + "?)")) {
            for (int i = 0; i < ids.size(); i++) {
                statement.setLong(i + 1, ids.get(i));
            }
            statement.executeUpdate();
        }
    }
}
