package dev.pawl.lab;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.testkit.server.TestDatabase;
import dev.pawl.testkit.server.TestServer;
import dev.pawl.testkit.server.TestServers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How fast Pawl enqueues and drains, as a ratio to a queue by hand over raw JDBC in the same run on the same server. The
 * contenders take turns, so that other load on the machine hurts all alike; the median of the rounds counts.
 */
public final class FirstNumbers {
    private final int jobs;
    private final int rounds;

    private FirstNumbers(int jobs, int rounds) {
        this.jobs = jobs;
        this.rounds = rounds;
    }

    /**
     * @param arguments number of jobs (default 100000), of rounds (default 5), and, to measure only that one, a server:
     *     postgresql, mariadb, sqlite, or mysql (which needs PAWL_TEST_MYSQL_URL)
     * @throws Exception if a server does not start or a contender fails
     */
    public static void main(String[] arguments) throws Exception {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
        int jobs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
        FirstNumbers numbers = new FirstNumbers(jobs, rounds);
        Map<String, Supplier<TestServer>> servers = new LinkedHashMap<>();
        servers.put("postgresql", TestServers::postgres);
        servers.put("mariadb", TestServers::mariaDb);
        servers.put("sqlite", TestServers::sqlite);
        TestServers.mySql().ifPresent(server -> servers.put("mysql", () -> server));
        for (Map.Entry<String, Supplier<TestServer>> server : servers.entrySet()) {
            if (arguments.length < 3 || arguments[2].equals(server.getKey())) {
                numbers.measure(server.getValue().get());
            }
        }
        System.exit(0);
    }

    private void measure(TestServer server) throws Exception {
        try (TestDatabase database = server.createDatabase();
                HikariDataSource pool = database.newDataSource(10)) {
            String product = server.name().equals("mariadb") ? "mysql" : server.name();
            List<Contender> contenders = List.of(
                    new RawContender(pool, product, RawSql.of(product)),
                    new RawContender(pool, product, RawSql.ofPawlTable(product)),
                    new PawlContender(pool, false, 10),
                    new PawlContender(pool, true, 10));
            Map<Contender, Rates> rates = new LinkedHashMap<>();
            contenders.forEach(contender -> rates.put(contender, new Rates()));
            for (int round = 0; round <= rounds; round++) {
                for (Map.Entry<Contender, Rates> entry : rates.entrySet()) {
                    entry.getKey().reset();
                    double enqueue = perSecond(() -> entry.getKey().enqueue(jobs));
                    double drain = perSecond(() -> entry.getKey().drain(jobs));
                    if (round > 0) { // the first round warms up
                        entry.getValue().add(enqueue, drain);
                    }
                }
            }
            print(server.name(), rates);
        }
    }

    private interface Timed {
        void run() throws Exception;
    }

    private double perSecond(Timed timed) throws Exception {
        long start = System.nanoTime();
        timed.run();
        return jobs / ((System.nanoTime() - start) / 1e9);
    }

    private void print(String server, Map<Contender, Rates> rates) {
        System.out.printf("%n%s, %,d jobs, median of %d rounds%n", server, jobs, rounds);
        System.out.printf("%-52s %14s %7s %14s %7s%n", "", "enqueue jobs/s", "ratio", "drain jobs/s", "ratio");
        Rates raw = rates.values().iterator().next();
        rates.forEach((contender, own) -> System.out.printf(
                "%-52s %,14.0f %6.0f%% %,14.0f %6.0f%%%n",
                contender.name(),
                own.enqueue(),
                100 * own.enqueue() / raw.enqueue(),
                own.drain(),
                100 * own.drain() / raw.drain()));
    }

    /** Rates of several rounds. */
    static final class Rates {
        private final List<Double> enqueues = new ArrayList<>();
        private final List<Double> drains = new ArrayList<>();

        void add(double enqueue, double drain) {
            enqueues.add(enqueue);
            drains.add(drain);
        }

        double enqueue() {
            return median(enqueues);
        }

        double drain() {
            return median(drains);
        }

        static double median(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            int middle = sorted.size() / 2;
            return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        }
    }
}
