package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Strategy;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.limit.Subject;
import dev.pawl.spi.RemoteHandler;
import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRun.Ending;
import dev.pawl.spi.RemoteRun.Renewal;
import dev.pawl.spi.RemoteRuns;
import dev.pawl.spi.Series;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Remote runs, which go on outside the process that claimed them: who may renew and finish them, and for how long. */
@WhiteBox
interface RemoteRunContract extends Contract {
    Duration HOUR = Duration.ofHours(1);

    private RemoteRun run(Lease lease, String worker) {
        return new RemoteRun(lease.jobId(), lease.token(), worker);
    }

    private Renewal renew(RemoteRun run) {
        return fixture().queue.unwrap(RemoteRuns.class).renew(run, HOUR, HOUR, null);
    }

    private Lease claimed() throws SQLException {
        fixture().enqueue();
        Lease lease = fixture().claimOne().lease();
        assertThat(fixture().rows().detach(lease)).as("as a remote run does").isTrue();
        return lease;
    }

    private Instant leaseEnd(RemoteRun run) {
        return Objects.requireNonNull(fixture().job(run.jobId()).leaseExpiresAt(), "it is running");
    }

    /** A job may be offered to a second worker while the response of the first worker is in transit. */
    @Test
    default void onlyTheFirstOfTwoWorkersUnderOneLeaseMayGoOn(Fixture fixture) throws Exception {
        var runs = fixture.queue.unwrap(RemoteRuns.class);
        Lease lease = claimed();
        RemoteRun first = run(lease, "http://first");
        RemoteRun second = run(lease, "http://second");
        assertThat(renew(first)).isEqualTo(Renewal.RENEWED);
        assertThat(renew(second)).isEqualTo(Renewal.LOST);
        assertThat(runs.end(second, Outcome.completed(), List.of())).isEqualTo(Ending.REFUSED);
        assertThat(runs.fail(second, "broken", List.of())).isEqualTo(Ending.REFUSED);
        assertThat(runs.withdraw(second)).isFalse();
        assertThat(fixture.job(first.jobId()).state()).isEqualTo(JobState.RUNNING);
        assertThat(runs.running(List.of("greet"), 10)).containsExactly(first);
        assertThat(renew(first)).isEqualTo(Renewal.RENEWED);
        assertThat(runs.end(first, Outcome.completed(), List.of())).isEqualTo(Ending.COMPLETED);
        assertThat(renew(first)).isEqualTo(Renewal.LOST);
        assertThat(runs.end(first, Outcome.completed(), List.of())).isEqualTo(Ending.REFUSED);
        assertThat(fixture.admin.runs().assignments(first.jobId(), Admin.UNLIMITED))
                .singleElement()
                .satisfies(done -> assertThat(done.worker()).isEqualTo("http://first"));
    }

    /** The worker asks for permission while its manager waits for the answer to the job. */
    @Test
    default void aRemoteWorkerMayBeginBeforeTheManagersCallHasReturned(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        CompletableFuture<Renewal> permission = new CompletableFuture<>();
        RemoteHandler assigning = (payload, run) -> {
            permission.complete(renew(new RemoteRun(run.job().id(), run.leaseToken(), "http://first")));
            return Optional.empty();
        };
        Worker worker = fixture.newWorker()
                .extend(registry -> registry.remote("greet", () -> true, assigning, HandlerOptions.DEFAULTS))
                .start();
        try (worker) {
            assertThat(permission.get(1, TimeUnit.MINUTES)).isEqualTo(Renewal.RENEWED);
        }
        assertThat(fixture.job(id).state()).isEqualTo(JobState.RUNNING);
    }

    /** A job's own timeout is for its run; its manager may wait longer for a worker. */
    @Test
    default void theTimeoutOfAJobDoesNotEndItsAssignment(Fixture fixture) throws Exception {
        fixture.enqueue(EnqueueOptions.DEFAULTS.timeout(Duration.ofHours(1)));
        CompletableFuture<Optional<Duration>> left = new CompletableFuture<>();
        RemoteHandler assigning = (payload, run) -> {
            left.complete(run.timeLeft());
            return Optional.of(Outcome.completed());
        };
        Worker worker = fixture.newWorker()
                .extend(registry -> registry.remote("greet", () -> true, assigning, HandlerOptions.DEFAULTS))
                .start();
        try (worker) {
            assertThat(left.get(1, TimeUnit.MINUTES)).isEmpty();
        }
    }

