package dev.pawl.conformance.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.pawl.api.Strategy;
import dev.pawl.conformance.Draw;
import dev.pawl.conformance.TestedStrategies;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.Tier;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many schedules of a few statements each: {@value #SCHEDULES} for each strategy in the quick tier, {@value #ALL_SCHEDULES} in the full
 * one, or as many as {@code PAWL_SCHEDULES} in the environment says. {@code PAWL_SCHEDULE} is the seed of a single schedule to examine.
 */
abstract class ScheduleTest {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduleTest.class);
    private static final String MORE = "PAWL_SCHEDULES";
    private static final String ONE = "PAWL_SCHEDULE";
    private static final int SCHEDULES = 50;
    private static final int ALL_SCHEDULES = 1_000;
    /** How many planted bugs the quick tier tests per database. */
    private static final int SOME_PLANTS = 1;
    /** A planted bug is found within this number of schedules. */
    private static final int MAX_UNTIL_FOUND = 1000;

    private @Nullable ScheduleDatabase database;

    abstract TestServer server();

    abstract List<PlantedFault> faults();

    @BeforeEach
    void open() throws Exception {
        database = new ScheduleDatabase(server());
    }

    @AfterEach
    void close() throws Exception {
        if (database != null) {
            database.close();
        }
    }

    private ScheduleDatabase database() {
        if (database == null) {
            throw new IllegalStateException("not within a test");
        }
        return database;
    }

    /** If more schedules are requested, all strategies run, except the one that claims within a transaction around the handler. */
    static List<Strategy> strategies() {
        List<Strategy> strategies =
                new ArrayList<>(List.of(Strategy.LANES, Strategy.optimistic(2, Strategy.Pick.FIRST)));
        if (Tier.ofThisBuild().isSet(MORE)) {
            TestedStrategies.all().stream()
                    .filter(each -> !(each instanceof Strategy.Transactional || each instanceof Strategy.Lanes))
                    .forEach(strategies::add);
        }
        return strategies;
    }

    @ParameterizedTest
    @MethodSource("strategies")
    @Timeout(value = 6, unit = TimeUnit.HOURS) // as long as the requested number takes
    void everyInterleavingOfStatementsLeavesEachJobConsistent(Strategy strategy) {
        for (long seed : seeds()) {
            Optional<String> failure = run(strategy, cast(strategy, seed), UnaryOperator.identity(), seed);
            if (failure.isPresent()) {
                fail("PAWL_SCHEDULE=" + seed + " shows it again: " + failure.get());
            }
        }
    }

    private static long[] seeds() {
        String one = System.getenv(ONE);
        return one != null
                ? new long[] {Long.parseLong(one)}
                : LongStream.range(0, Tier.ofThisBuild().size(MORE, SCHEDULES, ALL_SCHEDULES))
                        .toArray();
    }

    private Optional<String> run(Strategy strategy, List<Role> cast, UnaryOperator<String> fault, long seed) {
        try {
            return new Schedule(database(), strategy, cast, fault, seed).run();
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException("seed " + seed, e);
        }
    }

    /** A worker, and one to three other actors. */
    private List<Role> cast(Strategy strategy, long seed) {
        Random random = new Random(~seed);
        List<Role> others = new ArrayList<>(List.of(Role.WORKER, Role.WORKER));
        others.addAll(List.of(Role.values()));
        if (!database().mayCommitLate() || !(strategy instanceof Strategy.Lanes)) {
            others.remove(Role.RECOUNTER);
        } else {
            others.add(Role.ENQUEUER);
            others.add(Role.RECOUNTER);
        }
        List<Role> cast = new ArrayList<>(List.of(Role.WORKER));
        for (int more = 1 + random.nextInt(3); more > 0; more--) {
            cast.add(others.get(random.nextInt(others.size())));
        }
        return cast;
    }

    /** Tests that the test itself finds bugs. */
    @Test
    void aPlantedBugIsFoundAndReproducedByItsSeed() {
        List<PlantedFault> planted = new ArrayList<>(faults());
        if (!Tier.ofThisBuild().isSet(MORE)) {
            Collections.shuffle(planted, Draw.of(getClass().getName()));
            planted = planted.subList(0, SOME_PLANTS);
        }
        for (PlantedFault fault : planted) {
            OptionalLong seed = OptionalLong.empty();
            for (long next = 0; next < MAX_UNTIL_FOUND && seed.isEmpty(); next++) {
                seed = isFound(fault, next) ? OptionalLong.of(next) : seed;
            }
            assertThat(fault.changed())
                    .as("statements without the guard: " + fault)
                    .hasPositiveValue();
            assertThat(seed).as("found: " + fault).isPresent();
            long again = seed.getAsLong();
            assertThat(IntStream.range(0, 3).anyMatch(i -> isFound(fault, again)))
                    .as("found again, though a claim does not look at empty tables all the time: " + fault)
                    .isTrue();
        }
    }

    /** The quick tier looks for few planted bugs. Without this test, it would not notice that a guard is written differently now. */
    @Test
    void eachPlantedBugChangesAStatement() {
        for (PlantedFault fault : faults()) {
            for (long seed = 0; seed < SCHEDULES && fault.changed().get() == 0; seed++) {
                boolean unused = isFound(fault, seed);
            }
            assertThat(fault.changed())
                    .as("statements without the guard: " + fault)
                    .hasPositiveValue();
        }
    }

    private boolean isFound(PlantedFault fault, long seed) {
        Optional<String> found = run(fault.strategy(), fault.cast(), fault, seed);
        found.ifPresent(how -> LOG.info("{}: {}", fault, how));
        return found.isPresent();
    }
}
