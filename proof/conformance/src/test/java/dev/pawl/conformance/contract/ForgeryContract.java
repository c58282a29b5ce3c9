package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueInterceptor;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.conformance.Specified;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Only the library links a job to other jobs. The headers and times that it reserves for this are refused on every path that a user has.
 */
@Specified
interface ForgeryContract extends Contract {
    Instant YEAR_8000 = Instant.parse("8000-01-01T00:00:00Z");

    private static EnqueueOptions forged(String name, String value) {
        return EnqueueOptions.DEFAULTS.headers(Map.of(name, value));
    }

    private static Map<String, String> with(Map<String, String> headers, String name) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, "1");
        return more;
    }

    private JobQueue queue(EnqueueInterceptor interceptor) {
        return JobQueue.builder(fixture().pool)
                .tablePrefix(fixture().prefix)
                .interceptEnqueue(interceptor)
                .open();
    }

    @Test
    default void noJobIsForgedIntoASealedBatch() throws Exception {
        Batch batch = fixture().queue.batch("b").open();
        batch.enqueue(GREET, "member");
        batch.seal();
        String id = Long.toString(batch.id());
        assertThatThrownBy(
                        () -> EnqueueOptions.DEFAULTS.header("pawl-batch", id).header("pawl-added-by", "1"))
                .isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> batch.with(EnqueueOptions.DEFAULTS).header("pawl-added-by", "1"))
                .isInstanceOf(InvalidJobException.class);
        try (JobQueue queue = queue(request -> request.options(forged("pawl-batch", id)));
                JobQueue other = queue(request -> request.header("pawl-batch", id));
                Connection connection = fixture().pool.getConnection()) {
            assertThatThrownBy(() -> queue.enqueue(GREET, "x")).isInstanceOf(InvalidJobException.class);
            assertThatThrownBy(() -> other.enqueueAll(GREET, List.of("x"))).isInstanceOf(InvalidJobException.class);
            connection.setAutoCommit(false);
            assertThatThrownBy(() ->
                            other.within(connection).enqueueFrom(EnqueueOptions.DEFAULTS, "SELECT 'greet', ?", "\"x\""))
                    .isInstanceOf(InvalidJobException.class);
            connection.rollback();
            connection.setAutoCommit(true);
        }
        Job member = fixture().admin.jobs().list(JobFilter.ALL).get(0);
        assertThat(fixture().admin.jobs().list(JobFilter.ALL)).hasSize(1);
        assertThat(member.headers()).isEmpty();
        assertThat(member.batch()).hasValue(batch.id());
    }

    /** For example, a tracing library copies the headers and adds its own. */
    @Test
    default void anInterceptorAddsToTheHeadersOfTheLibraryAndCannotTakeThemAway() throws Exception {
        try (JobQueue queue = queue(request ->
                request.options(request.options().headers(with(request.options().headers(), "trace"))))) {
            Batch batch = queue.batch("b").open();
            long id = queue.enqueue(
                            GREET, "x", batch.with(EnqueueOptions.DEFAULTS).key("k"))
                    .jobId();
            assertThat(fixture().job(id).headers()).isEqualTo(Map.of("trace", "1"));
            assertThat(fixture().job(id).key()).hasValue("k");
            assertThat(fixture().job(id).batch()).hasValue(batch.id());
        }
        try (JobQueue queue = queue(request -> request.options(request.options().headers(Map.of("own", "1"))))) {
            Batch batch = queue.batch("b").open();
            long id = queue.enqueue(GREET, "x", batch.with(EnqueueOptions.DEFAULTS))
                    .jobId();
            assertThat(fixture().job(id).batch()).hasValue(batch.id());
        }
    }

    @Test
    default void aTickKeepsItsHeadersDespiteItsInterceptor() throws Exception {
        for (boolean forging : List.of(false, true)) {
            String name = forging ? "forged" : "copied";
            EnqueueInterceptor interceptor = request -> forging
                    ? request.header("pawl-schedule", "another")
                    : request.options(
                            request.options().headers(with(request.options().headers(), "trace")));
            try (JobQueue queue = queue(interceptor)) {
                queue.schedules()
                        .add(
                                name,
                                new JobRequest("greet", "\"x\"", EnqueueOptions.DEFAULTS.queue(name)),
                                Recurrence.every(Duration.ofSeconds(1)),
                                Missed.ONCE,
                                Overlap.ALLOW);
                JobFilter ticks = JobFilter.ALL.queue(name);
                try (Worker keeper = Worker.on(queue)
                        .pollInterval(Duration.ofMillis(100))
                        .handle(GREET, (text, run) -> {})
                        .start()) {
                    if (forging) {
                        fixture().awaitState(fixture().enqueue(), dev.pawl.api.JobState.COMPLETED);
                    } else {
                        await().atMost(Fixture.SOON)
                                .until(() -> !fixture().admin.jobs().list(ticks).isEmpty());
                    }
                    assertThat(keeper.isAlive()).isTrue();
                }
                assertThat(fixture().admin.jobs().list(ticks))
                        .allSatisfy(job -> assertThat(job.headers()).containsEntry("pawl-schedule", name));
                queue.schedules().remove(name);
            }
        }
    }

    /** The schedule was written by an older version, which accepted reserved headers. */
    @Test
    default void forgedHeadersOfAStoredScheduleAreIgnored() throws Exception {
        fixture()
                .queue
                .schedules()
                .add(
                        "old",
                        new JobRequest(
                                "greet",
                                "\"x\"",
                                EnqueueOptions.DEFAULTS.queue("ticks").header("own", "1")),
                        Recurrence.every(Duration.ofSeconds(1)),
                        Missed.ONCE,
                        Overlap.ALLOW);
        fixture().execute("UPDATE pawl_schedule SET headers = '{\"own\":\"1\",\"pawl-batch\":\"7\"}'");
        JobFilter ticks = JobFilter.ALL.queue("ticks");
        Worker keeper = fixture().newWorker().handle(GREET, (text, run) -> {}).start();
        try (keeper) {
            await().atMost(Fixture.SOON)
                    .until(() -> !fixture().admin.jobs().list(ticks).isEmpty());
        }
        assertThat(fixture().admin.jobs().list(ticks)).allSatisfy(job -> {
            assertThat(job.headers()).containsEntry("own", "1");
            assertThat(job.batch()).isEmpty();
        });
    }

    /** Delays from a handler or a policy are capped at ten years. */
    @Test
    default void noRunPutsItsJobIntoTheReservedYears() throws Exception {
        fixture().assumeNoTransactionAroundHandlers();
        Duration ages = Duration.ofDays(365L * 6_500);
        List<Long> ids = List.of(
                fixture().queue.enqueue(GREET, "snooze").jobId(),
                fixture().queue.enqueue(GREET, "retry").jobId(),
                fixture().queue.enqueue(GREET, "policy").jobId());
        Worker worker = fixture()
                .newWorker()
                .retryPolicy(RetryPolicy.fixed(ages))
                .handle(GREET, Handlers.completing((text, run) -> switch (text) {
                    case "snooze" -> Outcome.snoozeFor(ages);
                    case "retry" -> Outcome.retryAfter(ages, "later");
                    default -> throw new IllegalStateException("no");
                }))
                .start();
        try (worker) {
            for (long id : ids) {
                await().atMost(Fixture.SOON)
                        .until(() -> fixture().job(id).availableAt().isAfter(Instant.parse("2035-01-01T00:00:00Z")));
                assertThat(fixture().job(id).availableAt()).isBefore(YEAR_8000);
            }
        }
    }
}
