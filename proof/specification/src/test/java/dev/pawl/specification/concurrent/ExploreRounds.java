package dev.pawl.specification.concurrent;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.specification.faults.EngineError.Driver;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Continues after each broken guarantee, and prints it: {@code ExploreRounds SECONDS FIRST_SEED DATABASE}, and {@code engines} for rounds
 * with the errors of engines.
 */
final class ExploreRounds {
    private ExploreRounds() {}

    public static void main(String[] arguments) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
        TestServer server = switch (arguments[2]) {
            case "postgres" -> TestServers.postgres();
            case "mariadb" -> TestServers.mariaDb();
            case "mysql" -> TestServers.mySql().orElseThrow();
            default -> TestServers.sqlite();
        };
        Set<Driver> engines = arguments.length < 4
                ? Set.of()
                : switch (arguments[2]) {
                    case "postgres" -> Set.of(Driver.POSTGRES);
                    case "sqlite" -> Set.of(Driver.values());
                    default -> Set.of(Driver.MYSQL);
                };
        long rounds = 0;
        long answers = 0;
        long jobs = 0;
        for (long seed = Long.parseLong(arguments[1]); System.nanoTime() - deadline < 0; seed++) {
            try (Round round = new Round(server, seed, engines)) {
                History history = round.run(60);
                rounds++;
                answers += round.answers();
                jobs += history.last.size();
                List<String> broken = Rules.brokenBy(history);
                broken.forEach(each -> System.out.println("== " + each));
                if (!broken.isEmpty()) {
                    System.out.println("   seed " + seed);
                }
            }
        }
        System.out.println(rounds + " rounds, " + jobs + " jobs, " + answers + " errors");
    }
}
