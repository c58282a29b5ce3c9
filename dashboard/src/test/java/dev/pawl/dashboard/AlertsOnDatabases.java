package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.dashboard.alert.Alert;
import dev.pawl.dashboard.alert.AlertListener;
import dev.pawl.dashboard.alert.AlertRule;
import dev.pawl.dashboard.alert.QuietTime;
import dev.pawl.dashboard.internal.watch.AlertRounds;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One of several processes reports each problem once when it begins and once when it ends; on each database. */
abstract class AlertsOnDatabases {
    private TestDatabase database;
    private HikariDataSource pool;
    private JobQueue queue;
    private Instant now = Instant.parse("2026-11-23T08:00:00Z");
    private final List<String> told = new ArrayList<>();
    private final List<AlertRounds> rounds = new ArrayList<>();
    private boolean isDeaf;

    abstract TestServer server();

    private final class MyClock extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    @BeforeEach
    void open() {
        database = server().createDatabase();
        pool = database.newDataSource(4);
        queue = JobQueue.open(pool);
    }

    @AfterEach
    void close() {
        rounds.forEach(AlertRounds::close);
        queue.close();
        pool.close();
        database.close();
    }

    private void receive(Alert alert) throws IOException {
        if (isDeaf || alert.subject().equals("queue a-refused")) {
            throw new IOException("nobody answers");
        }
        assertThat(alert.since()).isBeforeOrEqualTo(now);
        told.add((alert.isOver() ? "over " : "begun ") + alert.rule() + " " + alert.subject());
    }

    private AlertRounds process(String... rules) {
        return process(List.of(), rules);
    }

    private AlertRounds process(List<QuietTime> quiet, String... rules) {
        AlertListener listener = this::receive;
        AlertRounds process =
                new AlertRounds(queue, Stream.of(rules).map(AlertRule::parse).toList(), quiet, listener, new MyClock());
        rounds.add(process);
        return process;
    }

    /** The job has been available for a second, so its wait exceeds the age in every rule, however fast the tests run. */
    private long enqueue(String name) {
        EnqueueOptions options =
                EnqueueOptions.DEFAULTS.queue(name).availableAt(Instant.now().minusSeconds(1));
        return queue.enqueue(new JobRequest("mail.send", "{}", options)).jobId();
    }

    @Test
    void oneProcessReportsEachBeginAndEndOnce() {
        String[] rules = {"oldest:mail=PT0.001S", "no-worker"};
        AlertRounds one = process(rules);
        AlertRounds other = process(rules);
        one.once();
        assertThat(told).isEmpty();
        long id = enqueue("mail");
        enqueue("other");
        one.once();
        other.once();
        one.once();
        assertThat(told).containsExactly("begun oldest:mail=PT0.001S queue mail");
        now = now.plusSeconds(60); // jobs without a worker must have waited for a minute
        one.once();
        assertThat(told)
                .hasSize(3)
                .contains(
                        "begun no-worker kind mail.send in queue mail",
                        "begun no-worker kind mail.send in queue other");
        one.close(); // another process takes over and repeats nothing
        other.once();
        assertThat(told).hasSize(3);
        queue.admin().jobs().cancel(id);
        now = now.plusSeconds(30);
        other.once();
        assertThat(told).as("it may come back within a minute").hasSize(3);
        now = now.plusSeconds(31);
        other.once();
        now = now.plusSeconds(120);
        other.once();
        assertThat(told.subList(3, told.size()))
                .containsExactlyInAnyOrder(
                        "over oldest:mail=PT0.001S queue mail", "over no-worker kind mail.send in queue mail");
    }

    @Test
    void failedDeliveriesAreRetriedOutsideQuietTimes() {
        QuietTime night = QuietTime.parse("22:00-07:00", ZoneOffset.UTC);
        AlertRounds process = process(List.of(night), "oldest=PT0.001S");
        enqueue("mail");
        isDeaf = true;
        process.once();
        isDeaf = false;
        process.once();
        assertThat(told).as("not at once again").isEmpty();
        now = now.plusSeconds(11);
        process.once();
        assertThat(told).hasSize(1);

        now = Instant.parse("2026-11-23T23:00:00Z");
        enqueue("night");
        process.once();
        assertThat(told).hasSize(1);
        now = Instant.parse("2026-11-24T07:00:00Z");
        process.once();
        assertThat(told).containsExactly("begun oldest=PT0.001S queue mail", "begun oldest=PT0.001S queue night");
    }

    @Test
    void refusedAlertsDelayNoOthers() {
        AlertRounds process = process("oldest=PT0.001S");
        enqueue("a-refused");
        enqueue("mail");
        process.once();
        assertThat(told).containsExactly("begun oldest=PT0.001S queue mail");
        enqueue("night");
        process.once(); // during the pause after the refusal
        now = now.plusSeconds(11);
        process.once();
        assertThat(told).hasSize(2).contains("begun oldest=PT0.001S queue night");
    }

    @Test
    void endsRefusedForADayAreDropped() {
        AlertRounds process = process("oldest=PT0.001S");
        long id = enqueue("mail");
        process.once();
        queue.admin().jobs().cancel(id);
        isDeaf = true;
        now = now.plus(Duration.ofDays(1)).plusSeconds(1);
        process.once();
        isDeaf = false;
        now = now.plusSeconds(600);
        process.once();
        assertThat(told).containsExactly("begun oldest=PT0.001S queue mail");
    }

    @Test
    void listenersThatThrowErrorsStopNothing() {
        AlertListener listener = alert -> {
            told.add(alert.subject());
            throw new AssertionError("of a listener");
        };
        AlertRounds process =
                new AlertRounds(queue, List.of(AlertRule.parse("oldest=PT0.001S")), List.of(), listener, new MyClock());
        rounds.add(process);
        enqueue("mail");
        process.once();
        now = now.plusSeconds(11);
        process.once();
        assertThat(told).containsExactly("queue mail", "queue mail");
    }

    @Test
    void rulesWithManyProblemsLeaveSpaceForOthers() {
        AlertRounds process = process("oldest=PT0.001S", "oldest:zz=PT0.001S");
        for (int i = 0; i < 120; i++) {
            enqueue("q" + i);
        }
        enqueue("zz");
        process.once();
        assertThat(told).hasSize(101).contains("begun oldest:zz=PT0.001S queue zz");
    }

    @Test
    void discardedJobsAreCountedOverTenMinutes() throws Exception {
        AlertRounds process = process("discarded=3", "failing:mail=50%", "failing:mail=25%");
        process.once();
        var type = dev.pawl.api.JobType.of("mail.send", String.class)
                .withDefaults(EnqueueOptions.DEFAULTS.queue("mail").maxAttempts(1));
        for (int i = 0; i < 12; i++) {
            queue.enqueue(type, i < 3 ? "fail" : "go");
        }
        try (dev.pawl.Worker worker = dev.pawl.Worker.on(queue)
                .queues("mail")
                .handle(type, (text, run) -> {
                    if (text.equals("fail")) {
                        throw new IllegalStateException("the post office is closed");
                    }
                })
                .start()) {
            worker.awaitIdle(Site.SOON);
        }
        org.awaitility.Awaitility.await().atMost(Site.SOON).untilAsserted(() -> {
            try (var connection = pool.getConnection();
                    var statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE pawl_sample SET taken_at = "
                        + server().product().earlier("taken_at", 10));
            }
            process.once();
            assertThat(told) // a quarter of the jobs failed, so the rule with 50 % does not apply
                    .containsExactly("begun discarded=3 queue mail", "begun failing:mail=25% queue mail");
        });
    }
}
