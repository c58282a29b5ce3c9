package dev.pawl.docs;

import static dev.pawl.docs.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.schedule.ScheduleInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/schedules.md. */
class SchedulesTest {
    private record Report(String of) {}

    private static final JobType<Report> REPORT = JobType.of("report.send", Report.class);
    private static final JobType<String> REFRESH = JobType.of("refresh", String.class);
    private static final JobType<String> CRAWL = JobType.of("crawl", String.class);

    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    private void send(Report report, Instant tick) {
        seen.add(report.of() + " at " + tick);
    }

    @Test
    void aProgramDeclaresItsRecurringJobs(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            Worker worker = Worker.on(queue)
                    .handle(REPORT, (report, run) -> send(report, run.tick().orElseThrow()))
                    .schedule(Schedule.of(
                            "nightly-report",
                            REPORT,
                            new Report("sales"),
                            Recurrence.cron("0 3 * * *", ZoneId.of("Europe/Rome"))))
                    .schedule(Schedule.of("refresh", REFRESH, "all", Recurrence.every(Duration.ofMinutes(5))))
                    .schedule(Schedule.of(
                            "crawl", CRAWL, "https://example.org", Recurrence.after(Duration.ofSeconds(30))))
                    .start();
            try (worker) {
                await().until(() -> queue.schedules()
                        .find("crawl")
                        .map(ScheduleInfo::lastJobId)
                        .isPresent());
                assertThat(queue.schedules().list())
                        .extracting(ScheduleInfo::name)
                        .containsExactly("crawl", "nightly-report", "refresh");
                queue.schedules()
                        .add(Schedule.of("weekly-report", REPORT, new Report("week"), Recurrence.cron("0 8 * * MON")));
                assertThat(queue.schedules().find("weekly-report")).isPresent();
                assertThat(queue.schedules().runNow("nightly-report")).isPresent();
                await().until(() -> seen.size() == 1);
                assertThat(seen).singleElement().asString().startsWith("sales at ");
            }
        }
    }
}
