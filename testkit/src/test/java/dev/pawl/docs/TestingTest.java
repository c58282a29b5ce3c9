package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.Workflow;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.testkit.DrainOptions;
import dev.pawl.testkit.Drained;
import dev.pawl.testkit.QueueTester;
import dev.pawl.testkit.TestQueue;
import dev.pawl.testkit.junit.PawlTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/guides/testing.md. */
@PawlTest
class TestingTest {
    // The application under test.
    record Confirm(String customer) {}

    static final JobType<Confirm> CONFIRM = JobType.of("order.confirm", Confirm.class);

    record Orders(DataSource dataSource, JobQueue queue) {
        void place(String customer, boolean paid) throws SQLException {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                queue.within(connection).enqueue(CONFIRM, new Confirm(customer));
                if (paid) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
            }
        }
    }

    /** Handlers in one place, so that tests run those of the application. */
    static WorkerBuilder handlers(JobQueue queue, List<String> mailbox) {
        return Worker.on(queue).handle(CONFIRM, (confirm, run) -> {
            if (confirm.customer().isEmpty()) {
                throw new IllegalArgumentException("an order without a customer");
            }
            mailbox.add(confirm.customer());
        });
    }

    // The test.
    Orders orders;
    List<String> mailbox = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open(DataSource dataSource, JobQueue queue) {
        orders = new Orders(dataSource, queue);
    }

    @Test
    void anOrderIsConfirmedOnlyIfItWasPlaced(QueueTester tester) throws Exception {
        orders.place("Charles", false);
        tester.assertNothingEnqueued();

        orders.place("Ada", true);
        Confirm confirm = tester.enqueued(CONFIRM).assertOne();
        assertThat(confirm.customer()).isEqualTo("Ada");
    }

    @Test
    void theRightJobsAreEnqueued(JobQueue queue, QueueTester tester) {
        queue.enqueue(CONFIRM, new Confirm("Ada"));
        queue.enqueue(
                CONFIRM, new Confirm("Bob"), CONFIRM.defaults().queue("slow").delay(Duration.ofHours(2)));

        tester.enqueued(CONFIRM).assertCount(2);
        tester.enqueued(CONFIRM)
                .matching(confirm -> confirm.customer().equals("Ada"))
                .queue("default")
                .assertOne();
        tester.enqueued(CONFIRM).queue("slow").delay(Duration.ofHours(2)).assertOne();
        tester.enqueued(CONFIRM).uniqueKey("Charles").assertNone();
    }

    @Test
    void theConfirmationIsSent(JobQueue queue, QueueTester tester) throws Exception {
        orders.place("Ada", true);

        tester.drainNow(handlers(queue, mailbox));

        assertThat(mailbox).containsExactly("Ada");
        tester.enqueued(CONFIRM).assertNone();
    }

    @Test
    void oneAfterTheOther(JobQueue queue, QueueTester tester) throws Exception {
        orders.place("Ada", true);
        orders.place("Bob", true);

        Optional<Job> first = tester.runOne(handlers(queue, mailbox));

        assertThat(first).isPresent();
        assertThat(mailbox).containsExactly("Ada");
        tester.enqueued(CONFIRM).assertCount(1);
    }

    static final JobType<String> CHARGE = JobType.of("order.charge", String.class);
    static final JobType<String> PACK = JobType.of("order.pack", String.class);
    static final JobType<String> SHIP = JobType.of("order.ship", String.class);

    final List<String> done = new CopyOnWriteArrayList<>();

    WorkerBuilder shop(JobQueue queue) {
        return Worker.on(queue)
                .handle(CHARGE, (order, run) -> done.add("charge " + order))
                .handle(PACK, (order, run) -> done.add("pack " + order))
                .handle(SHIP, (order, run) -> done.add("ship " + order));
    }

    @Test
    void anOrderIsPackedOnceItIsPaid(JobQueue queue, QueueTester tester) {
        Workflow order = queue.workflow("order 4711")
                .job("charge", CHARGE, "4711")
                .then("pack", PACK, "4711")
                .then("ship", SHIP, "4711")
                .start();

        tester.runNode(order, "charge", shop(queue));

        assertThat(tester.tree(order).lines())
                .containsExactly("charge: completed", "pack after charge: running", "ship after pack: waiting");
        tester.runNode(order, "pack", shop(queue));
        assertThat(done).containsExactly("charge 4711", "pack 4711");
        tester.drainNow(shop(queue)); // the rest
        assertThat(order.info().orElseThrow().isSuccess()).isTrue();
    }

    @Test
    void aNodeThatCannotRunIsShownWithTheOthers(JobQueue queue, QueueTester tester) {
        Workflow order = queue.workflow("order 4711")
                .job("charge", CHARGE, "4711")
                .job("call", PACK, "4711")
                .job("ship", SHIP, "4711")
                .after("charge", "call")
                .start();
        assertThatThrownBy(() -> tester.runNode(order, "ship", shop(queue)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("node 'ship' cannot run now")
                .hasMessageContaining("ship after charge, call: waiting");
        assertThatThrownBy(() -> tester.runNode(order, "shop", shop(queue)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no node 'shop'");
        tester.runNode(order, "call", shop(queue)); // not the first node, which could run too
        assertThat(done).containsExactly("pack 4711");
        assertThat(tester.tree(order)).startsWith("charge: running");
        tester.drainNow(shop(queue));
        assertThat(done).containsExactly("pack 4711", "charge 4711", "ship 4711");
        assertThat(queue.workflow(order.id()).info().orElseThrow().isSuccess()).isTrue();
    }

    @Test
    void anOrderWithoutACustomerIsGivenUp(JobQueue queue, QueueTester tester) {
        long id = queue.enqueue(CONFIRM, new Confirm(""), CONFIRM.defaults().maxAttempts(2))
                .jobId();

        Drained drained = tester.drainNow(
                handlers(queue, mailbox).retryPolicy(RetryPolicy.fixed(Duration.ZERO)), // do not wait for a retry
                DrainOptions.DEFAULTS.allowFailures());

        assertThat(drained.failures()).hasSize(2);
        assertThat(drained.failures().get(1).error()).contains("an order without a customer");
        assertThat(queue.admin().jobs().find(id).orElseThrow().state()).isEqualTo(JobState.DISCARDED);
    }

    @Test
    void aDelayedJobRunsWhenItIsDue(JobQueue queue, QueueTester tester) {
        queue.enqueue(CONFIRM, new Confirm("Ada"), CONFIRM.defaults().delay(Duration.ofDays(3)));
        tester.drainNow(handlers(queue, mailbox));
        assertThat(mailbox).isEmpty();

        tester.advance(Duration.ofDays(3));
        tester.drainNow(handlers(queue, mailbox));
        assertThat(mailbox).containsExactly("Ada");
    }

    @Test
    void theNightlyConfirmationIsSent(JobQueue queue, QueueTester tester) {
        Schedule<Confirm> nightly = Schedule.of(
                "nightly", CONFIRM, new Confirm("all"), Recurrence.cron("0 3 * * *", ZoneId.of("Europe/Rome")));

        tester.runScheduleNow("nightly", handlers(queue, mailbox).schedule(nightly));

        assertThat(mailbox).containsExactly("all");
    }

    @Test
    void withoutTheExtension() {
        try (TestQueue test = TestQueue.inMemory()) { // or TestQueue.on(dataSource)
            test.queue().enqueue(CONFIRM, new Confirm("Ada"));
            test.tester().drainNow(handlers(test.queue(), mailbox));
        }
        assertThat(mailbox).containsExactly("Ada");
    }
}
