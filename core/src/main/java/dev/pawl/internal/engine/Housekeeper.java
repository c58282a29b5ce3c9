package dev.pawl.internal.engine;

import dev.pawl.internal.store.Duty;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the duties on one thread per duty, so that a slow one does not delay others. The initial delay is random, which spreads out workers
 * that started together. Failures of any kind are logged, and the duty is retried.
 */
final class Housekeeper {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);

    private static final Duration SELDOM = Duration.ofMinutes(1);

    private final List<Task> tasks;
    private final IdleGate idleGate;
    private final DatabaseHealth health;
    private final Set<Thread> own = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService threads;
    private volatile boolean stopping;

    Housekeeper(List<Duty> duties, DatabaseHealth health) {
        this(duties, new IdleGate(), health);
    }

    /**
     * @param idleGate blocks duties while the worker is suspended
     * @param health receives failures
     */
    Housekeeper(List<Duty> duties, IdleGate idleGate, DatabaseHealth health) {
        this.health = health;
        this.tasks = duties.stream().map(Task::new).toList();
        this.idleGate = idleGate;
        this.threads = Executors.newScheduledThreadPool(duties.size(), work -> {
            Thread thread = new Thread(work, "pawl-housekeeper");
            thread.setDaemon(true);
            own.add(thread);
            return thread;
        });
    }

    void start() {
        for (Task task : tasks) {
            long wait = task.duty.every().toNanos();
            long first = (long) (wait * ThreadLocalRandom.current().nextDouble(0.5, 1.0));
            ScheduledFuture<?> unused =
                    threads.scheduleWithFixedDelay(() -> runUnlessSuspended(task), first, wait, TimeUnit.NANOSECONDS);
        }
    }

    private void runUnlessSuspended(Task task) {
        if (idleGate.enter()) {
            try {
                task.run();
            } finally {
                idleGate.leave();
            }
        }
    }

    /** Runs the duties that are overdue, after a suspension. */
    void catchUp() {
        for (Task task : tasks) {
            if (task.isDue() && idleGate.enter()) {
                try {
                    threads.execute(() -> {
                        try {
                            task.run();
                        } finally {
                            idleGate.leave();
                        }
                    });
                } catch (RejectedExecutionException stopped) {
                    idleGate.leave();
                }
            }
        }
    }

    /** A duty, run by one thread at a time. */
    private final class Task {
        private final Duty duty;
        private final AtomicBoolean running = new AtomicBoolean();
        private volatile long begunNanos = System.nanoTime();

        Task(Duty duty) {
            this.duty = duty;
        }

        /** Frequent duties are always due. */
        boolean isDue() {
            return duty.every().compareTo(SELDOM) < 0
                    || System.nanoTime() - begunNanos >= duty.every().toNanos();
        }

        void run() {
            if (running.compareAndSet(false, true)) {
                try {
                    begunNanos = System.nanoTime();
                    Housekeeper.this.run(duty);
                } finally {
                    running.set(false);
                }
            }
        }
    }

    private void run(Duty duty) {
        Thread.currentThread().setName("pawl " + duty.name());
        try {
            duty.work().run();
        } catch (Throwable e) { // an executor silently drops a task that throws
            logFailure(duty, e);
        }
    }

    private void logFailure(Duty duty, Throwable e) {
        try {
            if (!stopping && !health.failed(duty.name(), e)) {
                LOG.warn("cannot {}, will try again: {}", duty.name(), ErrorText.firstLine(e));
                LOG.debug("cannot {}", duty.name(), e);
            }
        } catch (Throwable logFailed) {
            return; // even a failing log must not end the duty
        }
    }

    /** {@return whether the thread runs a duty, and so perhaps a listener} */
    boolean isOwn(Thread thread) {
        return own.contains(thread);
    }

    /** Stops the duties and waits for running ones, because the caller may next read their results or close the pool. */
    void stop(Duration timeout) {
        stopping = true;
        threads.shutdownNow();
        if (own.contains(Thread.currentThread())) {
            return; // a listener called by a duty stops the worker: waiting would be a deadlock
        }
        try {
            if (!threads.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("a duty of the worker is still running after it was stopped");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
