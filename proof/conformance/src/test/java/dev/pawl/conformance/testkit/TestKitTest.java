package dev.pawl.conformance.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.Tier;
import dev.pawl.testkit.QueueTester;
import dev.pawl.testkit.TestQueue;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The test kit's effects on databases that differ from SQLite. */
class TestKitTest {
    private static final JobType<String> NOTE = JobType.of("note", String.class);
    private static final JobType<String> AWAY = JobType.of("away", String.class);
    private static final Duration DAY = Duration.ofDays(1);

    private final List<String> notes = new CopyOnWriteArrayList<>();

    /** PostgreSQL in the quick tier; the test kit's own tests run on SQLite. */
    static Stream<TestServer> servers() {
        return Tier.ofThisBuild().isAll("PAWL_CONTRACTS")
                ? Stream.concat(
                        Stream.of(TestServers.sqlite(), TestServers.postgres(), TestServers.mariaDb()),
                        TestServers.mySql().stream())
                : Stream.of(TestServers.postgres());
    }

    private WorkerBuilder handlers(JobQueue queue) {
        return Worker.on(queue)
                .handle(NOTE, (text, run) -> notes.add(text))
                .handle(AWAY, (text, run) -> notes.add(text));
    }

    @ParameterizedTest(autoCloseArguments = false) // the tests share the servers
    @MethodSource("servers")
    void jobsAreDrainedAssertedAndAdvanced(TestServer server) throws SQLException {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(16)) {
            try (TestQueue test = TestQueue.on(pool)) {
                delaysExpiriesAndKeys(test.queue(), test.tester());
                schedules(test.queue(), test.tester());
                leases(test.queue(), test.tester());
                failures(test.queue(), test.tester());
            }
            assertThat(tables(pool)).isZero();
        }
    }

    private void delaysExpiriesAndKeys(JobQueue queue, QueueTester tester) {
        long id = queue.enqueue(NOTE, "now").jobId();
        Instant now = queue.admin().jobs().find(id).orElseThrow().createdAt();
        queue.enqueue(NOTE, "in two days", NOTE.defaults().delay(DAY.multipliedBy(2)));
        queue.enqueue(NOTE, "too late", NOTE.defaults().delay(DAY).expiresAt(now.plus(DAY)));
        queue.enqueue(NOTE, "one", EnqueueOptions.DEFAULTS.key("k"));
        queue.enqueue(NOTE, "two", EnqueueOptions.DEFAULTS.key("k"));
        tester.enqueued(NOTE).delay(DAY.multipliedBy(2)).assertOne();
        tester.enqueued(NOTE).assertCount(5);

        tester.advance(DAY.dividedBy(2));
        assertThat(queue.admin().jobs().find(id).orElseThrow().createdAt()).isEqualTo(now.minus(DAY.dividedBy(2)));
        assertThat(tester.runOne(handlers(queue))).isPresent();
        tester.enqueued(NOTE).assertCount(4);
        tester.drainNow(handlers(queue));
        assertThat(notes).containsExactlyInAnyOrder("now", "one", "two").containsSubsequence("one", "two");

        tester.advance(DAY.multipliedBy(2));
        tester.drainNow(handlers(queue));
        assertThat(notes).hasSize(4).contains("in two days");
        tester.assertNothingEnqueued();
        notes.clear();
    }

    private void schedules(JobQueue queue, QueueTester tester) {
        Schedule<String> daily = Schedule.of("daily", NOTE, "tick", Recurrence.every(DAY));
        tester.drainNow(handlers(queue).schedule(daily));
        notes.clear();
        for (int days = 1; days <= 3; days++) {
            tester.advance(DAY);
            tester.drainNow(handlers(queue));
            assertThat(notes).hasSize(days);
        }
        tester.runScheduleNow("daily", handlers(queue));
        assertThat(notes).containsExactly("tick", "tick", "tick", "tick");
        notes.clear();
    }

    /** The worker of the job is gone, but the remote run may go on. */
    private void leases(JobQueue queue, QueueTester tester) {
        long id = queue.enqueue(AWAY, "rescued").jobId();
        tester.drainNow(Worker.on(queue)
                .lease(DAY)
                .extend(registry -> registry.remote(
                        AWAY.kind(), () -> true, (text, run) -> Optional.empty(), HandlerOptions.DEFAULTS)));
        assertThat(queue.admin().jobs().find(id)).map(Job::state).contains(JobState.RUNNING);
        assertThat(tester.drainNow(handlers(queue)).ran()).isEmpty();

        tester.advance(DAY);
        tester.drainNow(handlers(queue));
        assertThat(queue.admin().jobs().find(id)).map(Job::state).isNotEqualTo(Optional.of(JobState.RUNNING));
        tester.advance(DAY); // its next attempt may be a little later
        tester.drainNow(handlers(queue));
        assertThat(notes).contains("rescued");
        notes.clear();
    }

    private static void failures(JobQueue queue, QueueTester tester) {
        queue.enqueue(NOTE, "fails");
        WorkerBuilder failing = Worker.on(queue).handle(NOTE, (text, run) -> {
            throw new IllegalStateException("broken by " + text);
        });
        assertThatThrownBy(() -> tester.drainNow(failing)).hasMessageContainingAll("broken by fails", "\tat ");
    }

    private static int tables(HikariDataSource pool) throws SQLException {
        int tables = 0;
        try (Connection connection = pool.getConnection();
                ResultSet row = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), connection.getSchema(), "pawl%", null)) {
            while (row.next()) {
                tables++;
            }
        }
        return tables;
    }
}
