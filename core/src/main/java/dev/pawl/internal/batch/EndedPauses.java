package dev.pawl.internal.batch;

import dev.pawl.internal.store.Duty;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/**
 * Releases the jobs of batches whose pause has ended: immediately after a resume or wake-up, else every minute. One
 * thread at a time.
 */
final class EndedPauses implements Duty.Work {
    private static final long EVERY = TimeUnit.MINUTES.toNanos(1);

    private final Duty.Work sweep;
    private long sweptNanos = System.nanoTime();
    private volatile boolean due;

    EndedPauses(Duty.Work sweep) {
        this.sweep = sweep;
    }

    @Override
    public void run() throws SQLException {
        if (due || System.nanoTime() - sweptNanos >= EVERY) {
            due = false; // before the sweep: a wake-up during the sweep is for the next one
            try {
                sweep.run();
            } catch (SQLException | RuntimeException e) {
                due = true;
                throw e;
            }
            sweptNanos = System.nanoTime();
        }
    }

    @Override
    public void recheck() {
        due = true;
    }
}