    private RemoteRun given(EnqueueOptions options) throws SQLException {
        fixture().enqueue(options);
        Lease lease = fixture().claimOne().lease();
        assertThat(fixture().rows().detach(lease)).isTrue();
        return run(lease, "http://first");
    }

    private Duration waits(RemoteRun run) {
        return Duration.between(Instant.now(), fixture().job(run.jobId()).availableAt());
    }

    @Test
    default void aFailureWaitsAsTheJobSaysOrElseItsKind(Fixture fixture) throws Exception {
        var runs = fixture.queue.unwrap(RemoteRuns.class);
        RemoteRun own = given(EnqueueOptions.DEFAULTS.retryFixed(Duration.ofDays(2)));
        assertThat(runs.fail(own, "broken", List.of(), kind -> RetryPolicy.fixed(Duration.ZERO)))
                .isEqualTo(Ending.FAILED);
        assertThat(waits(own)).isBetween(Duration.ofDays(1), Duration.ofDays(3));
        RemoteRun ofKind = given(EnqueueOptions.DEFAULTS);
        assertThat(runs.fail(ofKind, "broken", List.of(), kind -> RetryPolicy.fixed(Duration.ofDays(5))))
                .isEqualTo(Ending.FAILED);
        assertThat(waits(ofKind)).isBetween(Duration.ofDays(4), Duration.ofDays(6));
        RemoteRun usual = given(EnqueueOptions.DEFAULTS);
        assertThat(runs.fail(usual, "broken", List.of())).isEqualTo(Ending.FAILED);
        assertThat(waits(usual)).isLessThan(Duration.ofHours(1));
    }

