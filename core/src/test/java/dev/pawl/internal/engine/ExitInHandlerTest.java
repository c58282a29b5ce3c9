package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ExitInHandlerTest {
    /** The grace period is ten minutes. */
    @Test
    @Timeout(120)
    void aHandlerThatEndsTheProcessIsNotWaitedForAndItsAttemptHasFailed() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ExitInHandler.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(child.waitFor()).isEqualTo(ExitInHandler.CODE);
            assertThat(output)
                    .contains("stopped; discarded 1")
                    .contains("its handler has ended the process (System.exit)");
        } finally {
            child.destroyForcibly();
        }
    }
}
