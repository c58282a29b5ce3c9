package dev.pawl.docs;

import static dev.pawl.docs.Patient.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Subject;
import java.net.ConnectException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/guides/limits.md. */
class LimitsTest {
    private static final JobType<String> SEND = JobType.of("mail.send", String.class);

    private interface Gateway {
        void send(String mail) throws ConnectException;
    }

    @Test
    void limitsAreSetByAProgram(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.limits().set(Limit.kind("mail.send").atOnce(5)); // five at a time
            queue.limits().set(Limit.queue("crawl").rate(100, Duration.ofMinutes(1))); // a hundred starts a minute
            queue.limits().set(Limit.kind("report.print").atOnce(1).rate(10, Duration.ofHours(1))); // both
            assertThat(queue.limits().list()).hasSize(3);
        }
    }

    @Test
    void aLimitOfAPersonIsKept(@TempDir Path folder) {
        try (JobQueue queue = DocsQueue.in(folder)) {
            Limit byHand = Limit.queue("crawl").rate(7, Duration.ofMinutes(1));
            queue.limits().set(byHand);
            Limit crawl = Limit.queue("crawl").rate(100, Duration.ofMinutes(1));
            if (queue.limits().list().stream()
                    .noneMatch(info -> info.limit().subject().equals(crawl.subject()))) {
                queue.limits().set(crawl);
            }
            assertThat(queue.limits().list()).extracting(info -> info.limit()).containsExactly(byHand);
        }
    }

    private static final JobType<String> NEWSLETTER = JobType.of("newsletter.send", String.class);

    @Test
    void aJobTakesSeveralStarts(@TempDir Path folder) {
        String part = "A to C";
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.enqueue(NEWSLETTER, part, NEWSLETTER.defaults().cost(50));
            assertThat(queue.admin().jobs().list(JobFilter.ALL))
                    .extracting(Job::cost)
                    .containsExactly(50);
        }
    }

    static final JobType<String> SYNC =
            JobType.of("account.sync", String.class).withDefaults(EnqueueOptions.DEFAULTS.queue("sync"));

    @Test
    void jobsOfAKeyRunOneAfterTheOther(@TempDir Path folder) {
        String account = "17";
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.enqueue(SYNC, account, SYNC.defaults().key("customer-17"));
            queue.enqueue(SYNC, account, SYNC.defaults().key("customer-17"));
            queue.limits().set(Limit.keysOf("sync").atOnce(3));
            queue.limits().set(Limit.keysOf("sync").together(60));
            queue.limits().set(Limit.keysOf("sync").atOnce(3).rate(10, Duration.ofSeconds(1)));
            Worker worker = Worker.on(queue)
                    .queues("sync")
                    .handle(SYNC, (id, run) -> {})
                    .start();
            try (worker) {
                await().until(() -> queue.admin()
                                .jobs()
                                .list(JobFilter.ALL.state(JobState.COMPLETED))
                                .size()
                        == 2);
            }
        }
    }

    private interface Server {
        void sync(String account) throws ConnectException;
    }

    @Test
    void unavailableKeysAreHeldBack(@TempDir Path folder) {
        Server server = account -> {
            throw new ConnectException("refused");
        };
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.enqueue(SYNC, "17", EnqueueOptions.DEFAULTS.key("customer-17"));
            Worker worker = Worker.on(queue)
                    .handle(SYNC, Handlers.completing((account, run) -> {
                        try {
                            server.sync(account);
                            return Outcome.completed();
                        } catch (ConnectException e) {
                            return Outcome.keyUnavailable(Duration.ofMinutes(1), "the server does not answer");
                        }
                    }))
                    .start();
            try (worker) {
                await().until(() -> !queue.limits().pausedKeys().isEmpty());
                assertThat(queue.limits().resume(new ConcurrencyKey("default", "customer-17")))
                        .isTrue();
            }
        }
    }

    static JobQueue bounded(DataSource dataSource) {
        JobQueue queue = JobQueue.builder(dataSource)
                .maxWaiting("crawl", 100_000) // QueueFullException beyond that: answer 429, or wait
                .open();
        return queue;
    }

    @Test
    void aQueueMayHaveABound(@TempDir Path folder) {
        try (JobQueue queue = bounded(DocsQueue.file(folder))) {
            queue.limits().set(Limit.queue("crawl").maxWaiting(100_000));
            assertThat(queue.enqueue(SYNC, "17", EnqueueOptions.DEFAULTS.queue("crawl"))
                            .jobId())
                    .isPositive();
        }
    }

    @Test
    void unavailableTargetsAreNotCalled(@TempDir Path folder) {
        AtomicInteger calls = new AtomicInteger();
        Gateway gateway = mail -> {
            calls.incrementAndGet();
            throw new ConnectException("refused");
        };
        try (JobQueue queue = DocsQueue.in(folder)) {
            for (int i = 0; i < 20; i++) {
                queue.enqueue(SEND, "mail " + i);
            }
            Worker worker = Worker.on(queue)
                    .concurrency(1)
                    .handle(SEND, Handlers.completing((mail, run) -> {
                        try {
                            gateway.send(mail);
                            return Outcome.completed();
                        } catch (ConnectException e) {
                            return Outcome.unavailable(Duration.ofSeconds(30), "the mail gateway does not answer");
                        }
                    }))
                    .start();
            try (worker) {
                await().until(() -> !queue.limits().list().isEmpty());
                assertThat(queue.limits().list().get(0).pause())
                        .satisfies(hold -> assertThat(hold)
                                .extracting(each -> each.reason())
                                .isEqualTo("the mail gateway does not answer"));
                assertThat(queue.limits().resume(Subject.kind("mail.send"))).isTrue();
                await().until(() -> calls.get() > 1);
            }
        }
    }
}
