package dev.pawl.internal.admin;

import dev.pawl.admin.ChangeResult;
import dev.pawl.api.JobState;
import dev.pawl.internal.jdbc.Database;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Changes all jobs that have failed for the same cause, page by page until there are no more. Confined to one call. */
final class GroupChange {
    private final Database database;
    private final Set<JobState> states;
    private final Change change;
    private final LongConsumer progress;
    private long changed;
    private long skipped;

    /** Changes a job. */
    interface Change {
        /** {@return whether it was changed} */
        boolean apply(long job) throws SQLException;
    }

    /**
     * @param database the pool and the dialect
     * @param states of the jobs to change
     * @param change of each job
     * @param progress called with the number of changed jobs
     */
    GroupChange(Database database, Set<JobState> states, Change change, LongConsumer progress) {
        this.database = database;
        this.states = states;
        this.change = change;
        this.progress = progress;
    }

    /**
     * Changes the jobs, live ones first. A retry makes a finished job live, and such a job must not be changed a second time.
     *
     * @param group the group's id
     */
    ChangeResult make(String group) throws SQLException {
        FailedRuns runs = new FailedRuns(database.dialect(), null, null);
        for (String table : new String[] {FailedRuns.LIVE, FailedRuns.ENDED}) {
            FailedRuns.Run last = null;
            long done = -1; // the last handled job, of which more failed attempts may follow
            while (!Thread.currentThread().isInterrupted()) {
                FailedRuns.Run before = last;
                List<FailedRuns.Run> page = database.autocommit(connection -> runs.page(connection, table, before));
                for (FailedRuns.Run run : page) {
                    if (run.job() != done && isOf(group, run)) {
                        change(run.job());
                        done = run.job();
                    }
                }
                last = lastOf(page);
                if (last == null) {
                    break;
                }
            }
        }
        return new ChangeResult(changed, skipped);
    }

    private static FailedRuns.@Nullable Run lastOf(List<FailedRuns.Run> page) {
        return page.size() < FailedRuns.PAGE ? null : page.get(page.size() - 1);
    }

    private boolean isOf(String group, FailedRuns.Run run) {
        return states.contains(run.state()) && run.cause().id(run.kind()).equalsIgnoreCase(group);
    }

    private void change(long job) throws SQLException {
        if (change.apply(job)) {
            changed++;
        } else {
            skipped++;
        }
        progress.accept(changed);
    }
}
