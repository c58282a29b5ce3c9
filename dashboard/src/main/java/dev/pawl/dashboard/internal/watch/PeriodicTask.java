package dev.pawl.dashboard.internal.watch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again in a thread of its own, which does not keep the process alive. Failures are logged once in a row. */
public final class Loop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    private final String what;
    private final Runnable work;
    private final Duration every;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private boolean failing;

    private Loop(String what, Runnable work, Duration every) {
        this.what = what;
        this.work = work;
        this.every = every;
        this.thread = new Thread(this::run, "pawl-" + what.replace(' ', '-'));
        thread.setDaemon(true);
    }

    /**
     * @param what it does, for the log
     * @param work once
     * @param every how long after its end it is done again
     * @return the loop, going on
     */
    public static Loop start(String what, Runnable work, Duration every) {
        Loop loop = new Loop(what, work, every);
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
            return ended.getCount() == 0; // an interrupt of somebody else ends nothing
        }
    }

    private void once() {
        try {
            work.run();
            failing = false;
        } catch (Throwable e) { // an Error, too, must not end it without a word
            if (failing || ended.getCount() == 0) {
                LOG.debug("{} still fails", what, e);
            } else {
                LOG.warn("{} fails, and is tried again every {} seconds: {}", what, every.toSeconds(), e.toString());
            }
            failing = true;
        }
    }

    /** Ends it, and interrupts what is under way, which may go on for a little. */
    @Override
    public void close() {
        ended.countDown();
        thread.interrupt();
    }
}
