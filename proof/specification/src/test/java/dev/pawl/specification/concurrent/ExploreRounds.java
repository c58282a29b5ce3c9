package dev.pawl.specification.concurrent;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Continues after each broken guarantee, and prints it: {@code ExploreRounds SECONDS FIRST_SEED DATABASE}. */
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
        long rounds = 0;
        long jobs = 0;
        for (long seed = Long.parseLong(arguments[1]); System.nanoTime() - deadline < 0; seed++) {
            try (Round round = new Round(server, seed)) {
                History history = round.run(60);
                rounds++;
                jobs += history.last.size();
                List<String> broken = Rules.brokenBy(history);
                broken.forEach(each -> System.out.println("== " + each));
                if (!broken.isEmpty()) {
                    System.out.println("   seed " + seed);
                }
            }
        }
        System.out.println(rounds + " rounds, " + jobs + " jobs");
    }
}
