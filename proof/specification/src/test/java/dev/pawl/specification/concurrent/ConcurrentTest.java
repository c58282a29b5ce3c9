package dev.pawl.specification.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.Tier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Concurrent operations on one database keep all guarantees, in any interleaving. */
abstract class ConcurrentTest {
    private static final long FIRST_SEED = Tier.ofThisBuild().size("PAWL_PROGRAM_SEED", 1, 1);
    /** A round is about as much work as a hundred programs. */
    private static final long ROUNDS = Math.max(1, Tier.ofThisBuild().size("PAWL_PROGRAMS", 0, 1_000) / 100);

    abstract TestServer server();

    @Test
    @Timeout(value = 2, unit = TimeUnit.DAYS)
    void concurrentOperationsKeepAllPromises() throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
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
