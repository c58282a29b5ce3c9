package dev.pawl.internal.engine;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the duties beside the main path again and again, each on a thread of its own so that a slow one holds up no other.
 * The first wait is random, which keeps workers that started together apart. A duty that fails is logged and tried again.
 */
final class Housekeeper {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);

    private static final Duration LAST_DUTY = Duration.ofSeconds(5);

    private final ScheduledExecutorService threads;
    private volatile boolean stopping;

    /** Work to repeat. */
    interface Duty {
        void run() throws SQLException;
    }

    Housekeeper(int duties) {
        this.threads = Executors.newScheduledThreadPool(duties, work -> {
            Thread thread = new Thread(work, "pawl-housekeeper");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Repeats a duty, the first time after about one interval. */
    void every(Duration interval, String name, Duty duty) {
        long wait = interval.toNanos();
        long first = (long) (wait * ThreadLocalRandom.current().nextDouble(0.5, 1.0));
        ScheduledFuture<?> unused =
                threads.scheduleWithFixedDelay(() -> run(name, duty), first, wait, TimeUnit.NANOSECONDS);
    }

    private void run(String name, Duty duty) {
        try {
            duty.run();
        } catch (SQLException | RuntimeException e) {
            if (!stopping) {
                LOG.warn("cannot {}, will try again: {}", name, e.toString());
                LOG.debug("cannot {}", name, e);
            }
        }
    }

    /** Waits for what is under way: whoever has stopped a worker may close its pool, and reads what it has committed. */
    void stop() {
        stopping = true;
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(LAST_DUTY.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("a duty of the worker still runs {} s after its stop", LAST_DUTY.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
