package dev.pawl.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.servers.process.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * PostgreSQL refuses to run as root. {@link Demotion} has two ways around this. One test takes away the first way, the other test takes
 * away both.
 */
class DemotionTest {
    private static final List<String> NEEDED = List.of("sh", "cat", "sed", "rm", "sleep", "true", "setsid", "ipcrm");

    /** {@return a folder for PATH with the mandatory programs and more} */
    private static String path(Path folder, String... more) throws IOException {
        for (String program : Stream.concat(NEEDED.stream(), Stream.of(more)).toList()) {
            for (String place : System.getenv("PATH").split(File.pathSeparator, -1)) {
                Path found = Path.of(place, program);
                if (Files.isExecutable(found) && !Files.exists(folder.resolve(program))) {
                    Files.createSymbolicLink(folder.resolve(program), found);
                }
            }
        }
        return folder.toString();
    }

    @Test
    void withoutUserNamespacesRootRunsItAsNobody(@TempDir Path programs) throws IOException {
        assumeTrue(ServerHome.user() == 0, "only for root");
        Map<String, String> environment = Map.of("PATH", path(programs, "setpriv"));
        try (JavaProcess process = JavaProcess.start(Holder.class, environment, "postgresql")) {
            String url = process.awaitOutput("url ", Duration.ofMinutes(2)).substring("url ".length());
            String folder =
                    process.awaitOutput("folder ", Duration.ofMinutes(2)).substring("folder ".length());
            assertThat(Database.answers(url)).isTrue();
            String pid =
                    Files.readAllLines(Path.of(folder, "data/postmaster.pid")).get(0);
            assertThat(Files.getAttribute(Path.of("/proc", pid), "unix:uid")).isEqualTo(65_534);
        }
    }

    @Test
    void withoutEitherRootIsToldWhatToInstall(@TempDir Path programs) throws IOException {
        assumeTrue(ServerHome.user() == 0, "only for root");
        Map<String, String> environment = Map.of("PATH", path(programs));
        try (JavaProcess process = JavaProcess.start(Holder.class, environment, "postgresql")) {
            assertThat(process.waitFor(Duration.ofMinutes(1))).isEqualTo(1);
            assertThat(process.output()).contains("install util-linux, or run as an ordinary user");
        }
    }
}
