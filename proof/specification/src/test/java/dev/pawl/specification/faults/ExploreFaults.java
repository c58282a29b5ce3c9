package dev.pawl.specification.faults;

import dev.pawl.specification.Explore;
import dev.pawl.specification.Search;

/** Continues after each difference, and prints the first of each sort: {@code ExploreFaults SECONDS FIRST_SEED DATABASE}. */
final class ExploreFaults {
    private ExploreFaults() {}

    public static void main(String[] arguments) throws Exception {
        Explore.explore(arguments, stage -> new Search(new FaultyStage(stage), FaultyPrograms::step));
    }
}
