package dev.pawl.internal.feature;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hooks of all features around the statements that write jobs. Before these statements, the hooks run from the last feature to the
 * first, and afterwards from the first to the last. This is part of the order in which transactions lock rows. Thread-safe.
 */
public final class EnqueueHooks {
    private final List<EnqueueHook> hooks = new ArrayList<>();
    private final List<EnqueueHook> forRows;

    /**
     * @param context what the hooks may use
     * @param features whose hooks are called
     */
    public EnqueueHooks(EnqueueContext context, List<Feature> features) {
        for (Feature feature : features) {
            if (feature.on(Transition.ENQUEUE).by() == Decision.By.HOOK) {
                hooks.add(0, feature.enqueueHook(context).orElseThrow());
            }
        }
        forRows = hooks.stream().filter(EnqueueHook::needsRows).toList();
    }

    /** Writes jobs. */
    @FunctionalInterface
    public interface Write {
        /**
         * @param connection in the transaction
         * @param jobs as the hooks have changed them
         * @return one result for each
         * @throws SQLException from the driver
         */
        List<EnqueueResult> write(Connection connection, List<JobRequest> jobs) throws SQLException;
    }

    /**
     * Writes jobs, and the additional rows of features.
     *
     * @param connection in the transaction
     * @param jobs of one enqueue
     * @param write writes the jobs themselves
     * @return one result for each job
     * @throws SQLException from the driver
     */
    public List<EnqueueResult> around(Connection connection, List<JobRequest> jobs, Write write) throws SQLException {
        return around(connection, jobs, write, 0);
    }

    private List<EnqueueResult> around(Connection connection, List<JobRequest> jobs, Write write, int from)
            throws SQLException {
        for (int next = from; next < hooks.size(); next++) {
            EnqueueHook hook = hooks.get(next);
            if (jobs.stream().anyMatch(hook::concerns)) {
                EnqueueHook.Enqueuing enqueuing = hook.before(connection, jobs);
                if (enqueuing == null) {
                    continue;
                }
                List<EnqueueResult> results = around(connection, enqueuing.jobs(), write, next + 1);
                enqueuing.after(connection, results);
                return results;
            }
        }
        return write.write(connection, jobs);
    }

    /**
     * Refuses jobs of a program, before anything is written.
     *
     * @param connection on which the jobs will be written
     * @param jobs of one call
     * @param joins whether the transaction is the caller's
     * @throws SQLException from the driver
     * @throws RuntimeException of a hook that refuses the jobs
     */
    public void admit(Connection connection, List<JobRequest> jobs, boolean joins) throws SQLException {
        for (EnqueueHook hook : hooks) {
            hook.admit(connection, jobs, joins);
        }
    }

    /** {@return the writer of a job that needs statements of its own; null if it may be written with others} */
    public EnqueueHook.@Nullable SingleJobWriter writer(JobRequest job) {
        for (EnqueueHook hook : forRows) {
            EnqueueHook.SingleJobWriter writer = hook.writer();
            if (writer != null && hook.concerns(job)) {
                return writer;
            }
        }
        return null;
    }

    /** {@return whether any hook has something to do when a job is written} */
    public boolean concerns(JobRequest job) {
        for (EnqueueHook hook : hooks) {
            if (hook.concerns(job)) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a job must have a row of its own} */
    public boolean needsRow(JobRequest job) {
        for (EnqueueHook hook : forRows) {
            if (hook.concerns(job)) {
                return true;
            }
        }
        return false;
    }
}
