package dev.pawl.lab.scenario;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.lab.database.Scratch;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The query that should find the jobs of dead workers, as printed and as it should be. */
final class SafetyNet implements Scenario {
    private static final int STUCK = 100;
    private static final int DEATHS = 10;

    private static final String CLAIM = """
            UPDATE task_queue SET status = 'processing', locked_at = NOW(), attempts = attempts + 1
             WHERE id IN (SELECT id FROM task_queue WHERE %s ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED) RETURNING id""";
    private static final String PRINTED =
            "status = 'pending' AND (locked_at IS NULL OR locked_at < NOW() - INTERVAL '5 minutes')";
    private static final String RIGHT =
            "status = 'pending' OR (status = 'processing' AND locked_at < NOW() - INTERVAL '5 minutes')";

    @Override
    public String name() {
        return "safety-net";
    }

    @Override
    public String description() {
        return "Tasks whose worker died are found by a locked_at older than five minutes; each claim counts an"
                + " attempt (003). Here 100 tasks have been 'processing' for an hour. The worker of one more task"
                + " dies ten times, each time in the transaction that claims, works and completes.";
    }

    @Override
    public Set<String> products() {
        return Set.of("postgresql");
    }

    @Override
    public Result run(Scratch scratch, double scale) throws Exception {
        List<List<String>> rows = new ArrayList<>();
        try (HikariDataSource pool = scratch.pool(1)) {
            rows.add(row(pool, "the query as printed", PRINTED));
            rows.add(row(pool, "the query as it should be", RIGHT));
        }
        return new Result(List.of("", "left by the dead", "found", "attempts after ten deaths"), rows);
    }

    private static List<String> row(HikariDataSource pool, String name, String which) throws Exception {
        Sql.execute(
                pool,
                "DROP TABLE IF EXISTS task_queue",
                "CREATE TABLE task_queue (id serial PRIMARY KEY, status varchar(20) DEFAULT 'pending',"
                        + " locked_at timestamp, attempts int DEFAULT 0)",
                "INSERT INTO task_queue (status, locked_at) SELECT 'processing', NOW() - INTERVAL '1 hour'"
                        + " FROM generate_series(1, " + STUCK + ")");
        try (Connection connection = pool.getConnection()) {
            int found = Sql.longs(connection, CLAIM.formatted(which)).size();
            Sql.execute(connection, "DELETE FROM task_queue");
            Sql.execute(connection, "INSERT INTO task_queue DEFAULT VALUES");
            connection.setAutoCommit(false);
            for (int death = 0; death < DEATHS; death++) {
                if (Sql.longs(connection, CLAIM.formatted(which)).size() != 1) {
                    throw new IllegalStateException("the task was not claimed");
                }
                connection.rollback();
            }
            long attempts =
                    Sql.longs(connection, "SELECT attempts FROM task_queue").get(0);
            connection.rollback();
            connection.setAutoCommit(true);
            return List.of(name, Integer.toString(STUCK), Integer.toString(found), Long.toString(attempts));
        }
    }
}
