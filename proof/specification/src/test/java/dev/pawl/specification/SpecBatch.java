package dev.pawl.specification;

import dev.pawl.api.JobState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch. */
public final class SpecBatch implements Cloneable {
    final long id;
    /** The batch that contains it; 0 for none. */
    long parent;
    /** How the outer batch counts it; null while it is not done. */
    @Nullable
    JobState reported;

    boolean callbacks;
    boolean stops;
    /** How many jobs must complete before the rest is released; 0: none, or the rest was released. */
    int canary;
    /** A worker is to release the rest: the first jobs have completed, or a user has retried a job after the batch was stopped. */
    boolean releasesRest;
    /** A worker is to cancel the waiting jobs, because the batch was just stopped, or jobs were added since. */
    boolean cancelsRest;
    /** It was stopped while jobs ran, so workers read it less often. */
    boolean isReadLessOften;

    long jobs;
    /** How many jobs were added, without inner batches, but with the callbacks of these. */
    long added;

    long completed;
    long failed;
    long cancelled;
    boolean sealed;
    boolean paused;
    boolean stopped;
    boolean goesOn;
    boolean done;
    boolean onDone;
    boolean onFailed;
    boolean onSuccess;
    /** For a node: its dependencies, for which its jobs wait. */
    List<ModelBatches.Edge> after = List.of();

    boolean isNode;
    /** Its nodes are batches within it. */
    boolean isWorkflow;
    /** Its jobs wait for no other node any more. */
    boolean free;
    /** A dependency has failed, and its jobs are to be cancelled. */
    boolean doomed;

    SpecBatch(long id) {
        this.id = id;
    }

    SpecBatch copy() {
        try {
            return (SpecBatch) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    long ended() {
        return completed + failed + cancelled;
    }
}
