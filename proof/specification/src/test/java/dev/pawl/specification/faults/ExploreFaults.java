package dev.pawl.specification.faults;

import dev.pawl.specification.Explore;
import dev.pawl.specification.Search;
import dev.pawl.specification.faults.EngineError.Driver;
import java.util.Set;

/**
 * Runs random programs with failing calls, continues after each difference, and prints the first difference of each sort. The arguments are
 * {@code SECONDS FIRST_SEED DATABASE}, and {@code engines} if calls should fail with the errors of engines.
 */
final class ExploreFaults {
    private ExploreFaults() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 3 && arguments[3].equals("engines")) {
            Set<Driver> drivers = switch (arguments[2]) {
                case "postgres" -> Set.of(Driver.POSTGRES);
                case "sqlite" -> Set.of(Driver.values());
                default -> Set.of(Driver.MYSQL);
            };
            Explore.explore(arguments, stage -> new Search(new FaultyStage(stage), FaultyPrograms.answeredBy(drivers)));
        } else {
            Explore.explore(arguments, stage -> new Search(new FaultyStage(stage), FaultyPrograms::step));
        }
    }
}
