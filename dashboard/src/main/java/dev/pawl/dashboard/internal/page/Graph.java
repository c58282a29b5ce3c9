package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.api.OnFailure;
import dev.pawl.dashboard.internal.snapshot.NodeWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as a drawing, from left to right. Needs no script; the table below has the same information.
 *
 * @param width in pixels
 * @param height in pixels
 * @param summary for screen readers
 * @param boxes its nodes
 * @param edges between them
 */
public record Graph(int width, int height, String summary, List<Box> boxes, List<Edge> edges) {
    /** Drawings of more nodes are hard to survey. */
    static final int MAX_NODES = 200;

    private static final int MAX_EDGES = 1_000;
    private static final int ROOM_FOR_NAME = GraphLayout.NODE_WIDTH - 24;

    /**
     * A node.
     *
     * @param jobs its progress
     * @param state its label
     * @param name truncated to the box
     * @param left x of its left edge
     * @param top y of its top edge
     * @param tip of the incoming arrows; empty if there are none
     */
    public record Box(BatchInfo jobs, String state, String name, int left, int top, String tip) {
        /** {@return its state, and the progress if there is more than one job} */
        public String says() {
            return (NodeRow.isPausedToo(jobs, state) ? state + ", paused" : state)
                    + (jobs.jobs() > 1
                            ? " · " + Formats.number(jobs.ended()) + " of " + Formats.number(jobs.jobs())
                            : "");
        }
    }

    /**
     * A dependency.
     *
     * @param path of the line
     * @param style its CSS classes: the effect of a failure, and whether it is satisfied
     * @param words its description
     */
    public record Edge(String path, String style, String words) {}

    /**
     * The number of nodes at one depth, by their states.
     *
     * @param level 1 for nodes without dependencies
     * @param nodes how many there are
     * @param states of them, as text
     */
    public record Level(int level, int nodes, String states) {}

    /** Copies the lists. */
    public Graph {
        boxes = List.copyOf(boxes);
        edges = List.copyOf(edges);
    }

    /** {@return the drawing; null if it would be too large to survey} */
    static @Nullable Graph of(WorkflowInfo workflow, NodeWords words) {
        List<WorkflowNode> nodes = workflow.nodes();
        long edgeCount = nodes.stream().mapToLong(node -> node.after().size()).sum();
        if (nodes.isEmpty() || nodes.size() > MAX_NODES || edgeCount > MAX_EDGES) {
            return null;
        }
        List<List<Integer>> before = before(nodes);
        GraphLayout layout = GraphLayout.of(before);
        if (layout == null) {
            return null;
        }
        List<Box> boxes = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            WorkflowNode node = nodes.get(i);
            boxes.add(new Box(
                    node.jobs(),
                    words.of(node),
                    fitting(node.name()),
                    layout.left(i),
                    layout.top(i),
                    before.get(i).isEmpty() ? "" : layout.tip(i)));
            for (int j = 0; j < before.get(i).size(); j++) {
                int from = before.get(i).get(j);
                edges.add(
                        edge(layout.path(from, i), nodes.get(from), node.after().get(j), node));
            }
        }
        return new Graph(layout.width(), layout.height(), summary(workflow, words), boxes, edges);
    }

    /** {@return for each node the positions of its dependencies, in their order} */
    private static List<List<Integer>> before(List<WorkflowNode> nodes) {
        Map<String, Integer> positions = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            positions.put(nodes.get(i).name(), i);
        }
        return nodes.stream()
                .map(node -> node.after().stream()
                        .map(after -> positions.get(after.node()))
                        .toList())
                .toList();
    }

    private static Edge edge(String path, WorkflowNode from, WorkflowNode.After after, WorkflowNode to) {
        String style = after.onFailure() == OnFailure.CANCEL
                ? "cancel"
                : after.onFailure() == OnFailure.RUN_ANYWAY ? "anyway" : "block";
        String status = after.isMet() ? " met" : from.jobs().isDone() ? " stuck" : "";
        String words = to.name() + " after " + from.name()
                + switch (after.onFailure()) {
                    case BLOCK -> ": if that fails, it waits";
                    case CANCEL -> ": if that fails, it is cancelled";
                    case RUN_ANYWAY -> ": also if that fails";
                };
        return new Edge(path, style + status, words);
    }

    /** {@return the nodes of each level and their states, for workflows too large to draw} */
    static List<Level> levels(WorkflowInfo workflow, NodeWords words) {
        List<WorkflowNode> nodes = workflow.nodes();
        int[] depths = GraphLayout.depths(before(nodes));
        List<List<WorkflowNode>> levels = new ArrayList<>();
        for (int i = 0; i < depths.length; i++) {
            while (levels.size() <= depths[i]) {
                levels.add(new ArrayList<>());
            }
            levels.get(depths[i]).add(nodes.get(i));
        }
        List<Level> rows = new ArrayList<>();
        for (List<WorkflowNode> level : levels) {
            rows.add(new Level(rows.size() + 1, level.size(), states(words, level)));
        }
        return rows;
    }

    private static String states(NodeWords words, List<WorkflowNode> nodes) {
        Map<String, Long> counts = new TreeMap<>();
        nodes.forEach(node -> counts.merge(words.of(node), 1L, Long::sum));
        return counts.entrySet().stream()
                .map(each -> Formats.number(each.getValue()) + " " + each.getKey())
                .collect(Collectors.joining(", "));
    }

    private static String summary(WorkflowInfo workflow, NodeWords words) {
        return "Graph of its " + workflow.nodes().size() + " nodes: " + states(words, workflow.nodes())
                + ". The table below says the same.";
    }

    /**
     * Truncates a name to the width of a box. Only a browser can measure text, so each letter counts as wide as the widest letter of its
     * class.
     */
    private static String fitting(String whole) {
        String name = whole.replaceAll("\\p{Cf}", "?"); // such as a bidirectional mark
        int room = ROOM_FOR_NAME;
        for (int i = 0; i < name.length(); i = name.offsetByCodePoints(i, 1)) {
            room -= width(name.codePointAt(i));
            if (room < 0) {
                return name.substring(0, i) + "…";
            }
        }
        return name;
    }

    private static int width(int letter) {
        if (letter > 0x2000) {
            return 14;
        }
        return "MW@mw%".indexOf(letter) >= 0 ? 12 : Character.isUpperCase(letter) ? 10 : 8;
    }
}
