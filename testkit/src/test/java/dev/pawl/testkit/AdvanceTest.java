package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Signal;
import dev.pawl.api.SignalResult;
import dev.pawl.limit.Limit;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.testkit.junit.PawlTest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PawlTest
class AdvanceTest {
    private static final JobType<String> NOTE = JobType.of("note", String.class);
    private static final Duration DAY = Duration.ofDays(1);

    private final List<String> notes = new CopyOnWriteArrayList<>();
    private JobQueue queue;
    private QueueTester tester;
    private DataSource dataSource;

    @BeforeEach
    void remember(TestQueue test) {
        queue = test.queue();
        tester = test.tester();
        dataSource = test.dataSource();
    }

    private WorkerBuilder handlers() {
        return Worker.on(queue).handle(NOTE, (text, run) -> notes.add(text));
    }

    private void enqueue(String text, EnqueueOptions options) {
        EnqueueResult.Inserted inserted = (EnqueueResult.Inserted) queue.enqueue(NOTE, text, options);
        assertThat(inserted.jobId()).isPositive();
    }

    @Test
    void delayedJobsRunWhenDue() {
        enqueue("in three days", EnqueueOptions.DEFAULTS.delay(DAY.multipliedBy(3)));

        tester.advance(DAY.multipliedBy(2));
        assertThat(tester.drainNow(handlers()).ran()).isEmpty();
        tester.enqueued(NOTE).delay(DAY.multipliedBy(3)).assertOne();

        tester.advance(DAY);
        tester.drainNow(handlers());
        assertThat(notes).containsExactly("in three days");
    }

    @Test
    void aRetryComesDue() {
        enqueue("fails once", EnqueueOptions.DEFAULTS);
        WorkerBuilder failing = Worker.on(queue)
                .retryPolicy(RetryPolicy.fixed(DAY))
                .handle(NOTE, (text, run) -> {
                    throw new IllegalStateException("not today");
                });
        assertThat(tester.drainNow(failing, DrainOptions.DEFAULTS.allowFailures())
                        .failures())
                .hasSize(1);

        assertThat(tester.drainNow(handlers()).ran()).isEmpty();
        tester.advance(DAY.multipliedBy(2));
        assertThat(tester.drainNow(handlers()).ran()).extracting(Job::attempt).containsExactly(2);
    }

