package dev.pawl.internal.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Runs independent steps: if one fails, the others are still taken. Confined to one call. */
public final class Steps {
    private long sum;
    private @Nullable SQLException first;

    /** Does some work, and returns a count. */
    @FunctionalInterface
    public interface Step {
        /**
         * @return a number to add up
         * @throws SQLException from the driver
         */
        long run() throws SQLException;
    }

    /**
     * Takes a step, unless the thread was interrupted; its exception is kept for {@link #end}.
     *
     * @param step the next one
     */
    public void take(Step step) {
        if (Thread.currentThread().isInterrupted()) {
            return;
        }
        try {
            sum += step.run();
        } catch (SQLException e) {
            if (first == null) {
                first = e;
            } else if (first != e) {
                first.addSuppressed(e);
            }
        }
    }

    /**
     * {@return the sum of the steps' counts}
     *
     * @throws SQLException the first failure, with the others suppressed
     */
    public long end() throws SQLException {
        if (first != null) {
            throw first;
        }
        return sum;
    }
}
