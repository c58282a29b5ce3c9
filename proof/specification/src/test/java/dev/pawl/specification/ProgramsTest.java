package dev.pawl.specification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.Strategy;
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
    private static final long FIRST_SEED = Long.getLong("pawl.program.seed", number("PAWL_PROGRAM_SEED", 1));
    /** Set for the long tier; otherwise a few seconds must do. */
    private static final long PROGRAMS = number("PAWL_PROGRAMS", 0);

    private Stage stage;

    abstract Stage open() throws SQLException;

    /** {@return for how long random programs run by default} */
    long seconds() {
        return 20;
    }

    private static long number(String name, long otherwise) {
        String value = System.getenv(name);
        return value == null ? otherwise : Long.parseLong(value);
    }

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
        long most = PROGRAMS > 0 ? PROGRAMS : 60;
        long deadline = begun + (PROGRAMS > 0 ? TimeUnit.DAYS.toNanos(2) : TimeUnit.SECONDS.toNanos(seconds()));
        Search search = new Search(stage);
        Optional<Search.Found> found = search.run(FIRST_SEED, most, deadline);
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
