package dev.pawl.cli;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of a Laravel {@code jobs} table.
 *
 * @param queues by name
 * @param index which of Laravel's historical indexes it has
 * @param risks as sentences
 */
record LaravelReport(List<Queue> queues, String index, List<String> risks) {
    private static final int TINYINT_IS_NEARLY_FULL = 200;

    /**
     * The jobs of a queue.
     *
     * @param name of the queue
     * @param available may be run now
     * @param delayed not due yet
     * @param reserved by a worker
     * @param expired reserved for too long, so they will run again
     */
    record Queue(String name, long available, long delayed, long reserved, long expired) {}

    static LaravelReport read(Connection connection, String table, int retryAfter) throws SQLException {
        DatabaseMetaData meta = connection.getMetaData();
        String product = meta.getDatabaseProductName().toLowerCase(Locale.ROOT);
        List<Queue> queues = queues(connection, table, now(product), retryAfter);
        List<List<String>> indexes = indexes(meta, connection, table);
        List<String> risks = new ArrayList<>();
        String index = describeIndex(indexes, product, risks);
        if (queues.stream().anyMatch(queue -> queue.expired() > 0)) {
            risks.add(
                    "there are expired jobs: workers died, or retry_after is shorter than the run time, so jobs run twice"
                            + " concurrently");
        }
        long attempts = longOf(connection, "SELECT MAX(attempts) FROM " + table);
        if (attempts >= TINYINT_IS_NEARLY_FULL) {
            risks.add("a job has " + attempts
                    + " attempts: where the column is a TINYINT, the 256th fails and its queue stops");
        }
        risks.add(
                "a job is deleted by its id alone: a worker whose reservation has expired deletes the job while another worker"
                        + " is running it");
        return new LaravelReport(queues, index, List.copyOf(risks));
    }

    private static String now(String product) {
        return switch (product) {
            case "postgresql" -> "CAST(extract(epoch FROM now()) AS bigint)";
            case "mysql", "mariadb" -> "UNIX_TIMESTAMP()";
            default -> "CAST(strftime('%s', 'now') AS integer)";
        };
    }

    private static List<Queue> queues(Connection connection, String table, String now, int retryAfter)
            throws SQLException {
        String sql = """
                SELECT queue,
                       SUM(CASE WHEN reserved_at IS NULL AND available_at <= %1$s THEN 1 ELSE 0 END),
                       SUM(CASE WHEN reserved_at IS NULL AND available_at > %1$s THEN 1 ELSE 0 END),
                       SUM(CASE WHEN reserved_at > %1$s - ? THEN 1 ELSE 0 END),
                       SUM(CASE WHEN reserved_at <= %1$s - ? THEN 1 ELSE 0 END)
                  FROM %2$s GROUP BY queue ORDER BY queue
                """.formatted(now, table);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, retryAfter);
            statement.setInt(2, retryAfter);
            try (ResultSet rows = statement.executeQuery()) {
                List<Queue> queues = new ArrayList<>();
                while (rows.next()) {
                    queues.add(new Queue(
                            rows.getString(1), rows.getLong(2), rows.getLong(3), rows.getLong(4), rows.getLong(5)));
                }
                return queues;
            }
        }
    }

    private static List<List<String>> indexes(DatabaseMetaData meta, Connection connection, String table)
            throws SQLException {
        Map<String, List<String>> columns = new TreeMap<>();
        try (ResultSet rows = meta.getIndexInfo(connection.getCatalog(), connection.getSchema(), table, false, true)) {
            while (rows.next()) {
                String index = rows.getString("INDEX_NAME");
                String column = rows.getString("COLUMN_NAME");
                if (index != null && column != null) {
                    columns.computeIfAbsent(index, name -> new ArrayList<>()).add(column.toLowerCase(Locale.ROOT));
                }
            }
        }
        return List.copyOf(columns.values());
    }

    private static String describeIndex(List<List<String>> indexes, String product, List<String> risks) {
        boolean isInnoDb = product.equals("mysql") || product.equals("mariadb");
        if (indexes.contains(List.of("queue", "reserved_at", "available_at"))) {
            if (isInnoDb) {
                risks.add(
                        "the index contains reserved_at, which every claim changes: claims deadlock with each other, even"
                                + " with SKIP LOCKED (Laravel reverted this index after five days)");
            }
            return "(queue, reserved_at, available_at), Laravel 12.54 only";
        }
        if (indexes.contains(List.of("queue", "reserved_at"))) {
            if (isInnoDb) {
                risks.add("the index contains reserved_at, which every claim changes: claims deadlock with each other;"
                        + " replace it with an index on (queue); upgrading Laravel does not");
            }
            return "(queue, reserved_at), Laravel 5.4 and earlier";
        }
        if (indexes.contains(List.of("queue"))) {
            if (isInnoDb) {
                risks.add(
                        "a claim without SKIP LOCKED (before Laravel 6.14, MySQL 8.0.1, MariaDB 10.6) can deadlock with the"
                                + " delete of a finished job; if the delete is the victim, that job runs again");
            }
            return "(queue), Laravel 5.5 and later";
        }
        risks.add("no index on queue: every claim reads the table from its start, and claims wait for each other");
        return "none that claims can use";
    }

    private static long longOf(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
