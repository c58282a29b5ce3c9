package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.PayloadCheck;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import dev.pawl.codec.EncryptedCodec;
import dev.pawl.codec.JacksonCodec;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** The check of a release before its deployment: reads each waiting payload once, despite concurrent changes. */
@WhiteBox
interface CheckContract extends Contract {
    JobType<String> NAP = JobType.of("nap", String.class);

    /** Lacks the constant that is stored. */
    enum Shade {
        RED
    }

    /** Stores the text itself; records what was read, and rejects some payloads. */
    final class Recording implements PayloadCodec {
        private final List<String> read = new ArrayList<>();

        @Override
        public <T> String encode(T payload, TypeToken<T> type) {
            return (String) payload;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T decode(String text, TypeToken<T> type) {
            if (text.startsWith("bad")) {
                throw new IllegalStateException("cannot read " + text);
            }
            read.add(text);
            return (T) text;
        }
    }

    private JobQueue queue(PayloadCodec codec) {
        return JobQueue.builder(fixture().pool)
                .tablePrefix(fixture().prefix)
                .migrate(false)
                .codec(codec)
                .open();
    }

    private static WorkerBuilder release(JobQueue queue) {
        return Worker.on(queue).handle(GREET, (text, run) -> {}).handle(NAP, (text, run) -> {});
    }

    private static List<String> texts(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "job " + i).toList();
    }

    private void finish(List<Grant> claimed, Verdict verdict) throws SQLException {
        assertThat(fixture()
                        .finish(claimed.stream()
                                .map(grant -> new Settlement(
                                        grant.lease(),
                                        verdict,
                                        grant.job().batch().orElse(0)))
                                .toList()))
                .hasSize(claimed.size());
    }

    /** All waiting jobs are read, regardless of why they wait; finished jobs are not. */
    @Test
    default void jobsAreReadInEveryWaitingState() throws Exception {
        Recording codec = new Recording();
        try (JobQueue queue = queue(codec)) {
            queue.enqueueAll(GREET, List.of("completed", "discarded", "retrying", "running"));
            List<Grant> claimed = fixture().claim(4);
            finish(claimed.subList(0, 1), new Verdict.Completed());
            finish(claimed.subList(1, 2), new Verdict.Discarded("failed", "on purpose"));
            finish(claimed.subList(2, 3), new Verdict.Retry(Duration.ofHours(1), "once more"));
            queue.enqueue(NAP, "asleep");
            try (Worker worker = fixture()
                    .newWorker()
                    .extend(registry -> registry.encoded(
                            NAP.kind(),
                            (text, run) -> {
                                run.steps().sleep("for long", Duration.ofDays(3));
                                throw new AssertionError("it sleeps");
                            },
                            HandlerOptions.DEFAULTS))
                    .start()) {
                await().atMost(Fixture.SOON).until(() -> worker.stats().snoozed() == 1);
            }
            queue.enqueue(GREET, "available");
            queue.enqueue(GREET, "delayed", EnqueueOptions.DEFAULTS.delay(Duration.ofDays(30)));
            queue.enqueue(GREET, "first of its key", EnqueueOptions.DEFAULTS.key("ada"));
            queue.enqueue(GREET, "parked", EnqueueOptions.DEFAULTS.key("ada"));
            queue.enqueue(
                    GREET, "elsewhere", EnqueueOptions.DEFAULTS.queue("another").priority(3));
            Batch careful = queue.batch("careful").canary(1).open();
            careful.enqueueAll(GREET, List.of("canary", "held back"));
            Batch paused = queue.batch("paused").open();
            paused.pause();
            paused.enqueue(GREET, "paused");
            queue.workflow("w")
                    .job("a", GREET, "node")
                    .then("b", GREET, "blocked")
                    .start();
            PayloadCheck check = release(queue).checkPayloads();
            assertThat(codec.read)
                    .containsExactlyInAnyOrder(
                            "retrying",
                            "running",
                            "asleep",
                            "available",
                            "delayed",
                            "first of its key",
                            "parked",
                            "elsewhere",
                            "canary",
                            "held back",
                            "paused",
                            "node",
                            "blocked");
            assertThat(check.read()).isEqualTo(13);
            assertThat(check.unreadable()).isZero();
            assertThat(check.unhandled()).isEmpty();
        }
    }

