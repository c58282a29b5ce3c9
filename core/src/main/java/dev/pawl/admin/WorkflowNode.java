package dev.pawl.admin;

import dev.pawl.api.OnFailure;
import java.util.List;

/**
 * A node of a workflow: one or more jobs, which may depend on the jobs of other nodes.
 *
 * @param jobs the progress of its jobs, shown as a batch that has the name and the id of the node
 * @param isFree whether its jobs no longer wait for other nodes, or never did
 * @param after the nodes on which it depends
 */
public record WorkflowNode(BatchInfo jobs, boolean isFree, List<After> after) {
    /** The state of a node. */
    public enum State {
        /** It waits for other nodes. */
        WAITING,
        /** A node on which it depends has failed or was cancelled: an operator must retry that node's jobs or cancel this node's. */
        BLOCKED,
        /** Its jobs are released: they run or may run. */
        RUNNING,
        /** All of its jobs have completed. */
        COMPLETED,
        /** All of its jobs have finished, and some were discarded. */
        FAILED,
        /** All of its jobs have finished, and some were cancelled. */
        CANCELLED
    }

    /**
     * A dependency of a node.
     *
     * @param node the name of the node on which it depends
     * @param onFailure what the dependent node does if that node fails
     * @param isMet whether the dependency is satisfied
     */
    public record After(String node, OnFailure onFailure, boolean isMet) {}

    /** Copies the lists. */
    public WorkflowNode {
        after = List.copyOf(after);
    }

    /** {@return its name, unique within the workflow} */
    public String name() {
        return jobs.name();
    }
}
