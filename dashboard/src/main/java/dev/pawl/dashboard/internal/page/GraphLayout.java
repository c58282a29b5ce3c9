package dev.pawl.dashboard.internal.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Positions of a graph's nodes: each in a column right of all its dependencies. An edge across several columns gets a place in each column
 * between, so that it crosses no node; edges that leave the same node share this place. All lengths are in
 * pixels.
 */
final class GraphLayout {
    static final int NODE_WIDTH = 190;
    static final int NODE_HEIGHT = 46;

    private static final int NODE_ROOM = 62;
    private static final int EDGE_ROOM = 16;
    private static final int COLUMN = NODE_WIDTH + 60;
    private static final int MARGIN = 8;
    private static final int MAX_PLACES = 4_000;
    private static final int SWEEPS = 6;

    /** A node, or an edge passing through a column. */
    private static final class Place {
        final int column;
        final int room;
        final List<Place> before = new ArrayList<>();
        final List<Place> after = new ArrayList<>();
        double order;
        int middle;

        Place(int column, int room) {
            this.column = column;
            this.room = room;
        }

        int left() {
            return MARGIN + column * COLUMN;
        }
    }

    private final List<Place> nodes = new ArrayList<>();
    private final List<List<Place>> columns = new ArrayList<>();
    private final Map<Long, Place> passing = new HashMap<>();
    private final Map<Long, List<Place>> routes = new HashMap<>();
    private final int height;

    /**
     * @param before the numbers of each node's dependencies, acyclic
     * @return the layout; null if there is too much to draw
     */
    static @Nullable GraphLayout of(List<List<Integer>> before) {
        int[] depths = depths(before);
        long places = before.size();
        for (int node = 0; node < before.size(); node++) {
            for (int other : before.get(node)) {
                places += depths[node] - depths[other] - 1;
            }
        }
        return places > MAX_PLACES ? null : new GraphLayout(before, depths);
    }

    private GraphLayout(List<List<Integer>> before, int[] depths) {
        for (int depth : depths) {
            nodes.add(place(depth, NODE_ROOM));
        }
        for (int node = 0; node < before.size(); node++) {
            for (int other : before.get(node)) {
                connect(other, node);
            }
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            boolean isForward = sweep % 2 == 0;
            for (int i = 0; i < columns.size(); i++) {
                order(
                        columns.get(isForward ? i : columns.size() - 1 - i),
                        isForward ? place -> place.before : place -> place.after);
            }
        }
        int highest = columns.stream().mapToInt(GraphLayout::room).max().orElse(0);
        for (List<Place> column : columns) {
            int top = MARGIN + (highest - room(column)) / 2;
            for (Place place : column) {
                place.middle = top + place.room / 2;
                top += place.room;
            }
        }
        this.height = highest + 2 * MARGIN;
    }

    /** {@return for each node the length of the longest path to it} */
    static int[] depths(List<List<Integer>> before) {
        int[] depths = new int[before.size()];
        boolean isStable = false;
        for (int round = 0;
                !isStable && round <= before.size();
                round++) { // one or two rounds suffice, because each node is listed after its dependencies
            isStable = true;
            for (int node = 0; node < depths.length; node++) {
                for (int other : before.get(node)) {
                    if (depths[node] <= depths[other]) {
                        depths[node] = depths[other] + 1;
                        isStable = false;
                    }
                }
            }
        }
        return depths;
    }

    private Place place(int column, int room) {
        while (columns.size() <= column) {
            columns.add(new ArrayList<>());
        }
        Place place = new Place(column, room);
        place.order = columns.get(column).size();
        columns.get(column).add(place);
        return place;
    }

    private void connect(int from, int to) {
        Place last = nodes.get(from);
        List<Place> route = new ArrayList<>();
        for (int column = last.column + 1; column < nodes.get(to).column; column++) {
            Place next = passing.get(key(from, column));
            if (next == null) {
                next = place(column, EDGE_ROOM);
                passing.put(key(from, column), next);
                join(last, next);
            }
            route.add(next);
            last = next;
        }
        join(last, nodes.get(to));
        routes.put(key(from, to), route);
    }

    private static void join(Place before, Place after) {
        before.after.add(after);
        after.before.add(before);
    }

    private static long key(int one, int other) {
        return (long) one << 32 | other;
    }

    /** Sorts the places of a column by the average height of their neighbours. */
    private static void order(List<Place> column, Function<Place, List<Place>> neighbours) {
        for (Place place : column) {
            place.order = neighbours.apply(place).stream()
                    .mapToDouble(other -> other.order)
                    .average()
                    .orElse(place.order);
        }
        column.sort(Comparator.comparingDouble(place -> place.order)); // stable: keeps the order of equals
        for (int i = 0; i < column.size(); i++) {
            // Relative to the middle of the column, because all columns are drawn with their middles at the same
            // height.
            column.get(i).order = i - (column.size() - 1) / 2.0;
        }
    }

    private static int room(List<Place> column) {
        return column.stream().mapToInt(place -> place.room).sum();
    }

    int width() {
        return 2 * MARGIN + (columns.size() - 1) * COLUMN + NODE_WIDTH;
    }

    int height() {
        return height;
    }

    int left(int node) {
        return nodes.get(node).left();
    }

    int top(int node) {
        return nodes.get(node).middle - NODE_HEIGHT / 2;
    }

    /** {@return the SVG path of an edge, to the tip of its arrow} */
    String path(int from, int to) {
        Place start = nodes.get(from);
        int x = start.left() + NODE_WIDTH;
        int y = start.middle;
        StringBuilder path = new StringBuilder("M" + x + " " + y);
        List<Place> stops = new ArrayList<>(routes.getOrDefault(key(from, to), List.of()));
        stops.add(nodes.get(to));
        for (Place stop : stops) {
            boolean isLast = stop == nodes.get(to);
            int end = isLast ? stop.left() - 7 : stop.left();
            int middle = (x + end) / 2;
            path.append(" C" + middle + " " + y + " " + middle + " " + stop.middle + " " + end + " " + stop.middle);
            x = isLast ? end : stop.left() + NODE_WIDTH;
            y = stop.middle;
            if (!isLast) {
                path.append(" H").append(x);
            }
        }
        return path.toString();
    }

    /** {@return the SVG path of the arrowhead in front of a node} */
    String tip(int node) {
        Place at = nodes.get(node);
        int x = at.left();
        return "M" + (x - 8) + " " + (at.middle - 4) + " L" + x + " " + at.middle + " L" + (x - 8) + " "
                + (at.middle + 4) + " Z";
    }
}
