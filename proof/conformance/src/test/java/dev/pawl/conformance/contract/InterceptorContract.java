package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.Tick;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Interceptors of every enqueue and every run. */
interface InterceptorContract extends Contract {
    private JobQueue queue(EnqueueInterceptor... interceptors) {
        var builder = JobQueue.builder(fixture().pool)
                .tablePrefix(fixture().prefix)
                .maxPayloadBytes(1000)
                .migrate(false);
        for (EnqueueInterceptor each : interceptors) {
            builder.interceptEnqueue(each);
        }
        return builder.open();
    }

    private List<Job> jobs() {
        return fixture().admin.jobs().list(JobFilter.ALL);
    }

    /**
     * Regression: a callback to which an interceptor had added headers was refused, so no batch with a callback could be enqueued while
     * traces were on.
     */
    @Test
    default void callbacksOfBatchesKeepWhatItHasAdded() throws Exception {
        try (JobQueue queue = queue(request -> request.header("tenant", "acme")
                .options(request.header("tenant", "acme").options().tags("red", "blue")))) {
            Batch batch = queue.batch("night").onDone(GREET, "done").open();
            long unused = batch.enqueue(GREET, "member").jobId();
            batch.seal();
            try (Worker worker =
                    fixture().newWorker().handle(GREET, (name, run) -> {}).start()) {
                await().atMost(Fixture.SOON).until(() -> worker.stats().completed() == 2);
            }
            Job callback = jobs().stream()
                    .filter(job -> job.callbackOf().isPresent())
                    .findFirst()
                    .orElseThrow();
            assertThat(callback.callbackOf()).hasValue(batch.id());
            assertThat(callback.headers()).containsEntry("tenant", "acme");
            assertThat(callback.tags()).containsExactlyInAnyOrder("red", "blue");
        }
    }

    @Test
    default void everyEnqueuePassesItOnce() throws Exception {
        AtomicInteger passed = new AtomicInteger();
        try (JobQueue queue = queue(
                        request -> request.header("number", "" + passed.incrementAndGet()),
                        request -> request.options(request.options()
                                .tags("n" + request.options().headers().get("number"))));
                Connection connection = fixture().pool.getConnection()) {
            EnqueueOptions own = EnqueueOptions.DEFAULTS.header("own", "1");
            JobRequest encoded = new JobRequest("greet", "\"x\"", own);
            queue.enqueue(GREET, "a", own);
            queue.enqueue(encoded);
            queue.enqueueAll(GREET, List.of("b", "c"), text -> own);
            queue.enqueueAll(List.of(encoded, encoded));
            connection.setAutoCommit(false);
            queue.within(connection).enqueue(GREET, "d", own);
            queue.within(connection).enqueue(encoded);
            queue.within(connection).enqueueAll(GREET.withDefaults(own), List.of("e"));
            queue.within(connection).enqueueEach(List.of(encoded, encoded));
            queue.within(connection).enqueueFrom(own, "SELECT 'greet', ?", "\"f\"");
            connection.commit();
            connection.setAutoCommit(true);
        }
        assertThat(passed).hasValue(12);
        assertThat(jobs()).hasSize(12).allSatisfy(job -> {
            assertThat(job.headers()).containsEntry("own", "1");
            assertThat(job.tags()).containsExactly("n" + job.headers().get("number"));
        });
        assertThat(jobs().stream().map(job -> job.headers().get("number"))).doesNotHaveDuplicates();
    }

