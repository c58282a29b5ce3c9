package dev.pawl.dashboard.internal.api;

import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.snapshot.NodeWords;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON of workflows, with the command line's names. */
final class WorkflowJson {
    private WorkflowJson() {}

    static Map<String, @Nullable Object> brief(BatchInfo workflow) {
        return Json.object(
                "id", workflow.id(),
                "name", workflow.name(),
                "state", workflow.state(),
                "nodeCount", workflow.jobs(),
                "completed", workflow.completed(),
                "failed", workflow.failed(),
                "cancelled", workflow.cancelled(),
                "createdAt", workflow.createdAt(),
                "doneAt", workflow.doneAt());
    }

    /** @param words for the states of its nodes, the same as on the pages */
    static Map<String, @Nullable Object> of(WorkflowInfo workflow, NodeWords words) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>(brief(workflow.whole()));
        json.put("state", workflow.state());
        json.put(
                "nodes",
                workflow.nodes().stream().map(node -> node(words, node)).toList());
        return json;
    }

    private static Map<String, @Nullable Object> node(NodeWords words, WorkflowNode node) {
        BatchInfo jobs = node.jobs();
        return Json.object(
                "id", jobs.id(),
                "name", node.name(),
                "state", words.of(node),
                "jobs", jobs.jobs(),
                "completed", jobs.completed(),
                "failed", jobs.failed(),
                "cancelled", jobs.cancelled(),
                "doneAt", jobs.doneAt(),
                "after", node.after());
    }
}
