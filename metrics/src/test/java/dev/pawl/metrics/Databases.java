package dev.pawl.metrics;

import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The databases of tests, for a {@code @MethodSource}: shared, so tests do not close them. */
final class Databases {
    private Databases() {}

    static Stream<Arguments> all() {
        return Stream.concat(Stream.of(of("SQLite", TestServers::sqlite)), servers());
    }

    static Stream<Arguments> servers() {
        return Stream.concat(
                Stream.of(of("PostgreSQL", TestServers::postgres), of("MariaDB", TestServers::mariaDb)),
                TestServers.mySql().stream().map(mySql -> of("MySQL", () -> mySql)));
    }

    private static Arguments of(String name, Supplier<TestServer> server) {
        return Arguments.argumentSet(name, server);
    }
}
