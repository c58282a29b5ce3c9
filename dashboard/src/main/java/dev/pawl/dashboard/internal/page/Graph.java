package dev.pawl.dashboard.internal.page;

import dev.pawl.OnFailure;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.admin.WorkflowNode;
import dev.pawl.dashboard.internal.look.NodeWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as a page draws it, from left to right. No script is needed, and the table below says the same in words.
 *
 * @param width in pixels
 * @param height in pixels
 * @param summary for who does not see it
 * @param boxes its nodes
 * @param edges between them
 */
public record Graph(int width, int height, String summary, List<Box> boxes, List<Edge> edges) {
    /** What somebody can still look over. */
    static final int MOST_NODES = 200;

    private static final int MOST_EDGES = 1_000;
    private static final int ROOM_FOR_NAME = GraphLayout.NODE_WIDTH - 24;

    /**
     * A node.
     *
     * @param jobs how far it is
     * @param state in a word
     * @param name as much of it as there is room for
     * @param left where it begins
     * @param top where it begins
     * @param tip of the arrows that lead to it; empty if none does
     */
    public record Box(BatchInfo jobs, String state, String name, int left, int top, String tip) {
        /** {@return its state, and how much has been done where there is more than one job} */
        public String says() {
            return (jobs.pausedAt() != null && !jobs.isDone() ? state + ", paused" : state)
                    + (jobs.jobs() > 1 ? " · " + Words.number(jobs.ended()) + " of " + Words.number(jobs.jobs()) : "");
        }
    }

    /**
     * What a node waits for.
     *
     * @param path of the line
     * @param look its classes: what a failure does, and whether it is met
     * @param words the same in words
     */
    public record Edge(String path, String look, String words) {}

    /**
     * How many nodes stand behind equally many others, by their states.
     *
     * @param level 1 for those that wait for none
     * @param nodes how many there are
     * @param states of them, in words
     */
    public record Level(int level, int nodes, String states) {}

    /** The lists are copied. */
    public Graph {
        boxes = List.copyOf(boxes);
        edges = List.copyOf(edges);
    }

    /** {@return the drawing; null if it would be too large to be looked over} */
    static @Nullable Graph of(WorkflowInfo workflow, NodeWords words) {
        List<WorkflowNode> nodes = workflow.nodes();
        long count = nodes.stream().mapToLong(node -> node.after().size()).sum();
        if (nodes.isEmpty() || nodes.size() > MOST_NODES || count > MOST_EDGES) {
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

    /** {@return for each node the places of those that it waits for, in their order} */
    private static List<List<Integer>> before(List<WorkflowNode> nodes) {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            places.put(nodes.get(i).name(), i);
        }
        return nodes.stream()
                .map(node -> node.after().stream()
                        .map(after -> places.get(after.node()))
                        .toList())
                .toList();
    }

    private static Edge edge(String path, WorkflowNode from, WorkflowNode.After after, WorkflowNode to) {
        String look = after.onFailure() == OnFailure.CANCEL
                ? "cancel"
                : after.onFailure() == OnFailure.RUN_ANYWAY ? "anyway" : "block";
        String stands = after.isMet() ? " met" : from.jobs().isDone() ? " stuck" : "";
        String words = to.name() + " after " + from.name()
                + switch (after.onFailure()) {
                    case BLOCK -> ": if that fails, it waits";
                    case CANCEL -> ": if that fails, it is cancelled";
                    case RUN_ANYWAY -> ": also if that fails";
                };
        return new Edge(path, look + stands, words);
    }

    /** {@return how many nodes there are on each level, and how they stand: where there are too many to be drawn} */
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
        List<Level> told = new ArrayList<>();
        for (List<WorkflowNode> level : levels) {
            told.add(new Level(told.size() + 1, level.size(), states(words, level)));
        }
        return told;
    }

    private static String states(NodeWords words, List<WorkflowNode> nodes) {
        Map<String, Long> counts = new TreeMap<>();
        nodes.forEach(node -> counts.merge(words.of(node), 1L, Long::sum));
        return counts.entrySet().stream()
                .map(each -> Words.number(each.getValue()) + " " + each.getKey())
                .collect(Collectors.joining(", "));
    }

    private static String summary(WorkflowInfo workflow, NodeWords words) {
        return "Graph of its " + workflow.nodes().size() + " nodes: " + states(words, workflow.nodes())
                + ". The table below says the same.";
    }

    /** Letters differ in width, and a browser measures them too late: none of ours is wider than this takes it to be. */
    private static String fitting(String whole) {
        String name = whole.replaceAll("\\p{Cf}", "?"); // such as one that turns the direction of what follows
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
