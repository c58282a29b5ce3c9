package dev.pawl.dashboard.internal.snapshot;

import dev.pawl.admin.DisplayState;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.admin.WorkflowNode.State;
import dev.pawl.api.Job;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * State labels of a workflow's nodes. A node is shown as running only if one of its jobs runs. To find that out, the first jobs of a node
 * are read.
 *
 * @param words by node number
 * @param jobs by the numbers of the nodes whose jobs were read
 */
public record NodeWords(Map<Long, String> words, Map<Long, List<Job>> jobs) {
    /** Maximum number of nodes whose jobs are read, with one statement each. */
    private static final int MAX_NODES = 40;

    /** Copies the maps. */
    public NodeWords {
        words = Map.copyOf(words);
        jobs = Map.copyOf(jobs);
    }

    /**
     * @param workflow to show
     * @param jobsOf the first jobs of a node by its number
     * @return the labels
     */
    public static NodeWords of(WorkflowInfo workflow, LongFunction<List<Job>> jobsOf) {
        Map<Long, String> words = new HashMap<>();
        Map<Long, List<Job>> jobs = new HashMap<>();
        for (WorkflowNode node : workflow.nodes()) {
            State state = workflow.state(node);
            long id = node.jobs().id();
            if ((state == State.RUNNING || state == State.FAILED) && jobs.size() < MAX_NODES) {
                jobs.put(id, jobsOf.apply(id));
            }
            words.put(id, DisplayState.ofNode(state, jobs.getOrDefault(id, List.of()), Instant.now()));
        }
        return new NodeWords(words, jobs);
    }

    /** {@return the label of a node} */
    public String of(WorkflowNode node) {
        return words.getOrDefault(node.jobs().id(), "");
    }

    /** {@return the first jobs of a node; empty if they were not read} */
    public List<Job> jobs(WorkflowNode node) {
        return jobs.getOrDefault(node.jobs().id(), List.of());
    }
}
