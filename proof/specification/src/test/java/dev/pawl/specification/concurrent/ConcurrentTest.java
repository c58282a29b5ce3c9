package dev.pawl.specification.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.TestServer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Concurrent operations on one database keep all guarantees, in any interleaving. */
abstract class ConcurrentTest {
    private static final long FIRST_SEED = number("PAWL_PROGRAM_SEED", 1);
    /** Set for the long tier: a round is about as much work as a hundred programs. */
    private static final long PROGRAMS = number("PAWL_PROGRAMS", 0);

    abstract TestServer server();

    private static long number(String name, long otherwise) {
        String value = System.getenv(name);
        return value == null ? otherwise : Long.parseLong(value);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.DAYS)
    void concurrentOperationsKeepAllPromises() throws Exception {
        long rounds = Math.max(1, PROGRAMS / 100);
        for (long seed = FIRST_SEED; seed < FIRST_SEED + rounds; seed++) {
            long begun = System.nanoTime();
            try (Round round = new Round(server(), seed)) {
                History history = round.run(60);
                assertThat(Rules.brokenBy(history)).as("seed " + seed).isEmpty();
                System.out.println(
                        getClass().getSimpleName() + ": seed " + seed + ", " + history.last.size() + " jobs, "
                                + history.runs.size() + " runs, " + history.seen.size() + " seen, "
                                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");
            }
        }
    }
}
