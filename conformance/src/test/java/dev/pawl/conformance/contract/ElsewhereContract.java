package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobState;
import dev.pawl.Outcome;
import dev.pawl.RunElsewhere;
import dev.pawl.RunElsewhere.Ending;
import dev.pawl.RunElsewhere.Renewal;
import dev.pawl.Strategy;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Runs that go on outside the process that claimed them: who may renew and end them, and for how long. */
interface ElsewhereContract extends Contract {
    Duration HOUR = Duration.ofHours(1);

    private RunElsewhere run(Lease lease, String worker) {
        return new RunElsewhere(lease.jobId(), lease.token(), worker);
    }

    private Renewal renew(RunElsewhere run) {
        return fixture().queue.runsElsewhere().renew(run, HOUR, HOUR, null);
    }

    private Lease claimed() throws SQLException {
        fixture().enqueue();
        Lease lease = fixture().claimOne().lease();
        assertThat(fixture().rows().detach(lease))
                .as("as a run that is given away does")
                .isTrue();
        return lease;
    }

    private Instant leaseEnd(RunElsewhere run) {
        return Objects.requireNonNull(fixture().job(run.jobId()).leaseExpiresAt(), "it is running");
    }

    /** A job may be offered to a second worker while the first one's answer is on its way. */
    @Test
    default void ofTwoWorkersUnderOneLeaseOnlyTheFirstMayGoOn(Fixture fixture) throws Exception {
        var runs = fixture.queue.runsElsewhere();
        Lease lease = claimed();
        RunElsewhere first = run(lease, "http://first");
        RunElsewhere second = run(lease, "http://second");
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
        assertThat(fixture.admin.assignments(first.jobId()))
                .singleElement()
                .satisfies(done -> assertThat(done.worker()).isEqualTo("http://first"));
    }

    /** It ended before it was ever renewed, as when it answers at once. */
    @Test
    default void whoEndsARunThatNobodyHasBegunIsNotedForIt(Fixture fixture) throws Exception {
        Lease lease = claimed();
        assertThat(fixture.queue.runsElsewhere().end(run(lease, "http://first"), Outcome.completed(), List.of()))
                .isEqualTo(Ending.COMPLETED);
        assertThat(fixture.admin.assignments(lease.jobId())).hasSize(1);
    }

    /** Or a job that kills every worker that it is given to would never use up its attempts. */
    @Test
    default void whatIsGivenAwayMayHaveBegunThoughItWasClaimedAhead(Fixture fixture) throws Exception {
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
    default void itsRealmIsOfTheTablesAndAlwaysTheSame(Fixture fixture) throws Exception {
        String realm = fixture.queue.runsElsewhere().realm();
        assertThat(Instant.ofEpochMilli(Long.parseLong(realm, Character.MAX_RADIX)))
                .isBetween(
                        Instant.now().minus(Duration.ofDays(1)), Instant.now().plus(Duration.ofDays(1)));
        assertThat(fixture.queue.runsElsewhere().realm()).isEqualTo(realm);
    }

    @Test
    default void whatIsWithdrawnMayBeBegunByAnother(Fixture fixture) throws Exception {
        Lease lease = claimed();
        assertThat(renew(run(lease, "http://first"))).isEqualTo(Renewal.RENEWED);
        assertThat(fixture.queue.runsElsewhere().withdraw(run(lease, "http://first")))
                .isTrue();
        assertThat(renew(run(lease, "http://second"))).isEqualTo(Renewal.RENEWED);
        assertThat(renew(run(lease, "http://first"))).isEqualTo(Renewal.LOST);
    }

    /** A lease that was promised is not made shorter, and one that should have ended is not made longer. */
    @Test
    default void aRenewalMovesTheEndOfTheLeaseForwardWhileThereIsTime(Fixture fixture) throws Exception {
        var runs = fixture.queue.runsElsewhere();
        RunElsewhere run = run(claimed(), "http://first");
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
        fixture.admin.cancel(run.jobId());
        assertThat(renew(run)).isEqualTo(Renewal.CANCEL_REQUESTED);
    }
}
