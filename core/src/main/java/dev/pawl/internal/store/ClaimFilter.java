package dev.pawl.internal.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Keeps claimed jobs from starting. Each worker has its own filters. Thread-safe. */
public interface ClaimFilter {
    /** Receives the settings each time the worker has read them. */
    default void read(JobStore.Settings settings) {}

    /**
     * {@return whether the settings that were read last forbid some of these jobs to start; if so, the settings are read again before
     * {@link #refuse}} Must be quick, and sends no statement.
     */
    default boolean needsFreshSettings(List<Grant> claimed) {
        return false;
    }

    /**
     * Decides which claimed jobs must not start. A {@link Verdict.Pause} is recorded at once. Other verdicts are recorded like verdicts on
     * runs, unless the claim's transaction is still open: then they are ignored, and their jobs start.
     *
     * @param claimed at least one job
     * @return the verdicts on the jobs that must not start, by id
     * @throws SQLException from the driver; then all jobs start
     */
    Map<Long, Verdict> refuse(List<Grant> claimed) throws SQLException;

    /** {@return whether all work that the filter has caused is done; otherwise the worker is not suspended} */
    default boolean isSettled() {
        return true;
    }
}
