package dev.pawl.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.servers.process.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No server and no data outlive the JVM that created them. */
class JvmDeathTest {
    private static final Duration START = Duration.ofMinutes(3);
    private static final Duration SOON = Duration.ofSeconds(60);

    private static String said(JavaProcess process, String word) {
        return process.awaitOutput(word + " ", START).substring(word.length() + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb"})
    void aServerAndItsDataGoWithTheJvmThatIsKilled(String name) {
        try (JavaProcess parent = JavaProcess.start(Holder.class, Map.of(), name)) {
            String url = said(parent, "url");
            Path folder = Path.of(said(parent, "folder"));
            List<ProcessHandle> family = Traces.processes(folder);
            assertThat(family).isNotEmpty();
            assertThat(Database.answers(url)).isTrue();
            Optional<String> memory = Traces.sharedMemory(folder);
            parent.kill();
            Awaitility.await().atMost(SOON).until(() -> family.stream().allMatch(ServerProcess::isGone));
            Awaitility.await().atMost(SOON).until(() -> !Files.exists(folder));
            assertThat(Database.answers(url)).isFalse();
            assertThat(memory.filter(Traces::sharedMemoryExists)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mariadb", "sqlite"})
    void aJvmThatEndsWithoutClosingLeavesNothing(String name) {
        try (JavaProcess parent = JavaProcess.start(Holder.class, Map.of(), name, "end")) {
            Path folder = Path.of(said(parent, "folder"));
            assertThat(parent.waitFor(START)).isZero();
            assertThat(folder).doesNotExist();
            assertThat(folder.getParent()).doesNotExist();
        }
    }

    /** SQLite has no process that could watch, so the next JVM cleans up. */
    @Test
    void remainsOfAKilledJvmAreDeletedByTheNext() {
        Path left;
        try (JavaProcess killed = JavaProcess.start(Holder.class, Map.of(), "sqlite")) {
            left = Path.of(said(killed, "folder"));
        }
        assertThat(left).exists();
        try (JavaProcess next = JavaProcess.start(Holder.class, Map.of(), "sqlite", "end")) {
            assertThat(next.waitFor(START)).isZero();
            assertThat(left.getParent()).doesNotExist();
        }
    }
}
