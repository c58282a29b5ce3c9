package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No figure of the structure grows above its ceiling in .ci/House.java; docs/inside/packages.md explains the figures. */
@Timeout(120)
class HouseTest {
    private static Path home() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return folder;
    }

    @Test
    void noFigureIsAboveItsCeiling() throws Exception {
        Path home = home();
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        home.resolve(Path.of(".ci", "House.java")).toString(),
                        home.toString())
                .redirectErrorStream(true)
                .start();
        String figures = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(figures).isZero();
        assertThat(figures).contains("files that know: lanes");
    }
}
