package dev.pawl.docs;

import static dev.pawl.docs.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.api.Chunk;
import dev.pawl.api.ChunkOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/chunks.md. */
class ChunksTest {
    private static final JobType<String> SEND = JobType.of("mail.send", String.class);
    private static final JobType<String> INDEX = JobType.of("text.index", String.class);
    private static final JobType<String> LOAD = JobType.of("line.load", String.class);

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger indexed = new AtomicInteger();
    private final Provider provider = mails -> {
        calls.incrementAndGet();
        return mails.stream().map(Reply::new).toList();
    };

    private record Reply(String text) {
        boolean isAccepted() {
            return !text.contains("nobody");
        }
    }

    private interface Provider {
        List<Reply> send(List<String> mails);
    }

    private void index(Chunk<String> chunk) {
        calls.incrementAndGet();
        indexed.addAndGet(chunk.items().size());
    }

    @Test
    void oneCallHandlesMany(@TempDir Path folder) throws Exception {
        try (JobQueue queue = DocsQueue.in(folder)) {
            long good = queue.enqueue(SEND, "anna").jobId();
            long bad = queue.enqueue(SEND, "nobody").jobId();
            Worker worker = Worker.on(queue)
                    .handle(SEND, Handlers.chunked(100, chunk -> {
                        List<Reply> replies = provider.send(chunk.payloads());
                        for (int i = 0; i < replies.size(); i++) {
                            if (!replies.get(i).isAccepted()) {
                                chunk.items()
                                        .get(i)
                                        .fails(new IllegalStateException(
                                                replies.get(i).text()));
                            }
                        }
                    }))
                    .start();
            try (worker) {
                assertThat(queue.handle(good, String.class).await(Duration.ofSeconds(20)))
                        .contains(JobState.COMPLETED);
                await().until(() -> !queue.admin()
                        .runs()
                        .failedAttempts(bad, Admin.UNLIMITED)
                        .isEmpty());
                assertThat(calls).hasValue(1);
            }
        }
    }

    @Test
    void theFirstWaitsForOthers(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.enqueueAll(INDEX, List.of("one", "two"));
            Worker worker = Worker.on(queue)
                    .handle(INDEX, Handlers.chunked(ChunkOptions.of(500).linger(Duration.ofSeconds(2)), this::index))
                    .start();
            try (worker) {
                queue.enqueueAll(INDEX, List.of("three"));
                await().until(() -> indexed.get() == 3);
                assertThat(calls).hasValue(1);
            }
        }
    }

    @Test
    void oneTransactionForAll(@TempDir Path folder) throws Exception {
        try (JobQueue queue = DocsQueue.in(folder)) {
            DataSource data = DocsQueue.file(folder);
            try (Connection connection = data.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE line (text TEXT)");
            }
            queue.enqueueAll(LOAD, List.of("one", "two", "three"));
            Worker worker = Worker.on(queue)
                    .handle(
                            LOAD,
                            Handlers.chunked(
                                    500,
                                    chunk -> chunk.transaction((connection, items) -> {
                                        try (PreparedStatement insert =
                                                connection.prepareStatement("INSERT INTO line (text) VALUES (?)")) {
                                            for (Chunk.Item<String> item : items) {
                                                insert.setString(1, item.payload());
                                                insert.addBatch();
                                            }
                                            insert.executeBatch();
                                        }
                                    })))
                    .start();
            try (worker) {
                await().until(() -> worker.stats().completed() == 3);
            }
            try (Connection connection = data.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM line")) {
                row.next();
                assertThat(row.getInt(1)).isEqualTo(3);
            }
        }
    }
}
