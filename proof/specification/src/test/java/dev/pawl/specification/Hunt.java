package dev.pawl.specification;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Searches for one difference: {@code Hunt SECONDS FIRST_SEED DATABASE PROGRAMS}. Prints the seed, the number of programs and seconds it
 * took, and the smallest program. Exits with 1 if there is none; progress goes to standard error.
 */
final class Hunt {
    private static final long AT_ONCE = 100;
    private static final long TELL = TimeUnit.SECONDS.toNanos(5);

    private Hunt() {}

    public static void main(String[] arguments) throws Exception {
        long begun = System.nanoTime();
        long deadline = begun + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
        long first = Long.parseLong(arguments[1]);
        long most = Long.parseLong(arguments[3]);
        long told = begun;
        try (Stage stage = Stage.of(arguments[2])) {
            Search search = new Search(stage);
            Optional<Search.Found> found = Optional.empty();
            long[] foundNanos = new long[1];
            for (long ran = 0; found.isEmpty() && ran < most && System.nanoTime() - deadline < 0; ran += AT_ONCE) {
                found = search.run(first + ran, Math.min(AT_ONCE, most - ran), deadline, failure -> {
                    foundNanos[0] = System.nanoTime();
                    return true;
                });
                if (System.nanoTime() - told >= TELL) {
                    told = System.nanoTime();
                    System.err.println(search.programs() + " programs, " + seconds(begun, told) + " s");
                }
            }
            if (found.isEmpty()) {
                System.out.println("programs=" + search.programs() + " seconds=" + seconds(begun, System.nanoTime()));
                System.exit(1);
            }
            System.out.println("seed=" + found.get().seed() + " programs=" + search.programs() + " seconds="
                    + seconds(begun, foundNanos[0]) + "\n" + found.get().smallest());
        }
    }

    private static long seconds(long from, long to) {
        return TimeUnit.NANOSECONDS.toSeconds(to - from);
    }
}
