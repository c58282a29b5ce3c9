package dev.pawl.internal.engine;

import dev.pawl.internal.store.WorkerHost;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/** The waits of a feature's thread after failures. Confined to that thread. */
public final class LaterTry {
    private final String worker;
    private final WorkerHost host;
    private final Logger log;
    private final Backoff backoff = new Backoff(100, 2_000);

    /**
     * @param worker its name
     * @param host of the feature
     * @param log of the feature
     */
    public LaterTry(String worker, WorkerHost host, Logger log) {
        this.worker = worker;
        this.host = host;
        this.log = log;
    }

    /** Reports that the work has succeeded, so the next wait is short again. */
    public void reset() {
        backoff.reset();
    }

    /**
     * Logs a failure, and waits.
     *
     * @param doing what failed, to follow "cannot" in the log line
     * @param error that has ended the work
     */
    public void waitOut(String doing, Exception error) {
        long wait = backoff.next();
        if (!host.isOutage(doing, error)) {
            log.warn(
                    "{}: cannot {}, trying again in {} ms: {}",
                    worker,
                    doing,
                    TimeUnit.NANOSECONDS.toMillis(wait),
                    ErrorText.firstLine(error));
            log.debug("cannot {}", doing, error);
        }
        try {
            host.await(wait);
        } catch (InterruptedException interrupt) {
            log.debug("interrupted, so trying again at once", interrupt);
        }
    }
}
