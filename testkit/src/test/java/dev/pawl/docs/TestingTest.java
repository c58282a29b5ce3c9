package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.JobState;
import dev.pawl.JobType;
import dev.pawl.RetryPolicy;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.WorkerStats;
import dev.pawl.testkit.QueueTester;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** docs/how-to/testing.md. */
class TestingTest {
    // The application under test.
    record Confirm(String customer) {}

    static final JobType<Confirm> CONFIRM = JobType.of("order.confirm", Confirm.class);

    record Orders(DataSource dataSource, JobQueue queue) {
        void place(String customer, boolean paid) throws SQLException {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                queue.enqueue(connection, CONFIRM, new Confirm(customer));
                if (paid) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
        }
    }

    /** Handlers in one place, so that tests run the ones that the application runs. */
    static WorkerBuilder handlers(JobQueue queue, List<String> mailbox) {
        return Worker.on(queue).handle(CONFIRM, (confirm, run) -> {
            if (confirm.customer().isEmpty()) {
                throw new IllegalArgumentException("an order without a customer");
            }
            mailbox.add(confirm.customer());
        });
    }

    // The test.
    @TempDir
    Path folder;

    JobQueue queue;
    Orders orders;
    QueueTester tester;
    List<String> mailbox = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() {
        SQLiteDataSource file = new SQLiteDataSource(); // or the database that you run on
        file.setUrl("jdbc:sqlite:" + folder.resolve("test.db"));
        queue = JobQueue.open(file);
        orders = new Orders(file, queue);
        tester = QueueTester.of(queue);
    }

    @Test
    void anOrderIsConfirmedOnlyIfItWasPlaced() throws Exception {
        orders.place("Charles", false);
        tester.requireWaiting(CONFIRM, 0);

        orders.place("Ada", true);
        Job job = tester.requireWaiting(CONFIRM, 1).get(0);
        assertThat(job.payload()).contains("Ada");
    }

    @Test
    void theConfirmationIsSent() throws Exception {
        orders.place("Ada", true);

        WorkerStats done = tester.drain(handlers(queue, mailbox), Duration.ofSeconds(10));

        assertThat(done.completed()).isEqualTo(1);
        assertThat(mailbox).containsExactly("Ada");
        assertThat(tester.waiting(CONFIRM)).isEmpty();
    }

    @Test
    void anOrderWithoutACustomerIsGivenUp() {
        long id = queue.enqueue(CONFIRM, new Confirm(""), CONFIRM.defaults().maxAttempts(2))
                .jobId();

        tester.drain(
                handlers(queue, mailbox).retryPolicy(RetryPolicy.fixed(Duration.ZERO)), // do not wait for a retry
                Duration.ofSeconds(10));

        assertThat(queue.admin().find(id).orElseThrow().state()).isEqualTo(JobState.DISCARDED);
        assertThat(queue.admin().failedAttempts(id)).hasSize(2);
    }

    @Test
    void aDelayedJobRunsWhenItIsDue() {
        long id = queue.enqueue(CONFIRM, new Confirm("Ada"), CONFIRM.defaults().delay(Duration.ofDays(3)))
                .jobId();
        tester.drain(handlers(queue, mailbox), Duration.ofSeconds(10));
        assertThat(mailbox).isEmpty();

        queue.admin().retry(id); // makes it due now
        tester.drain(handlers(queue, mailbox), Duration.ofSeconds(10));
        assertThat(mailbox).containsExactly("Ada");
    }
}
