package dev.pawl.testkit;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.WorkerBuilder;
import dev.pawl.Workflow;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Runs single nodes of a workflow. The other nodes are paused during the run. */
final class WorkflowSteps {
    private final JobQueue queue;
    private final Workflow workflow;

    /**
     * @param queue of the workflow
     * @param workflow to run
     */
    WorkflowSteps(JobQueue queue, Workflow workflow) {
        this.queue = queue;
        this.workflow = workflow;
    }

    /**
     * @param name of the node
     * @param handlers not started
     * @param options limits
     * @return the result
     */
    Drained run(String name, WorkerBuilder handlers, DrainOptions options) {
        WorkflowInfo info = info();
        WorkflowNode node = info.node(name)
                .orElseThrow(() -> new AssertionError("the workflow has no node '" + name + "':\n" + tree()));
        if (info.state(node) != WorkflowNode.State.RUNNING) {
            throw new AssertionError("node '" + name + "' cannot run now:\n" + tree());
        }
        List<Batch> paused = new ArrayList<>();
        try {
            for (WorkflowNode other : info.nodes()) {
                BatchInfo jobs = other.jobs();
                if (!other.name().equals(name) && !jobs.isDone() && jobs.pausedAt() == null) {
                    Batch batch = queue.batch(jobs.id());
                    paused.add(batch);
                    batch.pause();
                }
            }
            return new Drainer(queue, options, false).run(handlers);
        } finally {
            paused.forEach(Batch::resume);
        }
    }

    /** {@return one line per node} */
    String tree() {
        WorkflowInfo info = info();
        return info.nodes().stream().map(node -> line(info, node)).collect(Collectors.joining("\n"));
    }

    private WorkflowInfo info() {
        return workflow.info().orElseThrow(() -> new AssertionError("there is no workflow " + workflow.id()));
    }

    private static String line(WorkflowInfo info, WorkflowNode node) {
        BatchInfo jobs = node.jobs();
        String state = info.state(node).name().toLowerCase(Locale.ROOT);
        String many = jobs.jobs() > 1 ? " (" + jobs.ended() + " of " + jobs.jobs() + ")" : "";
        String after = node.after().isEmpty()
                ? ""
                : " after "
                        + node.after().stream().map(WorkflowNode.After::node).collect(Collectors.joining(", "));
        return node.name() + after + ": " + state + many;
    }
}
