package dev.pawl.docs;

import static dev.pawl.docs.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.JobState;
import dev.pawl.api.JobStep;
import dev.pawl.api.JobType;
import dev.pawl.api.Signal;
import dev.pawl.api.SignalResult;
import dev.pawl.api.TypeToken;
import dev.pawl.testkit.TestQueue;
import dev.pawl.testkit.junit.PawlTest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/guides/steps.md. */
@PawlTest
class StepsTest {
    private record Order(String item) {}

    private static final JobType<Order> ORDER = JobType.of("order", Order.class);
    private static final Signal<Boolean> APPROVED = Signal.of("approved", Boolean.class);

    private final Queue<String> done = new ConcurrentLinkedQueue<>();
    private final Cards cards = new Cards();
    private final Mailer mailer = new Mailer();
    private final Parcels parcels = new Parcels();
    private TestQueue test;
    private JobQueue queue;

    private final class Cards {
        String charge(Order order) {
            done.add("charge " + order.item);
            return "c1";
        }

        void refund(String charge) {
            done.add("refund " + charge);
        }
    }

    private final class Mailer {
        void confirm(Order order, String charge) {
            done.add("confirm " + order.item + " " + charge);
        }
    }

    private final class Parcels {
        long add(Connection connection, Order order) throws SQLException {
            done.add("ship");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO parcel VALUES (?)")) {
                insert.setString(1, order.item);
                return insert.executeUpdate();
            }
        }
    }

    @BeforeEach
    void open(TestQueue opened) throws SQLException {
        test = opened;
        queue = opened.queue();
        try (Connection connection = opened.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE parcel (item text)");
        }
    }

    private Worker worker() {
        Worker worker = Worker.on(queue)
                .handle(ORDER, (order, run) -> {
                    String charge = run.step("charge", String.class, () -> cards.charge(order));
                    run.step("confirm", () -> mailer.confirm(order, charge));
                    boolean approved =
                            run.steps().await(APPROVED, Duration.ofDays(14)).orElse(false);
                    if (!approved) {
                        run.step("refund", () -> cards.refund(charge));
                        return;
                    }
                    run.steps().sleep("let them change their mind", Duration.ofDays(3));
                    run.steps()
                            .inTransaction(
                                    "ship", TypeToken.of(Long.class), connection -> parcels.add(connection, order));
                })
                .start();
        return worker;
    }

    private void awaitWaiting(long id, String name) {
        await().until(() -> queue.admin().jobs().find(id).orElseThrow().state() == JobState.AVAILABLE
                && queue.admin().jobs().steps(id).stream()
                        .anyMatch(step -> step.name().equals(name) && step.until() != null));
    }

    private void awaitState(long id, JobState state) {
        await().until(() -> queue.admin().jobs().find(id).orElseThrow().state() == state);
    }

    @Test
    void anOrderIsApprovedAndShipped() {
        long jobId = queue.enqueue(ORDER, new Order("book")).jobId();
        try (Worker worker = worker()) {
            awaitWaiting(jobId, "approved");
            SignalResult result = queue.signal(jobId, APPROVED, true);
            assertThat(result).isEqualTo(SignalResult.DELIVERED);
            awaitWaiting(jobId, "let them change their mind");
            assertThat(worker.isAlive()).isTrue();
        }
        test.tester().advance(Duration.ofDays(3));
        try (Worker worker = worker()) {
            awaitState(jobId, JobState.COMPLETED);
            assertThat(done).containsExactly("charge book", "confirm book c1", "ship");
            List<JobStep> steps = queue.admin().jobs().steps(jobId);
            assertThat(steps)
                    .extracting(JobStep::name)
                    .containsExactly("charge", "confirm", "approved", "let them change their mind", "ship");
            RetryResult again = queue.admin().jobs().retry(jobId, "confirm");
            assertThat(again).isEqualTo(RetryResult.AVAILABLE_NOW);
            awaitWaiting(jobId, "let them change their mind");
            assertThat(done).containsExactly("charge book", "confirm book c1", "ship", "confirm book c1");
            assertThat(worker.isAlive()).isTrue();
        }
    }

    @Test
    void anOrderIsRefused() {
        long jobId = queue.enqueue(ORDER, new Order("book")).jobId();
        assertThat(queue.signal(jobId, APPROVED, false)).isEqualTo(SignalResult.DELIVERED);
        try (Worker worker = worker()) {
            awaitState(jobId, JobState.COMPLETED);
            assertThat(done).containsExactly("charge book", "confirm book c1", "refund c1");
            assertThat(worker.isAlive()).isTrue();
        }
    }
}
