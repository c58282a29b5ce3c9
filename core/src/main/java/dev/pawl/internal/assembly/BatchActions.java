package dev.pawl.internal.assembly;

import dev.pawl.internal.admin.BatchChanges;
import dev.pawl.internal.batch.BatchCounts;
import dev.pawl.internal.store.Duty;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/**
 * Runs the actions that batches and workflows have left to workers: at once if this process has left one, else within half
 * a minute.
 */
final class BatchActions implements Duty.Work {
    private static final long READ_AGAIN = TimeUnit.SECONDS.toNanos(30);

    private final BatchCounts counts;
    private final BatchChanges changes;
    private long readNanos = System.nanoTime();

    BatchActions(BatchCounts counts, BatchChanges changes) {
        this.counts = counts;
        this.changes = changes;
    }

    @Override
    public void run() throws SQLException {
        boolean isLeftHere = counts.arePendingActionsExpected();
        if (isLeftHere || System.nanoTime() - readNanos >= READ_AGAIN) {
            readNanos = System.nanoTime();
            try {
                changes.runPendingActions();
            } catch (SQLException | RuntimeException e) {
                counts.expectPendingActions(); // so that the next run tries again
                throw e;
            }
        }
    }

    @Override
    public void recheck() {
        counts.expectPendingActions();
    }
}
