package dev.pawl.internal.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Keeps claimed jobs from starting. Each worker has its own filters. Thread-safe. */
public interface ClaimFilter {
    /** Takes over the settings each time the worker has read them. */
    default void read(JobStore.Settings settings) {}

    /**
     * {@return whether to read the settings again before {@link #refuse}, because by the settings read last some of
     * these jobs must not start} Quick, without a statement.
     */
    default boolean needsFreshSettings(List<Grant> claimed) {
        return false;
    }

    /**
     * Decides about claimed jobs. A {@link Verdict.Pause} is recorded at once. Other verdicts are recorded like verdicts on runs, unless
     * the claim's transaction is still open: then they are ignored, and their jobs start.
     *
     * @param claimed at least one job
     * @return the verdicts on the jobs that must not start, by id
     * @throws SQLException from the driver; then all jobs start
     */
    Map<Long, Verdict> refuse(List<Grant> claimed) throws SQLException;

    /** {@return whether the filter has caused no work that is still to be done, so that the worker may be suspended} */
    default boolean isSettled() {
        return true;
    }
}
