package dev.pawl.internal.engine;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the duties, on as many threads as there are duties, so that a slow one holds up no other. The first wait is
 * random, which spreads out workers that started together. If a duty fails, that is logged and it is tried again,
 * whatever it threw.
 */
final class Housekeeper {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);

    private final List<Duty> duties;
    private final Set<Thread> own = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService threads;
    private volatile boolean stopping;

    Housekeeper(List<Duty> duties) {
        this.duties = duties;
        this.threads = Executors.newScheduledThreadPool(duties.size(), work -> {
            Thread thread = new Thread(work, "pawl-housekeeper");
            thread.setDaemon(true);
            own.add(thread);
            return thread;
        });
    }

    void start() {
        for (Duty duty : duties) {
            long wait = duty.every().toNanos();
            long first = (long) (wait * ThreadLocalRandom.current().nextDouble(0.5, 1.0));
            ScheduledFuture<?> unused =
                    threads.scheduleWithFixedDelay(() -> run(duty), first, wait, TimeUnit.NANOSECONDS);
        }
    }

    private void run(Duty duty) {
        Thread.currentThread().setName("pawl " + duty.name());
        try {
            duty.work().run();
        } catch (Throwable e) { // an executor silently drops a task that throws
            complain(duty, e);
        }
    }

    private void complain(Duty duty, Throwable e) {
        try {
            if (!stopping) {
                LOG.warn("cannot {}, will try again: {}", duty.name(), ErrorText.firstLine(e));
                LOG.debug("cannot {}", duty.name(), e);
            }
        } catch (Throwable unspeakable) {
            return; // what cannot even be logged must not end the duty
        }
    }

    /** {@return whether a duty runs on the thread, and with it, it may be, a listener} */
    boolean isOwn(Thread thread) {
        return own.contains(thread);
    }

    /** Waits for what is under way: the caller may close the pool next, and reads what was committed. */
    void stop(Duration patience) {
        stopping = true;
        threads.shutdownNow();
        if (own.contains(Thread.currentThread())) {
            return; // a listener that a duty has told stops the worker: it would wait for itself
        }
        try {
            if (!threads.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("a duty of the worker is still running after it was stopped");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
