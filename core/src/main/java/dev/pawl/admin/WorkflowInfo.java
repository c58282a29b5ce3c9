package dev.pawl.admin;

import dev.pawl.admin.WorkflowNode.State;
import java.util.List;
import java.util.Optional;

/**
 * How far a workflow is.
 *
 * @param whole its number, name and how many of its nodes have ended
 * @param nodes in the order in which they were added: each after those that it waits for
 */
public record WorkflowInfo(BatchInfo whole, List<WorkflowNode> nodes) {
    /** The list is copied. */
    public WorkflowInfo {
        nodes = List.copyOf(nodes);
    }

    /** {@return its number} */
    public long id() {
        return whole.id();
    }

    /** {@return whether all of its nodes have ended} */
    public boolean isDone() {
        return whole.isDone();
    }

    /** {@return whether it is done, and everything has completed} */
    public boolean isSuccess() {
        return whole.isSuccess();
    }

    /** {@return whether it goes on only if somebody retries what has failed: nothing in it can run} */
    public boolean isBlocked() {
        return !isDone() && nodes.stream().noneMatch(node -> state(node) == State.RUNNING);
    }

    /** {@return in one word, for people: running, blocked, done or failed} */
    public String state() {
        return isBlocked() ? "blocked" : whole.state();
    }

    /** {@return the node with a name} */
    public Optional<WorkflowNode> node(String name) {
        return nodes.stream().filter(node -> node.name().equals(name)).findFirst();
    }

    /** {@return how one of its nodes stands} */
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
