package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.Workflow;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.DisplayState;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "workflow",
        mixinStandardHelpOptions = true,
        description = "Show a workflow as a tree: each node below the last one that it waits for, and, of nodes that"
                + " run or have failed, the first jobs that have not completed.")
final class WorkflowCommand extends CliCommand {
    /** Maximum number of jobs shown of a node. More jobs are read, because completed ones are not shown. */
    private static final int MAX = 5;

    private static final int MAX_EXAMINED = 1_000;

    /** Nodes below this depth are not indented further. */
    private static final int DEEPEST = 20;

    @Parameters(paramLabel = "ID", description = "The workflow's number.")
    private long id;

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            JobQueue queue = session.queue();
            WorkflowInfo info = find(queue, id).info().orElseThrow(() -> unknown(id));
            if (output().isJson()) {
                output().json(out(), asJson(queue, info));
            } else {
                print(queue, info);
            }
            return 0;
        }
    }

    static Workflow find(JobQueue queue, long id) {
        Workflow workflow = queue.workflow(id);
        if (workflow.info().isEmpty()) {
            throw unknown(id);
        }
        return workflow;
    }

    private static NotFoundException unknown(long id) {
        return new NotFoundException("there is no workflow " + id + " (or it was pruned)");
    }

    private static Map<String, @Nullable Object> asJson(JobQueue queue, WorkflowInfo info) {
        Map<String, @Nullable Object> fields = WorkflowsCommand.asJson(info.whole());
        fields.put("state", info.state());
        List<Object> nodes = new ArrayList<>();
        for (WorkflowNode node : info.nodes()) {
            Map<String, @Nullable Object> each = new LinkedHashMap<>();
            BatchInfo jobs = node.jobs();
            each.put("id", node.jobs().id());
            each.put("name", node.name());
            each.put("state", word(queue, node, info.state(node)));
            each.put("jobs", jobs.jobs());
            each.put("completed", jobs.completed());
            each.put("failed", jobs.failed());
            each.put("cancelled", jobs.cancelled());
            each.put("doneAt", jobs.doneAt());
            each.put("after", node.after());
            nodes.add(each);
        }
        fields.put("nodes", nodes);
        return fields;
    }

    private void print(JobQueue queue, WorkflowInfo info) {
        BatchInfo whole = info.whole();
        out().println("workflow " + id + " " + Texts.cut(whole.name()) + ": " + info.state()
                + counts(whole, "node(s)"));
        Map<String, List<WorkflowNode>> below = info.nodes().stream()
                .collect(Collectors.groupingBy(WorkflowCommand::parent, LinkedHashMap::new, Collectors.toList()));
        below.getOrDefault("", List.of()).forEach(root -> print(queue, info, below, root, 1));
    }

    /** {@return the last of its dependencies; empty for none} */
    private static String parent(WorkflowNode node) {
        return node.after().isEmpty()
                ? ""
                : node.after().get(node.after().size() - 1).node();
    }

    private void print(
            JobQueue queue, WorkflowInfo info, Map<String, List<WorkflowNode>> below, WorkflowNode node, int depth) {
        String indent = "  ".repeat(Math.min(depth, DEEPEST));
        WorkflowNode.State state = info.state(node);
        String all = node.after().size() < 2
                ? ""
                : ", after "
                        + node.after().stream().map(WorkflowNode.After::node).collect(Collectors.joining(", "));
        out().println(indent + Texts.cut(node.name()) + ": " + word(queue, node, state)
                + (node.jobs().jobs() > 1 ? counts(node.jobs(), "job(s)") : "") + all);
        if (state == WorkflowNode.State.RUNNING || state == WorkflowNode.State.FAILED) {
            jobs(queue, node, indent + "  ");
        }
        below.getOrDefault(node.name(), List.of()).forEach(next -> print(queue, info, below, next, depth + 1));
    }

    private static String word(JobQueue queue, WorkflowNode node, WorkflowNode.State state) {
        List<Job> some = state == WorkflowNode.State.RUNNING
                ? queue.batch(node.jobs().id()).jobs(0, MAX_EXAMINED)
                : List.of();
        return DisplayState.ofNode(state, some, Instant.now());
    }

    private void jobs(JobQueue queue, WorkflowNode node, String indent) {
        int shown = 0;
        for (Job job : queue.batch(node.jobs().id()).jobs(0, MAX_EXAMINED)) {
            if (job.state() != JobState.COMPLETED && shown++ < MAX) {
                out().println(indent + "job " + job.id() + " " + job.kind() + ": " + Texts.state(job)
                        + (job.reason() == null ? "" : ", " + Texts.cut(job.reason())));
            }
        }
        if (shown > MAX || node.jobs().jobs() > MAX_EXAMINED) {
            out().println(indent + "… all: pawl batch " + node.jobs().id());
        }
    }

    private static String counts(BatchInfo info, String what) {
        return ", " + info.completed() + " of " + info.jobs() + " " + what + " completed"
                + (info.failed() > 0 ? ", " + info.failed() + " failed" : "")
                + (info.cancelled() > 0 ? ", " + info.cancelled() + " cancelled" : "");
    }
}
