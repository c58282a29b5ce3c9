package dev.pawl.specification.faults;

import dev.pawl.specification.Explore;

/** Goes on after each difference, and shows the first of each sort: {@code ExploreFaults SECONDS FIRST_SEED DATABASE}. */
final class ExploreFaults {
    private ExploreFaults() {}

    public static void main(String[] arguments) throws Exception {
        Explore.explore(arguments, FaultyStage::new, FaultyPrograms::step);
    }
}
