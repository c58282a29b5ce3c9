package dev.pawl.internal.retention;

import dev.pawl.api.Retention;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the retention that a program sets, when one of its workers has registered. Thread-safe. */
public final class ProgramRetention implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ProgramRetention.class);

    private final RetentionRows rows;
    private final Retention retention;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param rows where the retention is stored
     * @param retention that the program sets
     */
    public ProgramRetention(RetentionRows rows, Retention retention) {
        this.rows = rows;
        this.retention = retention;
    }

    /**
     * Stores the retention if possible. A failure is only logged, because a worker runs jobs even if its database role may not write the
     * retention.
     */
    @Override
    public void run() {
        try {
            rows.store(retention);
        } catch (SQLException | RuntimeException e) {
            if (!warned.getAndSet(true)) {
                LOG.warn(
                        "cannot store how long this program keeps finished jobs: programs and commands that set no"
                                + " retention may delete them sooner",
                        e);
            }
        }
    }
}
