package dev.pawl.dashboard;

import static org.awaitility.Awaitility.await;

import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.internal.store.RunTimes;
import java.sql.SQLException;
import java.time.Duration;

/**
 * What the screenshots show besides the {@link Sample}: a queue that has been paused for a while, and a partner that has been failing for
 * hours.
 */
final class Story implements AutoCloseable {
    private static final int REPORTS = 42;
    private static final int CALLS = 24;
    private static final int MINUTES_PAUSED = 18;
    private static final JobType<String> CALL = JobType.of("webhook.call", String.class)
            .withDefaults(EnqueueOptions.DEFAULTS.queue("webhooks").maxAttempts(10));

    private final Worker worker;

    /** Must be created before the sample, so that the sample's jobs are the first of each list. */
    Story(Site site) throws SQLException {
        site.queue().admin().queues().pause("reports");
        for (int i = 0; i < REPORTS; i++) {
            site.queue()
                    .enqueue(
                            Sample.REPORT,
                            "branch " + i,
                            EnqueueOptions.DEFAULTS.queue("reports").uniqueKey("branch-" + i));
        }
        worker = Worker.on(site.queue())
                .name("worker-2")
                .queues("webhooks", "reports")
                .retryPolicy(RetryPolicy.fixed(Duration.ofHours(1)))
                .handle(Sample.REPORT, (payload, run) -> {})
                .handle(CALL, (payload, run) -> {
                    throw new java.net.ConnectException("partner.example.com does not respond");
                })
                .start();
        for (int i = 0; i < CALLS; i++) {
            site.queue().enqueue(CALL, "order " + i);
        }
    }

    /** Moves the events of the story into the past. */
    void age(Site site) throws SQLException {
        await().atMost(Site.SOON)
                .until(() -> site.queue().admin().jobs().list(JobFilter.ALL.queue("webhooks")).stream()
                        .allMatch(job -> job.attempt() == 1 && job.state().isWaiting()));
        String minute = "60000000";
        site.execute("UPDATE pawl_queue SET paused_at = paused_at - " + MINUTES_PAUSED + " * " + minute);
        site.execute("UPDATE pawl_job SET available_at = available_at - (" + REPORTS + " - id) * " + MINUTES_PAUSED
                + " * " + minute + " / " + REPORTS + ", created_at = created_at - (" + REPORTS + " - id) * "
                + MINUTES_PAUSED + " * " + minute + " / " + REPORTS + " WHERE queue = 'reports'");
        site.execute("UPDATE pawl_attempt SET failed_at = failed_at - (job_id % 4) * (job_id % 3 + 1) * 2 * 60 * "
                + minute + " WHERE error LIKE '%does not respond%'");
        recentSeries(site);
    }

    /** The lower bound of a bucket of run times, in microseconds. It depends on the minute, so that mail is slower at times. */
    private static long from(int minute, int bucket) {
        return RunTimes.from(22 + (minute / 9 + minute / 4) % 2 + bucket) / 1000 + 1;
    }

    /** Inserts samples of the last hour. The last sample agrees with the jobs. */
    static void recentSeries(Site site) throws SQLException {
        for (int minute = 59; minute > 0; minute--) {
            double busy = Math.min(1, (minute - 1) / 8.0);
            int waiting = (int) ((25 + 25 * Math.sin(minute / 6.0) + minute % 7) * busy);
            int running = (int) Math.round((2 + 2 * Math.sin(minute / 6.0)) * busy);
            int reports = REPORTS * Math.max(0, MINUTES_PAUSED - minute) / (MINUTES_PAUSED - 1);
            int done = 500 + (int) (200 * Math.sin(minute / 6.0 + 1)) + 13 * (minute % 5);
            site.execute("INSERT INTO pawl_sample (resolution, taken_at, span, stats) VALUES (0,"
                    + " CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000 - " + minute + " * 60000000, 60000000, '"
                    + """
                    {"queues":{"mail":{"available":%d,"delayed":1,"running":%d,"oldest_ms":%d,"completed":%d},
                    "default":{"available":%d,"retrying":1,"running":2,"oldest_ms":%d,"completed":%d,"discarded":%d},
                    "reports":{"available":%d,"oldest_ms":%d,"completed":%d},
                    "webhooks":{"retrying":%d,"completed":%d}},
                    "runs":{"mail.send":{"%d":4,"%d":52,"%d":360,"%d":108,"%d":%d},"report.build":{"8389":46,"12583":8}}}')""".formatted(
                                    waiting,
                                    running,
                                    90 * waiting + 400,
                                    done,
                                    waiting / 3,
                                    60 * waiting,
                                    done / 3,
                                    minute == 4 ? 1 : 0,
                                    reports,
                                    Math.max(0, MINUTES_PAUSED - minute) * 60_000L,
                                    minute < MINUTES_PAUSED ? 0 : 40,
                                    CALLS,
                                    30 + minute % 9,
                                    from(minute, 0),
                                    from(minute, 1),
                                    from(minute, 2),
                                    from(minute, 3),
                                    from(minute, 4),
                                    1 + minute % 9));
        }
    }

    @Override
    public void close() {
        worker.close();
    }
}
