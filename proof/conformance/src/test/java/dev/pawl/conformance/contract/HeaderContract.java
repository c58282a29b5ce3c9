package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Handlers;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.Outcome;
import dev.pawl.conformance.Specified;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** A job's headers stay with it in all states. */
@Specified
interface HeaderContract extends Contract {
    Map<String, String> HEADERS = Map.of(
            "traceparent",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "ce-subject",
            "Grüße, '日本' \uD83E\uDD80 \"; DROP TABLE pawl_job; -- \\ % _ \n\t",
            "empty",
            "");

    /** Covers every way to enqueue. */
    @Test
    default void headersAreStoredWithEveryJob(Fixture fixture) {
        EnqueueOptions with = EnqueueOptions.DEFAULTS.headers(HEADERS);
        List<EnqueueOptions> ways = List.of(
                with,
                with.priority(3),
                with.delay(Duration.ofHours(1)),
                with.availableAt(java.time.Instant.parse("2031-02-03T04:05:06Z")),
                with.uniqueKey("one"),
                with.tags("a"));
        for (EnqueueOptions options : ways) {
            long id = fixture.queue.enqueue(GREET, "x", options).jobId();
            assertThat(fixture.job(id).headers()).as("%s", options).isEqualTo(HEADERS);
        }
        assertThat(fixture.job(fixture.enqueue()).headers()).isEmpty();
    }

    @Test
    default void jobsOfABulkKeepTheirOwnHeaders(Fixture fixture) {
        fixture.queue.enqueueAll(
                GREET,
                List.of("a", "b", "c"),
                name -> name.equals("b") ? EnqueueOptions.DEFAULTS : EnqueueOptions.DEFAULTS.header("name", name));
        assertThat(fixture.admin.jobs().list(JobFilter.ALL))
                .extracting(Job::payload, Job::headers)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("\"c\"", Map.of("name", "c")),
                        org.assertj.core.groups.Tuple.tuple("\"b\"", Map.of()),
                        org.assertj.core.groups.Tuple.tuple("\"a\"", Map.of("name", "a")));
    }

    @Test
    default void aReplacedJobGetsTheNewHeaders(Fixture fixture) {
        EnqueueOptions once = EnqueueOptions.DEFAULTS.uniqueKey("k").onDuplicate(OnDuplicate.REPLACE);
        fixture.queue.enqueue(GREET, "a", once.headers(HEADERS));
        EnqueueResult replaced = fixture.queue.enqueue(GREET, "b", once.header("new", "1"));
        assertThat(replaced).isInstanceOf(EnqueueResult.Replaced.class);
        assertThat(fixture.job(replaced.jobId()).headers()).isEqualTo(Map.of("new", "1"));
    }

    /** Claimed, failed, snoozed, finished, retried by hand: each of these may move the job to another table. */
    @Test
    default void handlersSeeTheHeadersOnEveryAttempt(Fixture fixture) throws Exception {
        Map<Integer, Map<String, String>> seen = new ConcurrentHashMap<>();
        Queue<Long> completed = new ConcurrentLinkedQueue<>();
        long id = fixture.queue
                .enqueue(GREET, "x", EnqueueOptions.DEFAULTS.headers(HEADERS))
                .jobId();
        long other = fixture.queue
                .enqueue(GREET, "other", EnqueueOptions.DEFAULTS.headers(HEADERS))
                .jobId();
        try (Worker worker = fixture.newWorker()
                .retryPolicy(attempt -> Duration.ZERO)
                .handle(GREET, Handlers.completing((name, run) -> {
                    if (name.equals("other")) {
                        completed.add(run.job().id());
                        return Outcome.completed();
                    }
                    seen.put(run.attempt(), run.job().headers());
                    if (run.attempt() == 1) {
                        throw new IllegalStateException("once");
                    }
                    return run.attempt() == 2 ? Outcome.retryAfter(Duration.ZERO, "again") : Outcome.completed();
                }))
                .start()) {
            fixture.awaitState(id, JobState.COMPLETED);
            fixture.awaitState(other, JobState.COMPLETED);
            fixture.sweepMarked();
            assertThat(fixture.job(id).headers()).isEqualTo(HEADERS);
            assertThat(fixture.job(other).headers()).isEqualTo(HEADERS);
            for (long finished : new long[] {id, other}) {
                assertThat(fixture.admin.jobs().retry(finished)).isEqualTo(RetryResult.AVAILABLE_NOW);
            }
            fixture.awaitState(id, JobState.COMPLETED);
            fixture.awaitState(other, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(seen.keySet()).containsExactlyInAnyOrder(1, 2, 3, 4);
        assertThat(seen.values()).containsOnly(HEADERS);
        assertThat(completed).containsExactly(other, other);
    }

    /** The row was written by another program. */
    @Test
    default void invalidHeadersDoNotStopClaims(Fixture fixture) throws Exception {
        long id = fixture.enqueueRow();
        fixture.execute("UPDATE pawl_job SET headers = '[\"a\"]' WHERE id = " + id);
        assertThat(fixture.claim(10)).singleElement().satisfies(one -> {
            assertThat(one.job().id()).isEqualTo(id);
            assertThat(one.job().headers()).isEmpty();
        });
    }
}
