package dev.pawl.admin;

import dev.pawl.admin.WorkflowNode.State;
import java.util.List;
import java.util.Optional;

/**
 * The progress of a workflow.
 *
 * @param whole its id, its name and the number of its finished nodes
 * @param nodes in the order in which they were added, so each node follows the nodes on which it depends
 */
public record WorkflowInfo(BatchInfo whole, List<WorkflowNode> nodes) {
    /** Copies the list. */
    public WorkflowInfo {
        nodes = List.copyOf(nodes);
    }

    /** {@return its id} */
    public long id() {
        return whole.id();
    }

    /** {@return whether all of its nodes have finished} */
    public boolean isDone() {
        return whole.isDone();
    }

    /** {@return whether it is done, and all of its nodes have completed} */
    public boolean isSuccess() {
        return whole.isSuccess();
    }

    /** {@return whether nothing in it can run until an operator retries a failed or cancelled job} */
    public boolean isBlocked() {
        return !isDone() && nodes.stream().noneMatch(node -> state(node) == State.RUNNING);
    }

    /** {@return the state for people: running, paused, blocked, done or failed} */
    public String state() {
        return isBlocked() ? "blocked" : whole.state();
    }

    /** {@return the node with a name} */
    public Optional<WorkflowNode> node(String name) {
        return nodes.stream().filter(node -> node.name().equals(name)).findFirst();
    }

    /** {@return the state of one of its nodes} */
    public State state(WorkflowNode node) {
        BatchInfo jobs = node.jobs();
        if (jobs.isDone()) {
            return jobs.failed() > 0 ? State.FAILED : jobs.cancelled() > 0 ? State.CANCELLED : State.COMPLETED;
        }
        if (node.isFree()) {
            return State.RUNNING;
        }
        boolean blocked = node.after().stream()
                .filter(after -> !after.isMet())
                .anyMatch(after ->
                        node(after.node()).map(before -> before.jobs().isDone()).orElse(false));
        return blocked ? State.BLOCKED : State.WAITING;
    }
}
