package dev.pawl.admin;

import dev.pawl.OnFailure;
import java.util.List;

/**
 * A node of a workflow: one job or many, which wait for those of other nodes.
 *
 * @param jobs how far its jobs are; its number as a batch, and its name
 * @param isFree whether they wait for no other node
 * @param after the nodes that come before it
 */
public record WorkflowNode(BatchInfo jobs, boolean isFree, List<After> after) {
    /** How a node stands. */
    public enum State {
        /** It waits for others. */
        WAITING,
        /** It waits for one that has ended otherwise than completed: somebody has to retry that, or to cancel this. */
        BLOCKED,
        /** Its jobs may run, or do. */
        RUNNING,
        /** All of its jobs have completed. */
        COMPLETED,
        /** All have ended, and some were discarded. */
        FAILED,
        /** All have ended, and some were cancelled. */
        CANCELLED
    }

    /**
     * A node that comes before another.
     *
     * @param node its name
     * @param onFailure what that other one does when this one ends otherwise than completed
     * @param isMet whether it waits for this one no more
     */
    public record After(String node, OnFailure onFailure, boolean isMet) {}

    /** The lists are copied. */
    public WorkflowNode {
        after = List.copyOf(after);
    }

    /** {@return its name, by which others of its workflow find it} */
    public String name() {
        return jobs.name();
    }
}
