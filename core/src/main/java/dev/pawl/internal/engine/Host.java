package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.internal.store.Duty;
import dev.pawl.internal.store.Mutex;
import dev.pawl.internal.store.WorkerHost;
import dev.pawl.internal.wake.WakeHub;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The services of this worker for the parts of features. The parts are created before most of these services, and use the services only
 * after the worker has started the parts.
 */
final class Host implements WorkerHost {
    private final WorkerConfig config;
    private final Capacity capacity;
    private final HeldJobs heldJobs;
    private final IdleGate idleGate;
    private final DatabaseHealth health;
    private final ServerClock clock;
    private final FetchSignal signal;
    private final WakeHub wakes;
    private final Mutex lock;
    private volatile @Nullable Wired wired;

    /** The services that are created after the parts. */
    private record Wired(Claiming claiming, ReleaseClaims releaseClaims) {}

    Host(
            WorkerConfig config,
            Capacity capacity,
            HeldJobs heldJobs,
            IdleGate idleGate,
            DatabaseHealth health,
            ServerClock clock,
            Notice notice) {
        this.config = config;
        this.capacity = capacity;
        this.heldJobs = heldJobs;
        this.idleGate = idleGate;
        this.health = health;
        this.clock = clock;
        this.signal = notice.signal;
        this.wakes = notice.wakes;
        this.lock = config.shared() == null ? new Mutex() : config.shared().lock();
    }

    /** Notifies this worker and others of jobs. */
    record Notice(FetchSignal signal, WakeHub wakes) {}

    /** Sets the services that are created after the parts, before the first part runs. */
    void wire(Claiming claiming, ReleaseClaims releaseClaims) {
        wired = new Wired(claiming, releaseClaims);
    }

    private Wired wired() {
        return Objects.requireNonNull(wired, "the worker is not complete yet");
    }

    private Claiming claiming() {
        return wired().claiming;
    }

    @Override
    public Mutex lock() {
        return lock;
    }

    @Override
    public long workerId() {
        return claiming().workerId().getAsLong();
    }

    @Override
    public Set<String> kinds() {
        return Set.copyOf(config.handlers().kinds());
    }

    @Override
    public boolean claimsFrom(String queue) {
        return config.order().matches(queue);
    }

    /** For a queue, the smallest weight counts. */
    @Override
    public int atOnce(Subject subject) {
        Handlers handlers = config.handlers();
        boolean isOfKind = subject.of() == Subject.Of.KIND;
        int weight = !capacity.isCounted() ? 1 : isOfKind ? handlers.weight(subject.name()) : handlers.leastWeight();
        int together = isOfKind ? capacity.together(subject.name()) : capacity.mostTogether();
        return Math.max(1, capacity.count() / weight) * together;
    }

    /**
     * Held keyed jobs beyond the capacity were prefetched because they will finish soon. If there are limits, such jobs may have to wait,
     * so none are counted.
     */
    @Override
    public int finishingSoon() {
        return claiming().admission().none() ? heldJobs.keyed() - capacity.count() : 0;
    }

    /** {@return whether the worker is awake; if so, it stays awake until {@link #maySuspend}} */
    boolean tryStayAwake() {
        return idleGate.enter();
    }

    /** Ends the effect of a successful {@link #tryStayAwake}. */
    void maySuspend() {
        idleGate.leave();
    }

    @Override
    public void whileAwake(Duty.Work work) throws SQLException {
        idleGate.enterWhenOpen();
        try {
            work.run();
        } finally {
            idleGate.leave();
        }
    }

    @Override
    public boolean isOutage(String doing, Throwable error) {
        return health.failed(doing, error);
    }

    @Override
    public void await(long nanos) throws InterruptedException {
        health.await(nanos);
    }

    @Override
    public long latestMicros() {
        return clock.latest();
    }

    @Override
    public void admissionChanged() {
        claiming().buffer().limitsChanged();
    }

    @Override
    public void mayClaimMore() {
        signal.poll();
    }

    @Override
    public void releaseExhausted(Function<Job, Duration> delay) {
        List<HeldJob> exhausted = new ArrayList<>();
        Map<HeldJob, Duration> later = new HashMap<>();
        for (HeldJob job : claiming().buffer().removeExhausted()) {
            Duration wait = delay.apply(job.job());
            if (wait.isZero()) {
                exhausted.add(job);
            } else {
                later.put(job, wait);
            }
        }
        if (!exhausted.isEmpty()) {
            claiming().releaser().unstarted(exhausted);
        }
        claiming().releaser().later(later);
    }

    @Override
    public ReleaseClaim claimOfRelease(Set<String> queues, int together) {
        return wired().releaseClaims.wanted(queues, together);
    }

    @Override
    public void released(Set<String> queues) {
        wakes.enqueued(queues);
    }
}
