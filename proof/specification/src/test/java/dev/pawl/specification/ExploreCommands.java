package dev.pawl.specification;

/** The same as {@link Explore}, with more commands than in other programs. */
final class ExploreCommands {
    private ExploreCommands() {}

    public static void main(String[] arguments) throws Exception {
        Explore.explore(arguments, stage -> new Search(stage, CommandPrograms::step));
    }
}
