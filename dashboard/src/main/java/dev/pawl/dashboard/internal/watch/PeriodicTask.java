package dev.pawl.dashboard.internal.watch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats a task on its own daemon thread. Logs only the first of consecutive failures. */
public final class PeriodicTask implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

    private final String what;
    private final Runnable work;
    private final Duration every;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private boolean failing;

    private PeriodicTask(String what, Runnable work, Duration every) {
        this.what = what;
        this.work = work;
        this.every = every;
        this.thread = new Thread(this::run, "pawl-" + what.replace(' ', '-'));
        thread.setDaemon(true);
    }

    /**
     * @param what its name for the log
     * @param work to repeat
     * @param every delay after its end
     * @return the running loop
     */
    public static PeriodicTask start(String what, Runnable work, Duration every) {
        PeriodicTask loop = new PeriodicTask(what, work, every);
        loop.thread.start();
        return loop;
    }

    private void run() {
        do {
            once();
        } while (!isEnded());
    }

    private boolean isEnded() {
        try {
            return ended.await(every.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return ended.getCount() == 0; // an interrupt from elsewhere does not stop the loop
        }
    }

    private void once() {
        try {
            work.run();
            failing = false;
        } catch (Throwable e) { // an Error must not end the loop silently
            if (failing || ended.getCount() == 0) {
                LOG.debug("{} still fails", what, e);
            } else {
                LOG.warn("{} fails, and is tried again every {} seconds: {}", what, every.toSeconds(), e.toString());
            }
            failing = true;
        }
    }

    /** Stops the loop and interrupts its task, which may continue for a short time. */
    @Override
    public void close() {
        ended.countDown();
        thread.interrupt();
    }
}
