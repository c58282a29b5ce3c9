package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobType;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import dev.pawl.testkit.QueueTester;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/unique-jobs.md. */
class UniqueJobsTest {
    record Reindex(long product) {}

    static final JobType<Reindex> REINDEX = JobType.of("product.reindex", Reindex.class);

    record Report(long account, String day) {}

    static final JobType<Report> REPORT = JobType.of("report.daily", Report.class);

    static String reindex(JobQueue queue, Reindex product) {
        EnqueueResult result =
                queue.enqueue(REINDEX, product, REINDEX.defaults().uniqueKey("product-" + product.product()));
        if (result instanceof EnqueueResult.Inserted inserted) {
            return "job " + inserted.jobId() + " will do it";
        } else {
            return "job " + result.jobId() + " is there already";
        }
    }

    static EnqueueResult latestWins(JobQueue queue, Reindex product) {
        return queue.enqueue(
                REINDEX,
                product,
                REINDEX.defaults()
                        .uniqueKey("product-" + product.product())
                        .onDuplicate(OnDuplicate.REPLACE)
                        .delay(Duration.ofSeconds(10)));
    }

    record Digest(long user, List<String> messages) {
        Digest and(List<String> more) {
            return new Digest(
                    user, Stream.concat(messages.stream(), more.stream()).toList());
        }
    }

    static final JobType<Digest> DIGEST = JobType.of("digest.send", Digest.class);

    static EnqueueResult collected(JobQueue queue, Digest digest) {
        return queue.enqueueMerged(
                DIGEST,
                digest,
                DIGEST.defaults().uniqueKey("user-" + digest.user()).delay(Duration.ofMinutes(5)),
                (waiting, more) -> waiting.and(more.messages()));
    }

    @Test
    void aBurstIsCollected(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            collected(queue, new Digest(7, List.of("a")));
            EnqueueResult result = collected(queue, new Digest(7, List.of("b")));
            assertThat(queue.admin().jobs().find(result.jobId()).orElseThrow().payload())
                    .contains("[\"a\",\"b\"]");
        }
    }

    @Test
    void aKeyMayBeDrawnFromThePayloadOrHoldForATime(@TempDir Path folder) {
        Reindex product = new Reindex(7);
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.enqueue(REINDEX, product, REINDEX.defaults().uniqueByPayload());
            queue.enqueue(REINDEX, product, REINDEX.defaults().uniqueByPayload(Duration.ofMinutes(10)));
            queue.enqueue(REINDEX, product, REINDEX.defaults().uniqueKey("product-7", Duration.ofMinutes(10)));
            QueueTester.of(queue).requireWaiting(REINDEX, 2);
        }
    }

    @Test
    void oneMayRunAndOneWait(@TempDir Path folder) {
        Reindex product = new Reindex(7);
        try (JobQueue queue = DocsQueue.in(folder)) {
            EnqueueOptions options = REINDEX.defaults()
                    .uniqueKey("product-7")
                    .uniqueWhile(UniqueWhile.WAITING)
                    .key("reindex product-7");
            queue.enqueue(REINDEX, product, options);
            assertThat(queue.enqueue(REINDEX, product, options)).isInstanceOf(EnqueueResult.Duplicate.class);
        }
    }

    @Test
    void aSecondJobWithTheKeyIsNotWritten(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            assertThat(reindex(queue, new Reindex(7))).endsWith("will do it");
            assertThat(reindex(queue, new Reindex(7))).endsWith("is there already");
            assertThat(latestWins(queue, new Reindex(7))).isInstanceOf(EnqueueResult.Replaced.class);
            QueueTester.of(queue).requireWaiting(REINDEX, 1);
        }
    }

    @Test
    void aReportIsWrittenOnceHoweverOftenItIsEnqueued(@TempDir Path folder) throws Exception {
        DataSource dataSource = DocsQueue.file(folder);
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE report (account bigint, day varchar(10), PRIMARY KEY (account, day))");
        }
        List<Report> reports = List.of(new Report(1, "2030-01-31"), new Report(2, "2030-01-31"));
        try (JobQueue queue = JobQueue.open(dataSource)) {
            for (int night = 0; night < 2; night++) {
                queue.enqueueAll(
                        REPORT,
                        reports,
                        report -> EnqueueOptions.DEFAULTS.uniqueKey(report.account() + "/" + report.day()));
                var worker = Worker.on(queue)
                        .handle(
                                REPORT,
                                (report, run) -> run.transaction(connection -> {
                                    String sql =
                                            "INSERT INTO report (account, day) VALUES (?, ?) ON CONFLICT DO NOTHING";
                                    try (var insert = connection.prepareStatement(sql)) {
                                        insert.setLong(1, report.account());
                                        insert.setString(2, report.day());
                                        insert.executeUpdate(); // 0: a job before this one has written it
                                    }
                                }));
                var stats = QueueTester.of(queue).drain(worker, Duration.ofSeconds(30));
                assertThat(stats.completed()).isEqualTo(2);
                assertThat(stats.failed()).isZero();
            }
        }
    }
}
