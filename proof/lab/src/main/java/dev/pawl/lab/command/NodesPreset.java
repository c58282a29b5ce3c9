package dev.pawl.lab.command;

import dev.pawl.lab.database.Target;
import dev.pawl.lab.run.Cell.Disturbance;
import dev.pawl.lab.run.Cell.Measure;
import dev.pawl.lab.run.Matrix;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Measures a cluster whose nodes all take writes. Jobs are enqueued on one of its nodes, then on two, and so on, and workers are connected
 * to the same nodes. The number of workers is always the same, so that only the number of nodes differs.
 */
final class NodesPreset {
    static final int ROUNDS = 3;

    private static final int JOBS = 100_000;
    private static final int HANDLERS = 10;
    private static final int HANDLER_MILLIS = 5;
    private static final int PAYLOAD = 60;
    /** Workers for each of the nodes. */
    private static final List<Integer> WORKERS = List.of(1, 4);
    /** Fewer jobs per second than one thread can enqueue one by one, each with a commit of the cluster. */
    private static final int RATE = 200;

    private static final int SECONDS = 15;

    private NodesPreset() {}

    /** {@return the nodes of each cell: the first, the first two, and so on} */
    static List<String> parts(List<String> urls) {
        return IntStream.rangeClosed(1, urls.size())
                .mapToObj(nodes -> String.join(" ", urls.subList(0, nodes)))
                .toList();
    }

    /**
     * @param urls of the nodes
     * @param scale factor of the numbers of jobs
     * @return a backlog and a steady rate, for few workers and for many
     * @throws IllegalArgumentException if they cannot be nodes of one cluster
     */
    static List<Matrix> of(List<String> urls, double scale) {
        Target unused = Target.of(String.join(" ", urls)); // throws before the lab connects to any node
        return WORKERS.stream()
                .map(each -> each * urls.size())
                .map(workers -> new Matrix(
                        parts(urls),
                        List.of("auto+workers=" + workers),
                        List.of(workers * HANDLERS),
                        List.of(0),
                        List.of(Math.max(1, (int) (JOBS * scale))),
                        List.of(0),
                        List.of(PAYLOAD),
                        List.of(HANDLER_MILLIS),
                        List.of(Measure.DRAIN, Measure.LATENCY),
                        List.of(Disturbance.NONE),
                        false,
                        List.of(RATE),
                        Math.max(1, (int) (SECONDS * scale))))
                .toList();
    }
}
