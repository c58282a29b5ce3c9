package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.ServerProbe;
import dev.pawl.lab.report.Formats;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Details in the same row as the state, and in a separate table. */
final class TwoTables implements Scenario {
    private static final int TASKS = 5_000;
    private static final int BATCH = 10;
    private static final int[] SIZES = {100, 1_900, 20_000};

    @Override
    public String name() {
        return "two-tables";
    }

    @Override
    public String description() {
        return "Only the task's id needs coordination: its payload may be in another table, which saves bandwidth"
                + " (002). Here 5,000 tasks are claimed in tens, read by their worker, and completed. Their payloads"
                + " fit in a row, nearly fill one, or are so large that the server stores them outside the row. Log:"
                + " bytes of the server's log for the claim and the completion of a task.";
    }

    @Override
    public Set<String> products() {
        return Set.of("postgresql", "mariadb", "mysql");
    }

    @Override
    public Result run(Scratch scratch, double scale) throws Exception {
        int tasks = Scenario.scaled(TASKS, scale, 10 * BATCH);
        List<List<String>> rows = new ArrayList<>();
        try (HikariDataSource pool = scratch.pool(2)) {
            for (int size : SIZES) {
                for (boolean apart : new boolean[] {false, true}) {
                    rows.add(drain(scratch, pool, size, apart, tasks));
                }
            }
        }
        return new Result(List.of("payload", "layout", "tasks/s", "log bytes per task"), rows);
    }

    private static List<String> drain(Scratch scratch, HikariDataSource pool, int size, boolean apart, int tasks)
            throws Exception {
        Sql.execute(
                pool,
                "DROP TABLE IF EXISTS task",
                "DROP TABLE IF EXISTS task_details",
                "CREATE TABLE task (id bigint PRIMARY KEY, status varchar(20) NOT NULL"
                        + (apart ? "" : ", details text") + ")",
                "CREATE TABLE task_details (id bigint PRIMARY KEY, details text)");
        fill(pool, size, apart, tasks);
        Sql.execute(pool, scratch.isMySql() ? "ANALYZE TABLE task" : "VACUUM ANALYZE task");
        ServerProbe probe = new ServerProbe(scratch, pool);
        Long before = probe.read().logBytes();
        long begun = System.nanoTime();
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            for (long first = 1; first <= tasks; first += BATCH) {
                batch(connection, first, apart);
            }
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        Long after = probe.read().logBytes();
        return List.of(
                Formats.number(size) + " B",
                apart ? "two tables" : "one table",
                Formats.number(tasks / seconds),
                before == null || after == null ? "–" : Formats.number((double) (after - before) / tasks));
    }

    private static void fill(HikariDataSource pool, int size, boolean apart, int tasks) throws Exception {
        String details = incompressible(size);
        try (Connection connection = pool.getConnection();
                PreparedStatement task = connection.prepareStatement(
                        apart
                                ? "INSERT INTO task (id, status) VALUES (?, 'queued')"
                                : "INSERT INTO task (id, status, details) VALUES (?, 'queued', ?)");
                PreparedStatement more =
                        connection.prepareStatement("INSERT INTO task_details (id, details) VALUES (?, ?)")) {
            connection.setAutoCommit(false);
            for (int id = 1; id <= tasks; id++) {
                task.setLong(1, id);
                if (apart) {
                    more.setLong(1, id);
                    more.setString(2, details);
                    more.addBatch();
                } else {
                    task.setString(2, details);
                }
                task.addBatch();
                if (id % 100 == 0 || id == tasks) {
                    task.executeBatch();
                    more.executeBatch();
                }
            }
            connection.commit();
        }
    }

    /** {@return random text, because servers compress repetitions} */
    private static String incompressible(int size) {
        StringBuilder text = new StringBuilder();
        java.util.Random random = new java.util.Random(size);
        while (text.length() < size) {
            text.append((char) (' ' + 1 + random.nextInt(90)));
        }
        return text.toString();
    }

    /** Claims, reads and completes ten tasks with known ids, because the search for them is not measured here. */
    private static void batch(Connection connection, long first, boolean apart) throws Exception {
        long last = first + BATCH - 1;
        Sql.update(connection, "UPDATE task SET status = 'executing' WHERE id BETWEEN ? AND ?", first, last);
        connection.commit();
        for (long id = first; id <= last; id++) {
            Sql.longs(
                    connection,
                    "SELECT LENGTH(details) FROM " + (apart ? "task_details" : "task") + " WHERE id = ?",
                    id);
        }
        Sql.update(connection, "UPDATE task SET status = 'completed' WHERE id BETWEEN ? AND ?", first, last);
        connection.commit();
    }
}
