package dev.pawl.specification;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Continues after each difference, and prints the first of each sort: {@code Explore SECONDS FIRST_SEED DATABASE}. */
public final class Explore {
    private Explore() {}

    public static void main(String[] arguments) throws Exception {
        explore(arguments, Search::new);
    }

    /**
     * @param arguments the duration in seconds, the first seed, the database
     * @param searches creates the search that draws and runs programs on a database
     */
    public static void explore(String[] arguments, Function<Stage, Search> searches) throws Exception {
        long seconds = Long.parseLong(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        Map<String, Integer> times = new LinkedHashMap<>();
        long begun = System.nanoTime();
        long deadline = begun + TimeUnit.SECONDS.toNanos(seconds);
        long programs = 0;
        try (Stage stage = Stage.of(arguments.length > 2 ? arguments[2] : "sqlite")) {
            Search search = searches.apply(stage);
            while (System.nanoTime() - deadline < 0) {
                var next = search.run(seed, 100, deadline, failure -> {
                    boolean isNew = times.merge(failure.sort(), 1, Integer::sum) == 1;
                    return isNew;
                });
                programs += 100;
                if (next.isPresent()) {
                    System.out.println("== " + next.get());
                    Throwable cause = next.get().smallest().cause();
                    if (!(cause instanceof Difference)) {
                        cause.printStackTrace(System.out);
                    }
                    programs -= 100 - next.get().programs();
                    seed = next.get().seed() + 1;
                } else {
                    seed += 100;
                }
            }
        }
        System.out.println(
                programs + " programs in " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) + " s");
        times.forEach((sort, count) -> System.out.println(count + " × " + sort));
    }
}
