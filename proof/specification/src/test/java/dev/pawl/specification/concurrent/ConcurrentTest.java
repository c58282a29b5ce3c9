package dev.pawl.specification.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.Tier;
import dev.pawl.specification.faults.EngineError.Driver;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Concurrent operations on one database keep all guarantees, in any interleaving. */
abstract class ConcurrentTest {
    private static final long FIRST_SEED = Tier.ofThisBuild().size("PAWL_PROGRAM_SEED", 1, 1);
    /** A round is about as much work as a hundred random programs of the other tests. */
    private static final long ROUNDS = Math.max(1, Tier.ofThisBuild().size("PAWL_PROGRAMS", 0, 1_000) / 100);

    private static final int STEPS = 60;
    /** Steps of each client in the quick tier. They are few, because a round has to wait until the leases of lost runs expire. */
    private static final int FEW_STEPS = 20;

    abstract TestServer server();

    /** {@return the drivers of the engines whose errors are injected into calls of the database} */
    abstract Set<Driver> drivers();

    @Test
    @Timeout(value = 2, unit = TimeUnit.DAYS)
    void concurrentOperationsKeepAllPromises() throws Exception {
        run(STEPS, Set.of());
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.DAYS)
    void concurrentOperationsKeepAllPromisesDespiteErrorsOfOtherEngines() throws Exception {
        run(Tier.ofThisBuild().isSet("PAWL_PROGRAMS") ? STEPS : FEW_STEPS, drivers());
    }

    private void run(int steps, Set<Driver> engines) throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
            long begun = System.nanoTime();
            try (Round round = new Round(server(), seed, engines)) {
                History history = round.run(steps);
                assertThat(Rules.brokenBy(history)).as("seed " + seed).isEmpty();
                assertThat(round.answers() > 0).isEqualTo(!engines.isEmpty());
                System.out.println(
                        getClass().getSimpleName() + ": seed " + seed + ", " + history.last.size() + " jobs, "
                                + history.runs.size() + " runs, " + history.seen.size() + " seen, "
                                + round.answers() + " errors, "
                                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");
            }
        }
    }
}
