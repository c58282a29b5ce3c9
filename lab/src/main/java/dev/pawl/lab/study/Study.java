package dev.pawl.lab.study;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.testkit.server.TestDatabase;
import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The study's table again: its designs under their names, interleaved rounds, medians. */
public final class Study {
    private static final int WORKERS = 10;

    private Study() {}

    /** {@return the designs that the study published, and those beside them} */
    public static List<Design> designs() {
        return List.of(
                Design.pessimistic(false, false, 5),
                Design.pessimistic(false, true, 5),
                Design.pessimistic(false, true, 1),
                Design.pessimistic(false, false, 1),
                Design.pessimistic(true, false, 1),
                Design.pessimistic(false, false, 5).index(Design.Index.NONE),
                Design.optimistic(1),
                Design.optimistic(WORKERS),
                Design.pessimistic(false, false, 5).skippingLocked());
    }

    /**
     * @param arguments jobs (default 10000), rounds (default 3), and servers: mariadb, postgresql, sqlite (default: all)
     * @throws Exception if a server does not start
     */
    public static void main(String[] arguments) throws Exception {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
        int jobs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        List<String> names = arguments.length > 2
                ? List.of(arguments).subList(2, arguments.length)
                : List.of("mariadb", "postgresql", "sqlite");
        for (String name : names) {
            TestServer server = switch (name) {
                case "mariadb" -> TestServers.mariaDb();
                case "postgresql" -> TestServers.postgres();
                default -> TestServers.sqlite();
            };
            table(server, jobs, rounds);
        }
        System.exit(0);
    }

    private static void table(TestServer server, int jobs, int rounds) throws Exception {
        String product = server.name().equals("mariadb") ? "mysql" : server.name();
        Map<Design, List<StudyRun.Result>> results = new LinkedHashMap<>();
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(WORKERS + 1)) {
            for (int round = 0; round < rounds; round++) {
                for (Design design : designs()) {
                    if (design.skipLocked() && product.equals("sqlite")) {
                        continue;
                    }
                    results.computeIfAbsent(design, key -> new ArrayList<>())
                            .add(new StudyRun(pool, product, design, WORKERS, jobs, 100).run());
                }
            }
        }
        System.out.printf("%n%s, %,d jobs, %d workers, median of %d rounds%n", server.name(), jobs, WORKERS, rounds);
        System.out.printf(
                "%-18s %8s %11s %9s %9s %9s %9s %9s%n",
                "", "jobs/s", "executions", "mean diff", "max diff", "deadlocks", "timeouts", "preempted");
        results.forEach((design, runs) -> System.out.printf(
                "%-18s %8.0f %11.0f %9.2f %9.0f %9.0f %9.0f %9.0f%n",
                design.name(),
                median(runs, StudyRun.Result::jobsPerSecond),
                median(runs, run -> run.executions().size()),
                median(runs, run -> Ordering.ofFirstRuns(run.executions()).mean()),
                median(runs, run -> Ordering.ofFirstRuns(run.executions()).max()),
                median(runs, StudyRun.Result::deadlocks),
                median(runs, StudyRun.Result::lockTimeouts),
                median(runs, StudyRun.Result::preempted)));
    }

    private interface Figure {
        double of(StudyRun.Result run);
    }

    private static double median(List<StudyRun.Result> runs, Figure figure) {
        double[] sorted = runs.stream().mapToDouble(figure::of).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
