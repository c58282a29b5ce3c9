package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.SlotSeries;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.JobType;
import dev.pawl.testkit.QueueTester;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/slots.md. */
class SlotsTest {
    record Sold(String customer) {}

    static final JobType<Sold> SOLD = JobType.of("sold", Sold.class);

    private static String lastCodeInTheOldSystem() {
        return "AAAB";
    }

    private static String codeAfter(String last) {
        return last.substring(0, 3) + (char) (last.charAt(3) + 1);
    }

    private static void insertTicket(Connection connection, String code, Sold sold) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO ticket VALUES (?, ?)")) {
            insert.setString(1, code);
            insert.setString(2, sold.customer());
            insert.executeUpdate();
        }
    }

    @Test
    void eachTicketGetsTheNextCode(@TempDir Path folder) throws Exception {
        DataSource dataSource = DocsQueue.file(folder);
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE ticket (code text PRIMARY KEY, customer text)");
        }
        try (JobQueue queue = JobQueue.open(dataSource)) {
            SlotSeries tickets = queue.slots()
                    .series("tickets")
                    .startFrom(() -> lastCodeInTheOldSystem()) // called once in the life of the series
                    .next(last -> last == null ? "AAAA" : codeAfter(last));

            WorkerBuilder worker = Worker.on(queue)
                    .handle(
                            SOLD,
                            tickets.around((sold, run) -> run.transaction(connection -> insertTicket(
                                    connection, run.slot().orElseThrow().value(), sold))));
            queue.enqueue(SOLD, new Sold("Ada"));
            QueueTester.of(queue).drain(worker, Duration.ofSeconds(30));
            assertThat(tickets.lastUsed()).contains("AAAC");
        }
    }
}
