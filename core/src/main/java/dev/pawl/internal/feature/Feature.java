package dev.pawl.internal.feature;

import dev.pawl.admin.Finding;
import dev.pawl.admin.WaitReason;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.settle.CompletionHook;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.store.Duty;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Something that jobs can have beyond being enqueued, run and retried. The kernel knows features only by this interface. An implementation
 * is named in {@code META-INF/services/dev.pawl.internal.feature.Feature} and has a constructor without parameters.
 */
public interface Feature {
    /** {@return its name, unique among all features, for messages} */
    String name();

    /** {@return the feature's tables whose rows name jobs; {@link #on} decides what happens to the rows when their jobs change} */
    List<JobLink> links();

    /**
     * What the feature does in a transition. Best written as a switch over all transitions, because a new transition then does not compile
     * until every feature has decided.
     *
     * @param transition any transition
     * @return always the same decision for the same transition
     */
    Decision on(Transition transition);

    /**
     * The hook for jobs that are enqueued. It is called if {@link #on} says so for {@link Transition#ENQUEUE}.
     *
     * @param context what the hook may use
     * @return a new one; empty if the feature needs none
     */
    default Optional<EnqueueHook> enqueueHook(EnqueueContext context) {
        return Optional.empty();
    }

    /**
     * The hook for jobs that finish, last in their transaction. It is called if {@link #on} says so for {@link Transition#COMPLETE}.
     *
     * @param dialect of the database
     * @param kept which finished jobs are kept
     * @return a new one; empty if the feature needs none, or the store itself creates the hook
     */
    default Optional<CompletionHook> completionHook(Dialect dialect, KeptStates kept) {
        return Optional.empty();
    }

    /**
     * The hook for jobs that change outside of their runs, or are erased. It is called in the transitions for which {@link #on} says so.
     *
     * @param dialect of the database
     * @return a new one for the jobs of one call; empty if the feature needs none
     */
    default Optional<RowChanges> changes(Dialect dialect) {
        return Optional.empty();
    }

    /**
     * The deletion of the feature's rows that belong to no job. It runs with each pruning of finished jobs, once a minute in a worker.
     *
     * @param database the pool and the dialect
     * @return a new one; empty if no such rows need to be deleted
     */
    default Optional<Pruning> pruning(Database database) {
        return Optional.empty();
    }

    /**
     * The work that workers do for the feature beside their main path.
     *
     * @param context what the duties may use
     * @return new ones for one worker
     */
    default List<Duty> duties(DutyContext context) {
        return List.of();
    }

    /**
     * The moments at which the feature next has work for a suspended worker. A duty or a part of the main path does the work of each
     * source.
     *
     * @return always the same
     */
    default List<WorkMoment> workMoments() {
        return List.of();
    }

    /**
     * The queues and kinds that the feature pauses as a whole, so that their jobs are no work for a suspended worker. The end of such a
     * pause is a {@link #workMoments work moment}.
     *
     * @param dialect of the database
     * @return conditions for parts of one statement; empty if the feature pauses nothing
     */
    default Optional<ClaimPauses> claimPauses(Dialect dialect) {
        return Optional.empty();
    }

    /**
     * The settings that workers read for the feature every few seconds.
     *
     * @param dialect of the database
     * @return parts of one statement
     */
    default List<WorkerSetting> workerSettings(Dialect dialect) {
        return List.of();
    }

    /**
     * The reasons for which the feature keeps a waiting job from running.
     *
     * @param job the waiting job
     * @return the reasons, in any order; none if the job does not wait because of the feature
     * @throws SQLException from the driver
     */
    default List<WaitReason> waitReasons(WaitingJob job) throws SQLException {
        return List.of();
    }

    /**
     * Problems of the feature's tables that users should know, for {@link dev.pawl.admin.Maintenance#diagnose}.
     *
     * @param database to read from, in short statements
     * @return the findings; none if nothing is to be done
     * @throws SQLException from the driver
     */
    default List<Finding> findings(Database database) throws SQLException {
        return List.of();
    }
}
