package dev.pawl.specification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
import dev.pawl.servers.Tier;
import dev.pawl.specification.Program.Failure;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Random programs, and regression programs, on one database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProgramsTest {
    private static final long FIRST_SEED =
            Long.getLong("pawl.program.seed", Tier.ofThisBuild().size("PAWL_PROGRAM_SEED", 1, 1));

    private static final long PROGRAMS = Tier.ofThisBuild().size("PAWL_PROGRAMS", 40, 1_000);

    private Stage stage;

    abstract Stage open() throws SQLException;

    @BeforeAll
    void start() throws SQLException {
        stage = open();
    }

    @AfterAll
    void end() throws SQLException {
        stage.close();
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.DAYS)
    void randomProgramsAgreeWithTheModel() {
        long begun = System.nanoTime();
        Search search = new Search(stage);
        Optional<Search.Found> found = search.run(FIRST_SEED, PROGRAMS, begun + TimeUnit.DAYS.toNanos(2));
        System.out.println(getClass().getSimpleName() + ": " + search.programs() + " programs, " + search.steps()
                + " steps, " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");
        found.ifPresent(each -> {
            throw new AssertionError(
                    "a program does other than the model says: " + each,
                    each.smallest().cause());
        });
    }

    /** Runs a regression program. */
    void run(Strategy strategy, Op... steps) {
        new Program(strategy, List.of(steps)).run(stage).ifPresent(found -> {
            throw new AssertionError(found.toString(), found.cause());
        });
    }

    /** Programs that once failed. */
    @Test
    void regressionProgramsAgreeWithTheModel() {
        List<String> failures = Stream.concat(Seeds.ALL.stream(), CommandSeeds.ALL.stream())
                .flatMap(program -> program.run(stage).stream())
                .map(Failure::toString)
                .toList();
        assertThat(failures).as("programs that fail again").isEmpty();
    }
}
