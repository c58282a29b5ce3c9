package dev.pawl.lab.example;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * One job per account, every night, done by the morning. The unique key makes the nightly enqueue safe to repeat while its jobs wait or
 * run; the report and the completion of its job are one commit. If the enqueue is repeated after the night's jobs have ended, the new jobs
 * rewrite the reports, because the table has one row per account and day.
 */
public final class DailyAnalytics {
    record Account(int id, String day) {}

    private static final JobType<Account> ANALYZE = JobType.of("analytics.daily", Account.class);

    private DailyAnalytics() {}

    /**
     * @param arguments number of accounts, default 1000
     * @throws Exception if the database fails
     */
    public static void main(String[] arguments) throws Exception {
        int accounts = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
        try (var pool = Example.pool("analytics.db")) {
            System.out.println(run(pool, accounts, LocalDate.parse("2026-11-21")));
        }
    }

    static String run(DataSource pool, int accounts, LocalDate day) throws Exception {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS report (account int, day varchar(10), events int,"
                    + " PRIMARY KEY (account, day))");
        }
        try (JobQueue queue = JobQueue.open(pool)) {
            for (int night = 0; night < 2; night++) { // the scheduler fires twice, without a double effect
                queue.enqueueAll(
                        ANALYZE,
                        IntStream.range(0, accounts)
                                .mapToObj(id -> new Account(id, day.toString()))
                                .toList(),
                        account -> EnqueueOptions.DEFAULTS
                                .queue("analytics")
                                .uniqueKey(account.id() + "/" + account.day()));
            }
            try (Worker worker = Worker.on(queue)
                    .queues("analytics")
                    .handle(
                            ANALYZE,
                            (account, run) -> run.transaction(connection -> report(connection, account)),
                            HandlerOptions.DEFAULTS.timeout(Duration.ofMinutes(10)))
                    .start()) {
                boolean inTime = worker.awaitIdle(Duration.ofHours(8)); // by the morning
                return worker.stats().completed() + " accounts analyzed" + (inTime ? "" : ", and not in time");
            }
        }
    }

    private static void report(Connection connection, Account account) throws SQLException {
        for (String sql : List.of(
                "DELETE FROM report WHERE account = ? AND day = ?",
                "INSERT INTO report (account, day, events) VALUES (?, ?, " + account.id() % 7 + ")")) { // the analysis
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setInt(1, account.id());
                statement.setString(2, account.day());
                statement.executeUpdate();
            }
        }
    }
}
