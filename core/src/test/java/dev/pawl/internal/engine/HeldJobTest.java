package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Job;
import dev.pawl.JobState;
import dev.pawl.internal.store.ClaimedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeldJobTest {
    private static final Duration LEASE = Duration.ofSeconds(8);
    private final long now = System.nanoTime();
    private final HeldJob held = new HeldJob(
            new ClaimedJob(new Job(
                    1,
                    "kind",
                    "queue",
                    JobState.RUNNING,
                    0,
                    1,
                    9,
                    Instant.EPOCH,
                    Instant.EPOCH,
                    null,
                    null,
                    null,
                    null,
                    1,
                    false,
                    null,
                    null,
                    List.of(),
                    "{}",
                    null)),
            now,
            LEASE);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void aHandlerIsInterruptedOnceAndToldWhy() {
        assertThat(held.begin(Thread.currentThread(), null)).isTrue();
        held.stop(HeldJob.Stop.CANCELLED);
        assertThat(Thread.interrupted()).isTrue();
        held.stop(HeldJob.Stop.WORKER_STOPS);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(held.stopped()).isEqualTo(HeldJob.Stop.CANCELLED);
    }

    @Test
    void nobodyIsInterruptedAfterTheHandlerHasReturned() {
        held.begin(Thread.currentThread(), null);
        held.end();
        held.stop(HeldJob.Stop.LEASE_LOST);
        assertThat(Thread.interrupted()).isFalse();
    }

    /** The renewer saw the row gone, because the handler's own transaction had completed the job. */
    @Test
    void theCommitOfItsOwnTransactionIsNotALostLease() {
        held.begin(Thread.currentThread(), null);
        held.transaction(true);
        held.stop(HeldJob.Stop.LEASE_LOST);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(held.stopped()).isNull();
        assertThat(held.isOver(now + LEASE.toNanos())).isFalse();
    }

    @Test
    void anExpiredLeaseDoesNotBegin() {
        HeldJob expired = new HeldJob(new ClaimedJob(held.job()), now - LEASE.toNanos(), LEASE);
        assertThat(expired.begin(Thread.currentThread(), null)).isFalse();
    }

    @Test
    void aRenewalIsDueAfterAQuarterOfTheLeaseOrWithNewProgress() {
        assertThat(held.wantsRenewal(now + LEASE.toNanos() / 5)).isFalse();
        assertThat(held.wantsRenewal(now + LEASE.toNanos() / 4)).isTrue();
        held.renewed(now + LEASE.toNanos() / 4);
        assertThat(held.wantsRenewal(now + LEASE.toNanos() / 4)).isFalse();
        held.progress(10);
        assertThat(held.wantsRenewal(now + LEASE.toNanos() / 4)).isTrue();
    }
}
