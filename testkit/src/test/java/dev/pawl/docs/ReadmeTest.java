package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.testkit.QueueTester;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** README.md and docs/reference/options.md, in addition to the program in examples/plain-java. */
class ReadmeTest {
    private record SendWelcome(String address) {}

    private static final JobType<SendWelcome> SEND_WELCOME = JobType.of("welcome.send", SendWelcome.class);

    @Test
    void enqueueJoinsATransaction(@TempDir Path folder) throws Exception {
        DataSource dataSource = DocsQueue.file(folder);
        List<SendWelcome> manyWelcomes =
                List.of(new SendWelcome("cid@example.com"), new SendWelcome("dan@example.com"));
        try (JobQueue queue = JobQueue.open(dataSource);
                Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            queue.within(connection)
                    .enqueue(SEND_WELCOME, new SendWelcome("bob@example.com")); // joins your transaction
            connection.commit();
            queue.enqueueAll(SEND_WELCOME, manyWelcomes); // a thousand in each round trip
            queue.enqueue(
                    SEND_WELCOME,
                    new SendWelcome("eve@example.com"),
                    SEND_WELCOME.defaults().delay(Duration.ofHours(1)));
            assertThat(QueueTester.of(queue).waiting(SEND_WELCOME)).hasSize(4);
        }
    }

    @Test
    void writesAndCompletionCommitTogether(@TempDir Path folder) throws Exception {
        DataSource dataSource = DocsQueue.file(folder);
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE welcomed (address text)");
        }
        try (JobQueue queue = JobQueue.open(dataSource)) {
            queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com"));
            var worker = Worker.on(queue)
                    .handle(
                            SEND_WELCOME,
                            (welcome, run) -> run.transaction(connection -> {
                                try (var insert = connection.prepareStatement("INSERT INTO welcomed VALUES (?)")) {
                                    insert.setString(1, welcome.address());
                                    insert.executeUpdate(); // commits with the completion of the job, or not at all
                                }
                            }));
            assertThat(QueueTester.of(queue)
                            .drain(worker, Duration.ofSeconds(30))
                            .completed())
                    .isEqualTo(1);
        }
    }

    @Test
    void headersGoBesideThePayload(@TempDir Path folder) throws Exception {
        String context = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        List<String> seen = new ArrayList<>();
        try (JobQueue queue = JobQueue.open(DocsQueue.file(folder))) {
            queue.enqueue(
                    SEND_WELCOME,
                    new SendWelcome("ada@example.org"),
                    SEND_WELCOME.defaults().header("traceparent", context));
            var worker = Worker.on(queue)
                    .handle(
                            SEND_WELCOME,
                            (welcome, run) -> seen.add(run.job().headers().get("traceparent")));
            assertThat(QueueTester.of(queue)
                            .drain(worker, Duration.ofSeconds(30))
                            .completed())
                    .isEqualTo(1);
        }
        assertThat(seen).containsExactly(context);
    }

    @Test
    void optionsAreSetWhereTheyBelong(@TempDir Path folder) {
        DataSource dataSource = DocsQueue.file(folder);
        JobQueue queue = JobQueue.builder(dataSource)
                .retention(Retention.DEFAULTS.completed(Duration.ofDays(7)))
                .open();
        queue.enqueue(
                SEND_WELCOME,
                new SendWelcome("ada@example.com"),
                EnqueueOptions.DEFAULTS
                        .queue("mail")
                        .delay(Duration.ofMinutes(5))
                        .maxAttempts(3));
        Worker worker = Worker.on(queue)
                .queues("mail", "default") // mail first
                .concurrency(20)
                .handle(
                        SEND_WELCOME,
                        Handlers.completing((welcome, run) -> welcome.address().contains("@")
                                ? Outcome.completed()
                                : Outcome.discard("the address has no @")),
                        HandlerOptions.DEFAULTS
                                .timeout(Duration.ofSeconds(30))
                                .retryPolicy(RetryPolicy.exponential(Duration.ofSeconds(5), Duration.ofMinutes(10))))
                .start();
        worker.close();
        assertThat(queue.admin().jobs().list(JobFilter.ALL.state(JobState.AVAILABLE)))
                .hasSize(1);
        queue.close();
    }
}