    /** A renamed constant is enough for an error, and the database, the log and the pages show the text of the error. */
    @Test
    default void errorsDoNotShowEncryptedPayloads() {
        JobType<Shade> now = JobType.of("paint", Shade.class);
        EncryptedCodec codec = EncryptedCodec.of(new JacksonCodec(), "k", new SecretKeySpec(new byte[32], "AES"));
        try (JobQueue queue = queue(codec)) {
            long id = queue.enqueue(
                            JobType.of("paint", String.class),
                            "TOPSECRETX",
                            EnqueueOptions.DEFAULTS.maxAttempts(1).uniqueByPayload())
                    .jobId();
            assertThat(fixture().job(id).payload()).doesNotContain("TOPSECRETX");
            WorkerBuilder release = Worker.on(queue).handle(now, (shade, run) -> {});
            PayloadCheck check = release.checkPayloads();
            assertThat(check.examples()).hasSize(1);
            assertThat(check.examples().get(0).why()).contains("Shade").doesNotContain("TOPSECRETX");
            try (Worker worker = release.start()) {
                await().atMost(Fixture.SOON).until(() -> worker.stats().discarded() == 1);
            }
            List<FailedAttempt> failed = fixture().admin.runs().failedAttempts(id, Admin.UNLIMITED);
            assertThat(failed).hasSize(1);
            assertThat(failed.toString()).contains("Shade").doesNotContain("TOPSECRETX");
            assertThat(String.valueOf(fixture().job(id))).doesNotContain("TOPSECRETX");
            EnqueueOptions unique = EnqueueOptions.DEFAULTS.uniqueKey("waits").delay(Duration.ofHours(1));
            queue.enqueue(JobType.of("paint", String.class), "TOPSECRETX", unique);
            assertThatThrownBy(() -> queue.enqueueMerged(now, Shade.RED, unique, (one, other) -> other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Shade")
                    .hasStackTraceContaining("redacted")
                    .satisfies(error ->
                            assertThat(error).hasToString(error.toString().replace("TOPSECRETX", "")));
        }
    }

    /**
     * Jobs move in both directions, and out of the lane. When the first page is read, the oldest jobs run and the others wait. After that,
     * the oldest jobs wait and others run.
     */
    @Test
    default void jobsThatMoveWhileTheyAreReadAreReadOnce() throws Exception {
        Recording codec = new Recording();
        try (JobQueue queue = queue(codec)) {
            queue.enqueueAll(GREET, texts(0, 70));
            List<Grant> running = fixture().claim(70);
            assertThat(running).hasSize(70);
            queue.enqueueAll(GREET, texts(70, 160));
            AtomicBoolean begun = new AtomicBoolean();
            PayloadCheck check = release(queue).checkPayloads(looked -> {
                if (begun.compareAndSet(false, true)) {
                    move(queue, running);
                }
            });
            assertThat(begun).isTrue();
            assertThat(codec.read).containsExactlyInAnyOrderElementsOf(texts(0, 160));
            assertThat(check.read()).isEqualTo(160);
        }
    }

    private void move(JobQueue queue, List<Grant> running) {
        try {
            finish(running, new Verdict.Retry(Duration.ZERO, "again"));
            assertThat(fixture().claim(100)).isNotEmpty();
            queue.enqueueAll(GREET, List.of("too", "late"));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** The id of the late job is lower than those of claimed jobs. */
    @Test
    @RunsOn({Product.POSTGRESQL, Product.MARIADB, Product.MYSQL})
    default void aJobThatWasCommittedLateIsRead() throws Exception {
        Recording codec = new Recording();
        assumeTrue(fixture().database.dialect().mayCommitLate());
        try (JobQueue queue = queue(codec);
                Connection late = fixture().pool.getConnection()) {
            late.setAutoCommit(false);
            queue.within(late).enqueue(GREET, "late");
            queue.enqueueAll(GREET, texts(0, 3));
            List<Grant> claimed = fixture().claim(3);
            late.commit();
            late.setAutoCommit(true);
            finish(claimed, new Verdict.Completed());
            PayloadCheck check = release(queue).checkPayloads();
            assertThat(check.read()).isEqualTo(4 - claimed.size());
            assertThat(codec.read).containsOnlyOnce("late");
        }
    }

    /** Schedules that the release declares are written anew when it starts. */
    @Test
    default void payloadsOfSchedulesAreRead() throws Exception {
        Recording codec = new Recording();
        try (JobQueue queue = queue(codec)) {
            Recurrence daily = Recurrence.every(Duration.ofDays(1));
            assertThat(queue.schedules().add(Schedule.of("good", GREET, "of a schedule", daily)))
                    .isTrue();
            assertThat(queue.schedules().add(Schedule.of("old", GREET, "bad schedule", daily)))
                    .isTrue();
            assertThat(queue.schedules().add(Schedule.of("own", GREET, "bad, but declared", daily)))
                    .isTrue();
            JobType<String> unknown = JobType.of("unknown", String.class);
            assertThat(queue.schedules().add(Schedule.of("other", unknown, "bad", daily)))
                    .isTrue();
            Batch batch = queue.batch("import")
                    .onDone(GREET, "of a batch")
                    .onFailed(GREET, "bad, but fired")
                    .onSuccess(NAP, "bad callback")
                    .open();
            long failed = batch.enqueue(GREET, "first").jobId();
            finish(fixture().claim(1), new Verdict.Discarded("failed", "on purpose"));
            await().atMost(Fixture.SOON).until(() -> fixture().job(failed).state() == JobState.DISCARDED);
            batch.enqueue(GREET, "second");
            Batch done = queue.batch("done")
                    .onDone(unknown, "bad")
                    .onSuccess(NAP, "bad, and done")
                    .open();
            done.seal();
            PayloadCheck check = release(queue)
                    .schedule(Schedule.of("own", GREET, "of the release", daily))
                    .checkPayloads();
            assertThat(codec.read).containsExactlyInAnyOrder("of a schedule", "of a batch", "second");
            assertThat(check.toCome())
                    .containsExactlyInAnyOrder(
                            new PayloadCheck.ToCome("schedule old", "greet", "cannot read bad schedule"),
                            new PayloadCheck.ToCome(
                                    "batch " + batch.id() + " (import)", "nap", "cannot read bad callback"));
            assertThat(check.examples())
                    .extracting(PayloadCheck.Unreadable::why)
                    .as("callbacks that are jobs by now")
                    .containsExactlyInAnyOrder("cannot read bad, but fired", "cannot read bad, and done");
            assertThat(check.unreadable()).isEqualTo(4);
            assertThat(check.kinds())
                    .containsExactly(new PayloadCheck.OfKind("greet", 3, 2), new PayloadCheck.OfKind("nap", 0, 2));
            assertThat(check.unhandled()).as("a schedule and a job").containsExactly(Map.entry("unknown", 2L));
        }
    }
}
