package dev.pawl.manager;

import dev.pawl.api.Job;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The manager's "handler": finds a worker with free capacity and offers it the job. If a worker refuses, the next one
 * is tried; if all refuse, the job is put back and no attempt is counted.
 */
final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final Duration PUT_BACK = Duration.ofSeconds(1);
    private static final long ASSIGN_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final List<WorkerChannel> channels;
    private final Function<String, @Nullable KindOptions> options;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();

    Dispatcher(List<? extends WorkerChannel> channels, Function<String, @Nullable KindOptions> options) {
        this.channels = List.copyOf(channels);
        this.options = options;
    }

    Optional<Outcome> dispatch(JobRun run) throws Exception {
        Job job = run.job();
        Assignment assignment =
                new Assignment(job, Objects.requireNonNullElse(options.apply(job.kind()), KindOptions.DEFAULTS));
        Set<WorkerChannel> unwilling = new HashSet<>();
        long start = System.nanoTime();
        String why = "no worker has free capacity";
        while (System.nanoTime() - start < ASSIGN_TIMEOUT_NANOS && unwilling.size() < channels.size()) {
            WorkerChannel channel = awaitFree(job.kind(), unwilling, start + ASSIGN_TIMEOUT_NANOS);
            if (channel == null) {
                break;
            }
            try {
                return channel.run(assignment, run);
            } catch (WorkerChannel.NotTaken e) {
                why = String.valueOf(e.getMessage());
                unwilling.add(channel);
            } finally {
                signal();
            }
        }
        LOG.debug(
                "job {} is put back: {}",
                job.id(),
                why); // not in the job's own log, which would keep growing while no worker is available
        return Optional.of(Outcome.snoozeFor(PUT_BACK));
    }

    private @Nullable WorkerChannel awaitFree(String kind, Set<WorkerChannel> unwilling, long deadline)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                WorkerChannel channel = mostAvailable(kind, unwilling);
                if (channel != null) {
                    return channel;
                }
                if (System.nanoTime() - deadline >= 0) {
                    return null;
                }
                long unused = freed.awaitNanos(CHECK_NANOS);
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable WorkerChannel mostAvailable(String kind, Set<WorkerChannel> unwilling) {
        List<WorkerChannel> able = new ArrayList<>();
        for (WorkerChannel channel : channels) {
            if (knows(channel, kind) && !unwilling.contains(channel) && channel.free() > 0) {
                able.add(channel);
            }
        }
        return able.stream().max(Comparator.comparingInt(WorkerChannel::free)).orElse(null);
    }

    private static boolean knows(WorkerChannel channel, String kind) {
        return channel.kinds().isEmpty() || channel.kinds().contains(kind);
    }

    /** {@return whether there is a worker for the kind, even if it is full at the moment} */
    boolean isServed(String kind) {
        return channels.stream().anyMatch(channel -> channel.isUsable() && knows(channel, kind));
    }

    /** Signals that a worker has free capacity. */
    void signal() {
        lock.lock();
        try {
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
