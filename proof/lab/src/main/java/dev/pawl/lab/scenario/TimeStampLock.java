package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.report.Formats;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** Managers that lock a task by writing its time stamp, if it is still the value that they have read. */
final class TimeStampLock implements Scenario {
    private static final int TASKS = 2_000;
    private static final int MANAGERS = 2;

    @Override
    public String name() {
        return "time-stamp-lock";
    }

    @Override
    public String description() {
        return "A manager reads the queued tasks, in random order to reduce conflicts with other managers. It locks"
                + " each task by an UPDATE that requires the last_updated that it has read; if no row is updated,"
                + " another manager was faster (002). Time stamps must differ between any two writes. Here two"
                + " managers lock 2,000 tasks that were last updated in the current second.";
    }

    @Override
    public Set<String> products() {
        return Set.of("mariadb", "mysql");
    }

    @Override
    public Result run(Scratch scratch, double scale) throws Exception {
        int tasks = Scenario.scaled(TASKS, scale, 100);
        List<List<String>> rows = new ArrayList<>();
        try (HikariDataSource pool = scratch.pool(MANAGERS)) {
            rows.add(lock(pool, "whole seconds, in order", "DATETIME", false, tasks));
            rows.add(lock(pool, "whole seconds, shuffled", "DATETIME", true, tasks));
            rows.add(lock(pool, "microseconds, in order", "DATETIME(6)", false, tasks));
            rows.add(lock(pool, "microseconds, shuffled", "DATETIME(6)", true, tasks));
        }
        return new Result(List.of("last_updated", "locked by both", "locks lost", "locks/s"), rows);
    }

    private static List<String> lock(HikariDataSource pool, String name, String type, boolean shuffled, int tasks)
            throws Exception {
        Sql.execute(
                pool,
                "DROP TABLE IF EXISTS task",
                "DROP TABLE IF EXISTS locked",
                "CREATE TABLE task (id int PRIMARY KEY, status varchar(20) NOT NULL DEFAULT 'queued', last_updated "
                        + type + " NOT NULL DEFAULT CURRENT_TIMESTAMP" + (type.contains("(6)") ? "(6)" : "") + ")",
                "CREATE TABLE locked (task_id int NOT NULL)");
        Sql.insert(pool, "INSERT INTO task (id) VALUES (?)", tasks);
        long begun = System.nanoTime();
        List<Integer> won = ConcurrentThreads.work(
                MANAGERS, number -> manage(pool, shuffled, type.contains("(6)") ? "NOW(6)" : "NOW()"));
        double seconds = (System.nanoTime() - begun) / 1e9;
        int all = won.stream().mapToInt(Integer::intValue).sum();
        return List.of(
                name,
                Long.toString(Sql.count(pool, "SELECT COUNT(*) - COUNT(DISTINCT task_id) FROM locked")),
                Formats.number(100.0 * (MANAGERS * tasks - all) / (MANAGERS * tasks)) + " %",
                Formats.number(all / seconds));
    }

    private record Read(int id, String lastUpdated) {}

    private static int manage(HikariDataSource pool, boolean shuffled, String now) throws SQLException {
        int won = 0;
        try (Connection connection = pool.getConnection()) {
            List<Read> queued = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(
                            "SELECT id, CAST(last_updated AS CHAR) FROM task WHERE status = 'queued' ORDER BY id");
                    ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    queued.add(new Read(rows.getInt(1), rows.getString(2)));
                }
            }
            if (shuffled) {
                Collections.shuffle(queued);
            }
            for (Read task : queued) {
                int locked = Sql.update(
                        connection,
                        "UPDATE task SET status = 'executing', last_updated = " + now
                                + " WHERE id = ? AND last_updated = ?",
                        task.id(),
                        task.lastUpdated());
                if (locked == 1) {
                    Sql.update(connection, "INSERT INTO locked (task_id) VALUES (?)", task.id());
                    won++;
                }
            }
        }
        return won;
    }
}