    @Test
    default void refusedJobsAreNotWritten() throws Exception {
        EnqueueInterceptor refusing = request -> {
            if (request.payload().contains("secret")) {
                throw new IllegalArgumentException("not this one");
            }
            return request;
        };
        try (JobQueue queue = queue(refusing);
                Connection connection = fixture().pool.getConnection()) {
            assertThatThrownBy(() -> queue.enqueue(GREET, "secret"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("not this one");
            assertThatThrownBy(() -> queue.enqueueAll(GREET, List.of("a", "secret", "b")))
                    .isInstanceOf(IllegalArgumentException.class);
            connection.setAutoCommit(false);
            queue.within(connection).enqueue(GREET, "good");
            assertThatThrownBy(() -> queue.within(connection)
                            .enqueueFrom(EnqueueOptions.DEFAULTS, "SELECT 'greet', ?", "\"secret\""))
                    .isInstanceOf(IllegalArgumentException.class);
            connection.commit(); // the caller's transaction goes on
            connection.setAutoCommit(true);
        }
        assertThat(jobs()).extracting(Job::payload).containsExactly("\"good\"");
    }

    /** Size, key and queue are checked on the job that the interceptor returns. */
    @Test
    default void theResultingJobIsChecked() throws Exception {
        try (JobQueue queue = queue(request -> request.payload().contains("grow")
                ? new JobRequest(request.kind(), "x".repeat(1001), request.options())
                : request.options(request.options().queue("other").uniqueByPayload()))) {
            assertThatThrownBy(() -> queue.enqueue(GREET, "grow"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1001 bytes");
            EnqueueResult first = queue.enqueue(GREET, "same");
            assertThat(queue.enqueue(GREET, "same")).isEqualTo(new EnqueueResult.Duplicate(first.jobId()));
            assertThat(fixture().job(first.jobId()).queue()).isEqualTo("other");
        }
        try (JobQueue queue = queue(InterceptorContract::nothing)) {
            assertThatThrownBy(() -> queue.enqueue(GREET, "x"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("returned null");
        }
    }

    @SuppressWarnings("NullAway") // possible in a program without null checks
    private static JobRequest nothing(JobRequest request) {
        return null;
    }

    @Test
    default void aMergedJobPassesAgain() throws Exception {
        try (JobQueue queue =
                queue(request -> request.header("length", "" + request.payload().length()))) {
            EnqueueOptions once = EnqueueOptions.DEFAULTS.uniqueKey("k");
            long id = queue.enqueueMerged(GREET, "a", once, String::concat).jobId();
            assertThat(fixture().job(id).headers()).containsEntry("length", "3");
            queue.enqueueMerged(GREET, "bc", once, String::concat);
            assertThat(fixture().job(id).payload()).isEqualTo("\"abc\"");
            assertThat(fixture().job(id).headers()).containsEntry("length", "5");
        }
    }

    /** A worker enqueues a tick when the tick is due, and a user may enqueue one at any time. */
    @Test
    default void aTickPassesItAndStaysATick() throws Exception {
        Queue<String> refused = new ConcurrentLinkedQueue<>();
        try (JobQueue queue = queue(request -> {
            if ("refused".equals(request.options().headers().get(Tick.SCHEDULE_HEADER))) {
                refused.add(request.kind());
                throw new IllegalArgumentException("not this one");
            }
            if ("broken".equals(request.options().headers().get(Tick.SCHEDULE_HEADER))) {
                refused.add("broken");
                throw new AssertionError(); // errors count, too
            }
            return request.options(EnqueueOptions.DEFAULTS
                    .queue("elsewhere")
                    .uniqueKey("another")
                    .priority(3)
                    .header("traceparent", "00-1"));
        })) {
            Recurrence pause = Recurrence.after(Duration.ofHours(1));
            queue.schedules().add(Schedule.of("broken", GREET, "x", pause));
            queue.schedules().add(Schedule.of("refused", GREET, "x", pause));
            queue.schedules().add(Schedule.of("nightly", GREET, "x", pause));
            Worker idle = Worker.on(queue)
                    .queues("none")
                    .handle(JobType.of("none", String.class), (text, run) -> {})
                    .start();
            try (idle) {
                await().atMost(Fixture.SOON)
                        .until(() -> !jobs().isEmpty() && refused.containsAll(List.of("broken", "greet")));
            }
            assertThat(jobs()).singleElement().satisfies(job -> {
                assertThat(job.queue()).isEqualTo("default");
                assertThat(job.priority()).isEqualTo(3);
                assertThat(job.uniqueKey()).isEqualTo("schedule nightly");
                assertThat(job.headers())
                        .containsEntry("traceparent", "00-1")
                        .containsEntry(Tick.SCHEDULE_HEADER, "nightly")
                        .containsKey(Tick.HEADER);
            });
            assertThat(queue.schedules().runNow("nightly")).containsInstanceOf(EnqueueResult.Duplicate.class);
            assertThatThrownBy(() -> queue.schedules().runNow("refused")).hasMessage("not this one");
        }
    }

    @Test
    default void everyHandlerIsIntercepted(Fixture fixture) {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        JobType<Integer> number = JobType.of("number", Integer.class);
        fixture.queue.enqueue(GREET, "x", EnqueueOptions.DEFAULTS.header("traceparent", "00-1"));
        fixture.queue.enqueue(new JobRequest("former", "1", EnqueueOptions.DEFAULTS));
        fixture.queue.enqueue(new JobRequest("text", "{}", EnqueueOptions.DEFAULTS));
        long broken = fixture.queue
                .enqueue(new JobRequest("number", "\"none\"", EnqueueOptions.DEFAULTS.maxAttempts(1)))
                .jobId();
        try (Worker worker = fixture.newWorker()
                .handle(GREET, (text, run) -> seen.add("greet"))
                .intercept((run, handler) -> {
                    String name = run.job().kind() + run.job().headers();
                    try {
                        Outcome outcome = handler.proceed();
                        seen.add(name + " " + outcome.getClass().getSimpleName());
                        return outcome;
                    } catch (RuntimeException unreadable) {
                        seen.add(name + " unreadable");
                        throw unreadable;
                    }
                })
                .handle(number, Handlers.completing((value, run) -> Outcome.discard("no " + value)))
                .alias("former", number)
                .extend(registry ->
                        registry.encoded("text", (text, run) -> Outcome.cancel(text), HandlerOptions.DEFAULTS))
                .start()) {
            await().atMost(Fixture.SOON)
                    .until(() -> jobs().stream().allMatch(job -> job.state().isFinished()));
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(fixture.job(broken).state()).isEqualTo(JobState.DISCARDED);
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "greet",
                        "greet{traceparent=00-1} Completed",
                        "former{} Discard",
                        "text{} Cancel",
                        "number{} unreadable");
    }

    @Test
    default void itsExceptionIsOneOfTheHandlerAndTooLateAfterItsTransaction(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers(); // the transaction would be rolled back, and the job retried
        fixture.execute("CREATE TABLE pawl_written (id bigint)");
        long id = fixture.enqueue();
        long other = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        String insert = fixture.database.dialect().sql("INSERT INTO pawl_written VALUES (?)");
        try (Worker worker = fixture.newWorker()
                .intercept((run, handler) -> {
                    Outcome unused = handler.proceed();
                    throw new IllegalStateException("after the handler");
                })
                .handle(GREET, (text, run) -> {
                    if (run.job().id() == id) {
                        run.transaction(connection -> {
                            try (var statement = connection.prepareStatement(insert)) {
                                statement.setLong(1, run.job().id());
                                statement.executeUpdate();
                            }
                        });
                    }
                })
                .start()) {
            fixture.awaitState(other, JobState.DISCARDED);
            fixture.awaitState(id, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(fixture.admin.runs().failedAttempts(other, Admin.UNLIMITED))
                .singleElement()
                .satisfies(failed -> assertThat(failed.error()).contains("after the handler"));
        assertThat(fixture.count("pawl_written")).isEqualTo(1);
    }

    @Test
    default void aSlotOfASkippedHandlerIsReturned(Fixture fixture) throws Exception {
        Queue<String> slots = new ConcurrentLinkedQueue<>();
        long over = fixture.enqueue();
        try (Worker worker = fixture.newWorker()
                .concurrency(1)
                .intercept((run, handler) -> {
                    slots.add("around " + run.slot().orElseThrow().value());
                    return run.job().id() == over ? Outcome.completed() : handler.proceed();
                })
                .handle(
                        GREET,
                        SlotContract.tens(fixture)
                                .around((text, run) -> slots.add(
                                        "handler " + run.slot().orElseThrow().value())))
                .start()) {
            fixture.awaitState(over, JobState.COMPLETED);
            await().atMost(Fixture.SOON)
                    .until(() -> fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 2") == 1);
            fixture.awaitState(fixture.enqueue(), JobState.COMPLETED);
            assertThat(worker.stats().failed()).isZero();
        }
        assertThat(slots).containsExactly("around 10", "around 10", "handler 10");
        assertThat(SlotContract.tens(fixture).lastUsed()).contains("10");
    }
}
