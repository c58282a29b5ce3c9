package dev.pawl.dashboard.internal.page;

import dev.pawl.JobQueue;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.snapshot.NodeWords;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.List;
import java.util.OptionalLong;

/** The pages about workflows. Nothing is cached: a workflow is read by its number, and lists by pages of fifty. */
final class WorkflowPages {
    private static final int PAGE = 50;

    private final JobQueue queue;
    private final Templates templates;

    private WorkflowPages(JobQueue queue, Templates templates) {
        this.queue = queue;
        this.templates = templates;
    }

    static void add(Routes routes, JobQueue queue, Templates templates) {
        WorkflowPages pages = new WorkflowPages(queue, templates);
        routes.get("/workflows", pages::list);
        routes.get("/workflows/{id}", pages::one);
    }

    private Response list(Call call) {
        OptionalLong before = call.number("before");
        List<BatchInfo> workflows = queue.workflows(before.orElse(Long.MAX_VALUE), PAGE);
        Long next = workflows.size() < PAGE ? null : workflows.get(PAGE - 1).id();
        return templates.page(
                call, "workflows", Json.object("workflows", workflows, "next", next, "isFirst", before.isEmpty()));
    }

    private Response one(Call call) {
        WorkflowInfo workflow = queue.workflow(call.id())
                .info()
                .orElseThrow(() -> new Refusal(404, "workflow " + call.id() + " does not exist, or it was pruned"));
        NodeWords words = NodeWords.of(workflow, node -> queue.batch(node).jobs(0, PAGE));
        Graph graph = Graph.of(workflow, words);
        return templates.page(
                call,
                "workflow",
                Json.object(
                        "workflow",
                        workflow,
                        "nodes",
                        NodeRow.tree(workflow, words),
                        "graph",
                        graph,
                        "levels",
                        graph == null ? Graph.levels(workflow, words) : List.of()));
    }
}
