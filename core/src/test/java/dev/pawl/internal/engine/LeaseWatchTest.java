package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseWatchTest extends PartsFixture {
    private final WorkerParts parts = parts();
    private final LeaseWatch watch = new LeaseWatch(parts.heldJobs, parts.buffer, parts.completer);

    @Test
    void aRunWithTimeLeftIsNotInterrupted() throws Exception {
        HeldJob held = held(parts);
        held.begin(Thread.currentThread(), 0, Duration.ofHours(1));
        watch.check();
        assertThat(held.stopped()).isNull();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aHandlerPastItsTimeoutIsInterruptedAndItsLeaseGoesOn() throws Exception {
        HeldJob held = held(parts);
        held.begin(Thread.currentThread(), 0, Duration.ofNanos(1));
        watch.check();
        assertThat(held.stopped()).isEqualTo(HeldJob.Stop.TIMED_OUT);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(parts.heldJobs.all()).containsExactly(held);
    }

    @Test
    void jobsWithExpiredLeasesAreStoppedAndDroppedIfTheyHaveNotStarted() throws Exception {
        lease = Duration.ZERO;
        List<HeldJob> jobs = held(parts, 2);
        parts.buffer.add(List.of(jobs.get(0)));
        watch.check();
        assertThat(jobs).allSatisfy(held -> assertThat(held.stopped()).isEqualTo(HeldJob.Stop.LEASE_LOST));
        assertThat(parts.heldJobs.all()).containsExactly(jobs.get(1));
        assertThat(parts.buffer.level().buffered()).isZero();
    }

    @Test
    void aJobWithoutARowIsDroppedUnlessItsOpenTransactionExplainsThat() throws Exception {
        List<HeldJob> jobs = held(parts, 2);
        parts.buffer.add(jobs);
        jobs.get(1).clock().transaction(true);
        jobs.forEach(held -> watch.missing(held, System.nanoTime()));
        assertThat(parts.heldJobs.all()).containsExactly(jobs.get(1));
        assertThat(parts.buffer.level().buffered()).isEqualTo(1);
    }
}