    /** Ticks are parts of keys, so the shift must keep them distinct and must not repeat a tick. */
    @Test
    void schedulesTickOncePerInterval() {
        Schedule<String> hourly = Schedule.of("hourly", NOTE, "tick", Recurrence.every(Duration.ofHours(1)));
        WorkerBuilder declaring = handlers().schedule(hourly);
        tester.drainNow(declaring);
        assertThat(queue.schedules().find("hourly")).isPresent();
        notes.clear();

        for (int hours = 1; hours <= 4; hours++) {
            tester.advance(Duration.ofHours(1));
            tester.drainNow(handlers());
            assertThat(notes).hasSize(hours);
        }
        assertThat(queue.schedules().ticks("hourly", 10)).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void jobsExpireInEveryFormAndState() throws SQLException {
        enqueue("opens a lane", EnqueueOptions.DEFAULTS);
        tester.drainNow(handlers());
        notes.clear();
        Instant tomorrow = created().plus(DAY);
        enqueue("within a day", EnqueueOptions.DEFAULTS.delay(DAY.dividedBy(2)).expiresIn(DAY));
        enqueue("by tomorrow", EnqueueOptions.DEFAULTS.expiresAt(tomorrow));
        enqueue(
                "by tomorrow, later",
                EnqueueOptions.DEFAULTS.delay(DAY.dividedBy(2)).expiresAt(tomorrow));
        enqueue("at any time", EnqueueOptions.DEFAULTS);
        assertThat(count("pawl_lane_job WHERE expires_at IS NOT NULL")).isEqualTo(1);
        assertThat(count("pawl_job WHERE expires_at IS NOT NULL")).isEqualTo(2);

        tester.advance(DAY.multipliedBy(2));
        tester.drainNow(handlers());
        assertThat(notes).containsExactly("at any time");
        tester.assertNothingEnqueued();
    }

    private int count(String from) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + from)) {
            return row.next() ? row.getInt(1) : -1;
        }
    }

    private Instant created() {
        long id = queue.enqueue(NOTE, "what time is it?").jobId();
        Instant now = queue.admin().jobs().find(id).orElseThrow().createdAt();
        queue.admin().jobs().cancel(id);
        return now;
    }

    @Test
    void aUniqueKeyIsFreeAgain() {
        EnqueueOptions daily = EnqueueOptions.DEFAULTS.uniqueKey("daily", DAY);
        enqueue("first", daily);
        tester.drainNow(handlers());
        assertThat(queue.enqueue(NOTE, "too soon", daily)).isInstanceOf(EnqueueResult.Duplicate.class);

        tester.advance(DAY);
        enqueue("the next day", daily);
    }

    @Test
    void aRateAllowsMoreAndJobsOfAKeyKeepTheirOrder() {
        queue.limits().set(Limit.kind("note").rate(1, DAY));
        enqueue("first", EnqueueOptions.DEFAULTS.key("k"));
        enqueue("second", EnqueueOptions.DEFAULTS.key("k"));
        DrainOptions soon = DrainOptions.DEFAULTS.timeout(Duration.ofSeconds(5));
        assertThatThrownBy(() -> tester.drainNow(handlers(), soon))
                .hasMessageContainingAll("still waiting:", "payload=\"second\"", "Is it a limit", "note");
        assertThat(notes).containsExactly("first");

        tester.advance(DAY.multipliedBy(2));
        tester.drainNow(handlers());
        assertThat(notes).containsExactly("first", "second");
    }

    @Test
    void theHistoryGrowsOld() {
        enqueue("done", EnqueueOptions.DEFAULTS.uniqueKey("a row"));
        tester.drainNow(handlers());
        Retention week = Retention.DEFAULTS.completed(Duration.ofDays(7));
        assertThat(queue.admin().maintenance().prune(week)).isZero();

        tester.advance(DAY.multipliedBy(8));
        assertThat(queue.admin().maintenance().prune(week)).isEqualTo(1);
    }

    /** Steps, a signal and three days of sleep, without waiting. */
    @Test
    void jobsPassThroughTheirSteps() {
        Signal<String> approved = Signal.of("approved", String.class);
        WorkerBuilder steps = Worker.on(queue).handle(NOTE, (text, run) -> {
            run.step("begin", () -> notes.add("begin " + text));
            String by = run.steps().await(approved, DAY).orElse("nobody");
            run.steps().sleep("rest", DAY.multipliedBy(3));
            notes.add("approved by " + by);
        });
        enqueue("one", EnqueueOptions.DEFAULTS);
        enqueue("two", EnqueueOptions.DEFAULTS);
        tester.drainNow(steps);
        assertThat(notes).containsExactlyInAnyOrder("begin one", "begin two");
        long first = tester.enqueued(NOTE).matching("one"::equals).jobs().get(0).id();
        assertThat(queue.signal(first, approved, "Ann")).isEqualTo(SignalResult.DELIVERED);
        tester.drainNow(steps);
        // too late for the second job's signal, too early for the end of the first job's sleep
        tester.advance(DAY.multipliedBy(2));
        tester.drainNow(steps);
        assertThat(notes).hasSize(2);
        tester.advance(DAY);
        tester.drainNow(steps);
        assertThat(notes).contains("approved by Ann").hasSize(3);
        tester.advance(DAY.multipliedBy(2));
        tester.drainNow(steps);
        assertThat(notes).contains("approved by nobody").hasSize(4);
    }

    @Test
    void timeCannotBeAdvancedWhileAWorkerRuns() {
        try (Worker worker = handlers().start()) {
            long id = worker.id();
            assertThatThrownBy(() -> tester.advance(DAY))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("cannot be advanced while a worker runs", "close worker " + id);
        }
        tester.advance(DAY);
        for (Duration wrong : List.of(Duration.ZERO, DAY.negated(), Duration.ofDays(3651))) {
            assertThatThrownBy(() -> tester.advance(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Every column with a moment in a new schema version must be listed in {@code MomentColumns}. */
    @Test
    void everyMomentOfTheSchemaIsMoved() throws IOException {
        Map<String, List<String>> moments = new TreeMap<>();
        Pattern table = Pattern.compile("(?:CREATE|ALTER) TABLE (?:IF NOT EXISTS )?(pawl_\\w+)");
        Pattern column = Pattern.compile("^\\s*(?:ALTER TABLE \\w+ ADD COLUMN )?(\\w+)\\s+timestamptz");
        String last = "";
        for (String line : postgresql().lines().toList()) {
            Matcher named = table.matcher(line);
            last = named.find() ? named.group(1) : last;
            Matcher found = column.matcher(line);
            if (found.find() && !last.equals("pawl_schema")) {
                moments.computeIfAbsent(last, any -> new ArrayList<>()).add(found.group(1));
            }
        }
        assertThat(moments).hasSizeGreaterThan(10);
        assertThat(new TreeMap<>(MomentColumns.OF_THE_TYPE)).isEqualTo(moments);
    }

    private static String postgresql() throws IOException {
        StringBuilder all = new StringBuilder();
        int version = 1;
        for (String name :
                resource("steps.txt").lines().filter(line -> !line.isBlank()).toList()) {
            all.append(resource("postgresql/V" + version++ + "__" + name.strip() + ".sql"))
                    .append('\n');
        }
        return all.toString();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(JobState.class.getResourceAsStream("/dev/pawl/migrations/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