    @Test
    default void aRunOfACancelledJobThatFailsIsReportedAsCancelled(Fixture fixture) throws Exception {
        var runs = fixture.queue.unwrap(RemoteRuns.class);
        RemoteRun failed = given(EnqueueOptions.DEFAULTS);
        RemoteRun snoozed = given(EnqueueOptions.DEFAULTS);
        fixture.admin.jobs().cancel(failed.jobId());
        fixture.admin.jobs().cancel(snoozed.jobId());
        assertThat(renew(failed)).isEqualTo(Renewal.CANCEL_REQUESTED);
        assertThat(runs.fail(failed, "broken", List.of())).isEqualTo(Ending.CANCELLED);
        assertThat(runs.end(snoozed, Outcome.snoozeFor(HOUR), List.of())).isEqualTo(Ending.CANCELLED);
        assertThat(fixture.job(failed.jobId()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(fixture.job(snoozed.jobId()).state()).isEqualTo(JobState.CANCELLED);
    }

    /** Otherwise the other jobs of the kind and the key would fail the same way, one after the other. */
    @Test
    default void anOutageReportedByARunHoldsTheOtherJobs(Fixture fixture) throws Exception {
        var runs = fixture.queue.unwrap(RemoteRuns.class);
        RemoteRun run = given(EnqueueOptions.DEFAULTS);
        assertThat(runs.end(run, Outcome.unavailable(Duration.ofHours(5), "away"), List.of()))
                .isEqualTo(Ending.SNOOZED);
        assertThat(waits(run)).isLessThan(Duration.ofHours(1));
        assertThat(fixture.queue.limits().list()).singleElement().satisfies(info -> {
            assertThat(info.limit().subject()).isEqualTo(Subject.kind("greet"));
            assertThat(info.pause()).isNotNull();
        });
    }

    /** The run ended before its first renewal, for example because the remote worker responded at once. */
    @Test
    default void anOutcomeBeforeTheFirstRenewalRecordsItsWorker(Fixture fixture) throws Exception {
        Lease lease = claimed();
        assertThat(fixture.queue
                        .unwrap(RemoteRuns.class)
                        .end(run(lease, "http://first"), Outcome.completed(), List.of()))
                .isEqualTo(Ending.COMPLETED);
        assertThat(fixture.admin.runs().assignments(lease.jobId(), Admin.UNLIMITED))
                .hasSize(1);
    }

    /** Otherwise a job that kills every worker would never use up its attempts. */
    @Test
    default void aRemoteRunClaimedAheadMayHaveStarted(Fixture fixture) throws Exception {
        Duration brief = Duration.ofMillis(50);
        for (int i = 0; i < 2; i++) {
            fixture.enqueueRow();
        }
        List<Lease> leases = fixture
                .store
                .strategy(Strategy.AUTO)
                .claim(new ClaimRequest("default", List.of("greet"), 2, fixture.worker, brief, true))
                .stream()
                .map(Grant::lease)
                .toList();
        assertThat(fixture.store.assign(leases.get(0), "http://first")).isTrue();
        assertThat(fixture.store.assign(leases.get(0), "http://second")).isTrue();
        fixture.letLeasesExpire(brief);
        assertThat(fixture.store.abandoned(10, 0))
                .hasSize(2)
                .allSatisfy(job ->
                        assertThat(job.mayHaveBegun()).isEqualTo(job.lease().equals(leases.get(0))));
    }

    @Test
    default void aQueueIsUnwrappedOnlyToWhatItHas(Fixture fixture) {
        assertThat(fixture.queue.unwrap(Series.class)).isSameAs(fixture.queue.unwrap(Series.class));
        assertThatThrownBy(() -> fixture.queue.unwrap(String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a queue cannot be unwrapped to java.lang.String");
    }

    @Test
    default void theRealmIdentifiesTheTablesAndIsStable(Fixture fixture) throws Exception {
        String realm = fixture.queue.unwrap(RemoteRuns.class).realm();
        assertThat(Instant.ofEpochMilli(Long.parseLong(realm, Character.MAX_RADIX)))
                .isBetween(
                        Instant.now().minus(Duration.ofDays(1)), Instant.now().plus(Duration.ofDays(1)));
        assertThat(fixture.queue.unwrap(RemoteRuns.class).realm()).isEqualTo(realm);
    }

    @Test
    default void aWithdrawnRunMayBeStartedByAnother(Fixture fixture) throws Exception {
        Lease lease = claimed();
        assertThat(renew(run(lease, "http://first"))).isEqualTo(Renewal.RENEWED);
        assertThat(fixture.queue.unwrap(RemoteRuns.class).withdraw(run(lease, "http://first")))
                .isTrue();
        assertThat(renew(run(lease, "http://second"))).isEqualTo(Renewal.RENEWED);
        assertThat(renew(run(lease, "http://first"))).isEqualTo(Renewal.LOST);
    }

    /** A promised lease is never shortened, and an expired one is not extended. */
    @Test
    default void aRenewalMovesTheEndOfTheLeaseForwardWhileThereIsTime(Fixture fixture) throws Exception {
        var runs = fixture.queue.unwrap(RemoteRuns.class);
        RemoteRun run = run(claimed(), "http://first");
        assertThat(renew(run)).isEqualTo(Renewal.RENEWED);
        Instant end = leaseEnd(run);
        assertThat(runs.renew(run, Duration.ofSeconds(1), HOUR, null)).isEqualTo(Renewal.RENEWED);
        assertThat(leaseEnd(run)).isEqualTo(end);
        assertThat(runs.renew(run, Duration.ofDays(1), Duration.ZERO, 50)).isEqualTo(Renewal.OVERDUE);
        assertThat(leaseEnd(run)).isEqualTo(end);
        assertThat(fixture.job(run.jobId()).progress()).isNull();
        assertThat(runs.renew(run, Duration.ofDays(1), HOUR, 50)).isEqualTo(Renewal.RENEWED);
        assertThat(leaseEnd(run)).isAfter(end.plus(HOUR));
        assertThat(fixture.job(run.jobId()).progress()).isEqualTo(50);
        fixture.admin.jobs().cancel(run.jobId());
        assertThat(renew(run)).isEqualTo(Renewal.CANCEL_REQUESTED);
    }
}
