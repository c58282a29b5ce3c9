package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.DisplayState;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.api.Job;
import dev.pawl.api.OnFailure;
import dev.pawl.dashboard.internal.snapshot.NodeWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A node of a workflow, as a line of its tree.
 *
 * @param jobs its progress
 * @param state its label
 * @param depth indentation; limited
 * @param after its dependencies, as text
 * @param shown some of its jobs that have not completed
 * @param isCut whether there may be more
 */
public record NodeRow(BatchInfo jobs, String state, int depth, String after, List<Job> shown, boolean isCut) {
    private static final int DEEPEST = 8;

    /** Maximum number of jobs shown per node. */
    private static final int MAX_JOBS = 5;

    /** Copies the lists. */
    public NodeRow {
        shown = List.copyOf(shown);
    }

    /**
     * @param workflow to show
     * @param words labels of its nodes, and their first jobs
     * @return the lines of its tree: each node below its last dependency
     */
    static List<NodeRow> tree(WorkflowInfo workflow, NodeWords words) {
        Map<String, List<WorkflowNode>> below = workflow.nodes().stream()
                .collect(Collectors.groupingBy(NodeRow::parent, LinkedHashMap::new, Collectors.toList()));
        List<NodeRow> rows = new ArrayList<>();
        // Iterative, because a chain may have a thousand nodes.
        List<Map.Entry<WorkflowNode, Integer>> open = new ArrayList<>();
        push(open, below.getOrDefault("", List.of()), 0);
        while (!open.isEmpty()) {
            Map.Entry<WorkflowNode, Integer> next = open.remove(open.size() - 1);
            WorkflowNode node = next.getKey();
            rows.add(of(node, words.of(node), next.getValue(), words.jobs(node)));
            push(open, below.getOrDefault(node.name(), List.of()), Math.min(DEEPEST, next.getValue() + 1));
        }
        return rows;
    }

    /** {@return whether the node is paused although its label says something else} */
    public boolean isPausedToo() {
        return isPausedToo(jobs, state);
    }

    static boolean isPausedToo(BatchInfo jobs, String state) {
        return jobs.pausedAt() != null && !jobs.isDone() && !state.equals(DisplayState.PAUSED.word());
    }

    private static void push(List<Map.Entry<WorkflowNode, Integer>> open, List<WorkflowNode> nodes, int depth) {
        for (int place = nodes.size() - 1; place >= 0; place--) {
            open.add(Map.entry(nodes.get(place), depth));
        }
    }

    private static NodeRow of(WorkflowNode node, String state, int depth, List<Job> jobs) {
        List<Job> left = jobs.stream()
                .filter(job -> job.state() != dev.pawl.api.JobState.COMPLETED)
                .toList();
        boolean isCut =
                left.size() > MAX_JOBS || (!jobs.isEmpty() && node.jobs().jobs() > jobs.size());
        return new NodeRow(
                node.jobs(),
                state,
                depth,
                node.after().stream().map(NodeRow::words).collect(Collectors.joining(", ")),
                left.subList(0, Math.min(MAX_JOBS, left.size())),
                isCut);
    }

    /** {@return the last of the dependencies; empty for none} */
    private static String parent(WorkflowNode node) {
        return node.after().isEmpty()
                ? ""
                : node.after().get(node.after().size() - 1).node();
    }

    private static String words(WorkflowNode.After after) {
        return after.node()
                + (after.onFailure() == OnFailure.CANCEL
                        ? " (cancelled if it fails)"
                        : after.onFailure() == OnFailure.RUN_ANYWAY ? " (also if it fails)" : "");
    }
}
