package dev.pawl.lab;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** A queue by hand over raw JDBC: the measure of what the database itself can do with row claims. */
final class RawContender implements Contender {
    private static final int BATCH = 500;
    private static final int INSERT_BATCH = 1000;

    private final HikariDataSource pool;
    private final RawSql sql;
    private final boolean answersUpdates;
    private final int threads;

    RawContender(HikariDataSource pool, String product, RawSql sql) {
        this.pool = pool;
        this.sql = sql;
        this.answersUpdates = sql.update().isEmpty();
        this.threads = product.equals("sqlite") ? 1 : 4;
    }

    @Override
    public String name() {
        return "raw JDBC row claim, " + threads + (threads == 1 ? " thread" : " threads")
                + (sql.create().isEmpty() ? ", Pawl's table" : ", bare table");
    }

    @Override
    public void reset() throws SQLException {
        if (sql.create().isEmpty()) {
            JobQueue.builder(pool).tablePrefix("raw_pawl_").open();
        }
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute((sql.create().isEmpty() ? "DELETE FROM " : "DROP TABLE IF EXISTS ") + sql.table());
            for (String create : sql.create()) {
                statement.execute(create);
            }
        }
    }

    @Override
    public void enqueue(int jobs) throws SQLException {
        String insert = "INSERT INTO " + sql.table() + " " + sql.columns() + " VALUES "
                + java.util.Collections.nCopies(INSERT_BATCH, sql.values()).stream()
                        .collect(Collectors.joining(", "));
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(insert)) {
            for (int done = 0; done < jobs; done += INSERT_BATCH) {
                for (int i = 0; i < INSERT_BATCH; i++) {
                    statement.setString(i + 1, PawlContender.payload(done + i));
                }
                statement.executeUpdate();
            }
        }
    }

    @Override
    public void drain(int jobs) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Integer>> drained = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                drained.add(workers.submit(this::work));
            }
            int sum = 0;
            for (Future<Integer> one : drained) {
                sum += one.get();
            }
            if (sum != jobs) {
                throw new IllegalStateException("drained " + sum + " of " + jobs);
            }
        } finally {
            workers.shutdownNow();
        }
    }

    private int work() throws SQLException {
        int sum = 0;
        try (Connection connection = pool.getConnection()) {
            connection.setTransactionIsolation(
                    answersUpdates ? connection.getTransactionIsolation() : Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            while (true) {
                List<Long> ids = retrying(connection, () -> claim(connection));
                if (ids.isEmpty()) {
                    break;
                }
                sum += ids.size();
                retrying(connection, () -> delete(connection, ids));
            }
            connection.setAutoCommit(true);
        }
        return sum;
    }

    private interface Step<T> {
        T run() throws SQLException;
    }

    /** A claim that moves index entries can deadlock with another, also at READ COMMITTED: seen on MariaDB. */
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

    private List<Long> claim(Connection connection) throws SQLException {
        List<Long> ids = new ArrayList<>(BATCH);
        try (PreparedStatement statement = connection.prepareStatement(sql.select())) {
            statement.setInt(1, BATCH);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                    if (rows.getString(2).isEmpty()) {
                        throw new IllegalStateException("an empty payload");
                    }
                }
            }
        }
        if (!ids.isEmpty() && !answersUpdates) {
            withIds(connection, sql.update(), ids);
        }
        return ids;
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
