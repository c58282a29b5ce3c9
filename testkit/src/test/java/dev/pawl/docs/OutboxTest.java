package dev.pawl.docs;

import static dev.pawl.docs.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobType;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/outbox.md. */
class OutboxTest {
    private static final JobType<Event> EVENT = JobType.of("event.publish", Event.class);
    private static final JobType<String> SHIP =
            JobType.of("order.ship", String.class).withDefaults(EnqueueOptions.DEFAULTS.maxAttempts(1));

    /** What happened, and to which order. */
    record Event(String what, String order) {}

    private record Message(long id, Event event) {}

    /** Accepts many messages in one call. */
    private static final class Broker {
        private final Queue<Message> sent = new ConcurrentLinkedQueue<>();

        void send(List<Message> messages) {
            sent.addAll(messages);
        }

        Stream<String> events() {
            return sent.stream()
                    .map(message ->
                            message.event().what() + " " + message.event().order());
        }
    }

    private interface Table {
        void add(Connection connection, String order) throws SQLException;

        default void save(Connection connection, String order) throws SQLException {
            add(connection, order);
        }
    }

    private static final Table TABLE = (connection, order) -> {
        if (order.startsWith("bad")) {
            throw new IllegalStateException("no such order");
        }
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (name) VALUES (?)")) {
            insert.setString(1, order);
            insert.executeUpdate();
        }
    };

    private final Broker broker = new Broker();
    private final Table orders = TABLE;
    private final Table parcels = TABLE;

    private void place(DataSource dataSource, JobQueue queue, String order) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            orders.save(connection, order);
            queue.within(connection).enqueue(EVENT, new Event("order placed", order));
            connection.commit();
        }
    }

    private Worker publisher(JobQueue queue) {
        Worker publisher = Worker.on(queue)
                .handle(
                        EVENT,
                        Handlers.chunked(
                                100,
                                chunk -> broker.send(chunk.items().stream()
                                        .map(item ->
                                                new Message(item.run().job().id(), item.payload()))
                                        .toList())))
                .start();
        return publisher;
    }

    private static DataSource withTable(Path folder) throws SQLException {
        DataSource dataSource = DocsQueue.file(folder);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (name TEXT)");
        }
        return dataSource;
    }

    @Test
    void onlyCommittedEventsAreSent(@TempDir Path folder) throws Exception {
        DataSource dataSource = withTable(folder);
        try (JobQueue queue = JobQueue.open(dataSource)) {
            place(dataSource, queue, "one");
            assertThatThrownBy(() -> place(dataSource, queue, "bad"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no such order");
            try (Worker publisher = publisher(queue)) {
                await().until(() -> publisher.stats().completed() == 1);
            }
        }
        assertThat(broker.events()).containsExactly("order placed one");
    }

    @Test
    void onlyCompletedJobsPublishTheirEvent(@TempDir Path folder) throws Exception {
        DataSource dataSource = withTable(folder);
        try (JobQueue queue = JobQueue.open(dataSource)) {
            queue.enqueue(SHIP, "two");
            queue.enqueue(SHIP, "bad");
            Worker worker = Worker.on(queue)
                    .handle(
                            SHIP,
                            (order, run) -> run.transaction(connection -> {
                                parcels.add(connection, order);
                                queue.within(connection).enqueue(EVENT, new Event("order shipped", order));
                            }))
                    .start();
            try (worker;
                    Worker publisher = publisher(queue)) {
                await().until(() ->
                        worker.stats().discarded() == 1 && publisher.stats().completed() == 1);
            }
            assertThat(queue.admin().jobs().list(JobFilter.ALL.kind("event.publish")))
                    .hasSize(1);
        }
        assertThat(broker.events()).containsExactly("order shipped two");
    }

    @Test
    void theEndOfACancelledJobIsPublished(@TempDir Path folder) throws Exception {
        DataSource dataSource = withTable(folder);
        try (JobQueue queue = JobQueue.open(dataSource);
                Worker publisher = publisher(queue)) {
            String order = "three";
            Batch watched = queue.batch("order " + order)
                    .onFailed(EVENT, new Event("shipping failed", order))
                    .onDone(EVENT, new Event("shipping ended", order))
                    .open();
            watched.enqueue(SHIP, order);
            watched.seal();
            long id = queue.admin()
                    .jobs()
                    .list(JobFilter.ALL.kind("order.ship"))
                    .get(0)
                    .id();
            queue.admin().jobs().cancel(id); // no handler is called
            await().until(() -> publisher.stats().completed() == 1);
        }
        assertThat(broker.events()).containsExactly("shipping ended three");
    }
}
