package dev.pawl.specification;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Looks for one difference on SQLite, for a number of seconds: {@code Hunt SECONDS FIRST_SEED}. Prints nothing if there is none. */
final class Hunt {
    private Hunt() {}

    public static void main(String[] arguments) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[0]));
        try (Stage stage = new SqliteStage()) {
            Optional<Search.Found> found =
                    new Search(stage).run(Long.parseLong(arguments[1]), Long.MAX_VALUE, deadline);
            found.ifPresent(each -> System.out.println("seed=" + each.seed() + "\n" + each.smallest()));
        }
    }
}
