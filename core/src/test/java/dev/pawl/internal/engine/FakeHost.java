package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.internal.Delay;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.Mutex;
import dev.pawl.internal.store.WorkerHost;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A worker that is never suspended and claims nothing. */
final class FakeHost implements WorkerHost {
    /** How many jobs with keys will finish within a moment. */
    final AtomicInteger coming = new AtomicInteger();

    private final Mutex lock = new Mutex();

    @Override
    public Mutex lock() {
        return lock;
    }

    @Override
    public long workerId() {
        return 1;
    }

    @Override
    public Set<String> kinds() {
        return Set.of();
    }

    @Override
    public boolean claimsFrom(String queue) {
        return true;
    }

    @Override
    public int atOnce(Subject subject) {
        return 1;
    }

    @Override
    public int finishingSoon() {
        return coming.get();
    }

    @Override
    public void whileAwake(Duty.Work work) throws SQLException {
        work.run();
    }

    @Override
    public boolean isOutage(String doing, Throwable error) {
        return false;
    }

    @Override
    public void await(long nanos) throws InterruptedException {
        Delay.work(TimeUnit.NANOSECONDS.toMillis(nanos)); // between two queries
    }

    @Override
    public long latestMicros() {
        return 0;
    }

    @Override
    public void admissionChanged() {}

    @Override
    public void mayClaimMore() {}

    @Override
    public void releaseExhausted(Function<Job, Duration> delay) {}

    @Override
    public ReleaseClaim claimOfRelease(Set<String> queues, int together) {
        return ReleaseClaim.NOTHING;
    }

    @Override
    public void released(Set<String> queues) {}
}
