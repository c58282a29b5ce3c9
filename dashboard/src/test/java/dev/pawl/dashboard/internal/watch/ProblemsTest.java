package dev.pawl.dashboard.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.dashboard.alert.AlertRule;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules for conditions that must last for some time. The tests do not wait, but move the start of a condition into the past. */
class ProblemsTest {
    private static final JobType<String> TYPE = JobType.of("mail.send", String.class);

    private final TestDatabase database = TestServers.sqlite().createDatabase();
    private final HikariDataSource pool = database.newDataSource(4);
    private final JobQueue queue = JobQueue.open(pool);

    @AfterEach
    void close() {
        queue.close();
        pool.close();
        database.close();
    }

    private List<Problems.Problem> of(String rule) {
        return new Problems(queue).of(AlertRule.parse(rule));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isEqualTo(1);
        }
    }

    @Test
    void unprocessedSchedulesAreOverdue() throws Exception {
        Worker worker = Worker.on(queue)
                .handle(TYPE, (text, run) -> {})
                .schedule(Schedule.of("nightly", TYPE, "x", Recurrence.every(Duration.ofHours(1))))
                .start();
        try {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !queue.schedules().list().isEmpty());
        } finally {
            worker.close();
        }
        assertThat(of("overdue")).isEmpty();
        execute("UPDATE pawl_schedule SET next_check_at = (unixepoch() - 120) * 1000000");
        assertThat(of("overdue")).singleElement().satisfies(trouble -> {
            assertThat(trouble.subject()).isEqualTo("schedule nightly");
            assertThat(trouble.text()).isEqualTo("schedule nightly is overdue: no live worker processes it");
        });
    }

    @Test
    void unusuallyLongRunsAreStalled() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        EnqueueOptions row = EnqueueOptions.DEFAULTS.uniqueKey("a");
        queue.enqueue(TYPE, "quick", row);
        try (Worker worker = Worker.on(queue)
                .handle(TYPE, (text, run) -> {
                    if (text.equals("slow")) {
                        end.await();
                    }
                })
                .start()) {
            worker.awaitIdle(Duration.ofSeconds(60));
            try {
                aSlowRunIsFound(row.uniqueKey("b"));
            } finally {
                end.countDown(); // before the worker is closed, which waits for the handler
            }
        }
    }

    @Test
    void jobsWithoutAWorkerAreCountedUpToALimit() {
        var unused = queue.enqueueAll(
                TYPE, Collections.nCopies((int) UnattendedJobs.MAX + 1, "x"), text -> EnqueueOptions.DEFAULTS);
        assertThat(of("no-worker"))
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.text())
                        .isEqualTo(
                                "no live worker handles kind mail.send of queue default: at least 10000 job(s) wait"));
    }

    private void aSlowRunIsFound(EnqueueOptions row) throws SQLException {
        queue.enqueue(TYPE, "slow", row);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !queue.admin()
                        .jobs()
                        .list(JobFilter.ALL.state(JobState.RUNNING))
                        .isEmpty());
        execute("UPDATE pawl_job SET started_at = started_at - 86400 * 1000000 WHERE unique_key = 'b'");
        assertThat(of("stalled")).singleElement().satisfies(trouble -> {
            assertThat(trouble.subject()).isEqualTo("kind mail.send");
            assertThat(trouble.text()).startsWith("1 job(s) of kind mail.send run far longer than others, job ");
        });
    }
}
