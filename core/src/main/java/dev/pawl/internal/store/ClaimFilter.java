package dev.pawl.internal.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Keeps claimed jobs from starting. One for each worker. Thread-safe. */
public interface ClaimFilter {
    /** Takes over the settings, each time that the worker reads them. */
    default void read(JobStore.Settings settings) {}

    /** {@return whether to read the settings again first, because by those read last some of these jobs must not start} Quick, without a statement. */
    default boolean needsFreshSettings(List<Grant> claimed) {
        return false;
    }

    /**
     * Decides about claimed jobs. A {@link Verdict.Pause} is recorded at once. Other verdicts are recorded like those of runs, except if the
     * claim's transaction is still open: then the jobs start.
     *
     * @param claimed at least one job
     * @return the verdicts on those that must not start, by the ids of the jobs
     * @throws SQLException from the driver; then all of them start
     */
    Map<Long, Verdict> refuse(List<Grant> claimed) throws SQLException;

    /** {@return whether nothing that the filter has caused is left for the worker to do, so that it may be suspended} */
    default boolean isSettled() {
        return true;
    }
}
