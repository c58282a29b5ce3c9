package dev.pawl.lab.command;

import dev.pawl.lab.database.Target;
import dev.pawl.lab.run.Cell.Disturbance;
import dev.pawl.lab.run.Cell.Measure;
import dev.pawl.lab.run.Matrix;
import java.util.Arrays;
import java.util.List;

/**
 * The measurements for the tables of the page on performance. Each system gets as many jobs as it runs in some seconds: a drain of less
 * than a second says little, and one of minutes makes the run too long.
 */
final class PerformancePreset {
    static final int ROUNDS = 3;
    /** Enough for Java to compile what each system runs. */
    static final int WARM_UP = 100_000;

    private static final int PAYLOAD = 60;
    private static final int HANDLERS = 10;
    /** Handlers of twenty milliseconds each, so at most ten thousand jobs a second. */
    private static final int MANY_HANDLERS = 200;

    private static final int MANY_MILLIS = 20;
    /** Few, because each is a JVM that starts cold. */
    private static final int PROCESSES = 4;

    private static final int FEW_A_SECOND = 50;
    private static final int LATENCY_SECONDS = 10;

    private final List<String> all;
    /** The databases that are servers, for peers and for many workers. */
    private final List<String> servers;

    /** The same servers, a millisecond away. */
    private final List<String> distant;

    private final double scale;

    private PerformancePreset(List<String> databases, double scale) {
        this.all = databases;
        this.servers = without(databases, "sqlite");
        this.distant = servers.stream()
                .filter(database -> !Target.isDelayed(database))
                .map(database -> "1ms@" + database)
                .toList();
        this.scale = scale;
    }

    /**
     * @param databases to measure on
     * @param scale factor for all numbers of jobs
     * @return the matrices
     */
    static List<Matrix> of(List<String> databases, double scale) {
        return new PerformancePreset(databases, scale).matrices();
    }

    private List<Matrix> matrices() {
        return List.of(
                drains(all, 600_000, "auto", "raw-lane"),
                drains(all, 200_000, "rows", "raw-same-table"),
                drains(servers, 60_000, "db-scheduler"),
                drains(servers, 5_000, "jobrunr"),
                drains(servers, 1_000, "quartz"),
                drains(servers, 600_000, "pgque"),
                many(servers, 0, 150_000, "auto+workers=10", "auto+workers=40", "auto+workers=100"),
                many(servers, 0, 45_000, "rows+workers=10", "rows+workers=40", "rows+workers=100"),
                many(servers, PROCESSES, 60_000, "auto"),
                many(only(servers, "postgresql"), 0, 30_000, peers(10, 40, 100)),
                many(without(servers, "postgresql"), 0, 2_000, peers(10, 40, 100)),
                many(distant, 0, 150_000, "auto+workers=10", "auto+workers=40"),
                many(only(distant, "postgresql"), 0, 30_000, peers(40)),
                many(without(distant, "postgresql"), 0, 2_000, peers(40)),
                drains(all, 20_000, "auto+transaction", "rows+transaction", "raw-marker"),
                drains(servers, 10_000, "db-scheduler+transaction"),
                latencies(List.of(0, 1), "auto"),
                latencies(List.of(0), "db-scheduler"),
                drains(
                        all,
                        100_000,
                        "auto+limit",
                        "auto+keys",
                        "auto+strict-keys",
                        "auto+batch",
                        "auto+small-batches",
                        "auto+chunks",
                        "auto+queues",
                        "auto+queues+limit"),
                drains(all, 100_000, "auto+due"),
                drains(servers, 30_000, "db-scheduler+due"),
                drains(all, 600_000, "auto").with(List.of(Disturbance.DELAYED)));
    }

    private static List<String> only(List<String> databases, String product) {
        return databases.stream().filter(database -> database.contains(product)).toList();
    }

    private static List<String> without(List<String> databases, String product) {
        return databases.stream()
                .filter(database -> !database.contains(product))
                .toList();
    }

    /** {@return db-scheduler with these numbers of workers} */
    private static String[] peers(int... workers) {
        return Arrays.stream(workers)
                .mapToObj(number -> "db-scheduler+workers=" + number)
                .toArray(String[]::new);
    }

    private Matrix drains(List<String> databases, int jobs, String... systems) {
        return matrix(databases, Measure.DRAIN, HANDLERS, List.of(0), jobs, 0, systems);
    }

    private Matrix many(List<String> databases, int processes, int jobs, String... systems) {
        return matrix(databases, Measure.DRAIN, MANY_HANDLERS, List.of(processes), jobs, MANY_MILLIS, systems);
    }

    private Matrix latencies(List<Integer> processes, String... systems) {
        return matrix(all, Measure.LATENCY, HANDLERS, processes, 1, 0, systems);
    }

    private Matrix matrix(
            List<String> databases,
            Measure measure,
            int handlers,
            List<Integer> processes,
            int jobs,
            int millis,
            String... systems) {
        return new Matrix(
                databases,
                List.of(systems),
                List.of(handlers),
                processes,
                List.of(Math.max(1, (int) (jobs * scale))),
                List.of(0),
                List.of(PAYLOAD),
                List.of(millis),
                List.of(measure),
                List.of(Disturbance.NONE),
                false,
                List.of(FEW_A_SECOND),
                Math.max(1, (int) (LATENCY_SECONDS * Math.min(1, scale))));
    }
}
