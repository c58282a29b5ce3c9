package dev.pawl.dashboard.internal.look;

import dev.pawl.Job;
import dev.pawl.admin.DisplayState;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.admin.WorkflowNode.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * How the nodes of a workflow stand, in a word each: one runs only if a job of it runs. Their first jobs are read for that.
 *
 * @param words by the numbers of the nodes
 * @param jobs by the numbers of the nodes whose jobs were read
 */
public record NodeWords(Map<Long, String> words, Map<Long, List<Job>> jobs) {
    /** Whose jobs are asked for: one statement each. */
    private static final int MOST_NODES = 40;

    /** The maps are copied. */
    public NodeWords {
        words = Map.copyOf(words);
        jobs = Map.copyOf(jobs);
    }

    /**
     * @param workflow to show
     * @param jobsOf the first jobs of a node by its number
     * @return the words
     */
    public static NodeWords of(WorkflowInfo workflow, LongFunction<List<Job>> jobsOf) {
        Map<Long, String> words = new HashMap<>();
        Map<Long, List<Job>> jobs = new HashMap<>();
        for (WorkflowNode node : workflow.nodes()) {
            State state = workflow.state(node);
            long id = node.jobs().id();
            if ((state == State.RUNNING || state == State.FAILED) && jobs.size() < MOST_NODES) {
                jobs.put(id, jobsOf.apply(id));
            }
            words.put(id, DisplayState.ofNode(state, jobs.getOrDefault(id, List.of()), Instant.now()));
        }
        return new NodeWords(words, jobs);
    }

    /** {@return the word of a node} */
    public String of(WorkflowNode node) {
        return words.getOrDefault(node.jobs().id(), "");
    }

    /** {@return the first jobs of a node; none if they were not read} */
    public List<Job> jobs(WorkflowNode node) {
        return jobs.getOrDefault(node.jobs().id(), List.of());
    }
}
