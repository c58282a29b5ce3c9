package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The default locale belongs to the whole JVM, so this runs a separate program. */
class LocaleTest {
    static Stream<Named<Supplier<TestServer>>> servers() {
        return Stream.of(
                Named.of("PostgreSQL", TestServers::postgres),
                Named.of("MariaDB", TestServers::mariaDb),
                Named.of("SQLite", TestServers::sqlite));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void everythingWorksWhereNumbersAreWrittenWithOtherDigits(Supplier<TestServer> server) {
        Map<String, String> persian =
                Map.of("JAVA_TOOL_OPTIONS", "-Duser.language=fa -Duser.country=IR -Dstdout.encoding=UTF-8");
        try (TestDatabase database = server.get().createDatabase();
                JavaProcess program = JavaProcess.start(PersianProgram.class, persian, database.jdbcUrl())) {
            assertThat(program.waitFor(Duration.ofSeconds(60)))
                    .as(program.output())
                    .isZero();
            assertThat(program.output())
                    .contains("two is \u06f2", "completed 2", "last 11", "pruned 2")
                    .doesNotContain(" WARN ", " ERROR ");
        }
    }
}
