package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.SlotSeries;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A worker process that issues ticket codes, until it is killed. */
public final class TicketWorker {
    static final JobType<Integer> SOLD = JobType.of("ticket.sold", Integer.class);

    private TicketWorker() {}

    /** AAAA, AAAB … AAAZ, AABA and so on. */
    static String nextCode(@Nullable String last) {
        if (last == null) {
            return "AAAA";
        }
        char[] code = last.toCharArray();
        for (int i = code.length - 1; i >= 0; i--) {
            if (code[i] < 'Z') {
                code[i]++;
                return new String(code);
            }
            code[i] = 'A';
        }
        throw new IllegalStateException("no code after " + last);
    }

    static SlotSeries tickets(JobQueue queue) {
        return queue.slots().series("tickets").next(TicketWorker::nextCode);
    }

    /**
     * @param arguments JDBC URL
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        try (HikariDataSource pool = database.newDataSource(8);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open();
                Worker worker = Worker.on(queue)
                        .concurrency(4)
                        .lease(Duration.ofSeconds(4))
                        .handle(
                                SOLD,
                                tickets(queue)
                                        .around((buyer, run) -> run.transaction(connection -> insert(
                                                connection,
                                                run.slot().orElseThrow().value(),
                                                buyer))))
                        .start()) {
            System.out.println("worker " + worker.id() + " works");
            Thread.currentThread().join();
        }
    }

    private static void insert(Connection connection, String code, int buyer) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ticket (code, buyer) VALUES (?, ?)")) {
            insert.setString(1, code);
            insert.setInt(2, buyer);
            insert.executeUpdate();
        }
    }
}
