package dev.pawl.servers.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.servers.Delay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class JavaProcessTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** Prints its arguments, then counts until it is ended. */
    static final class Child {
        public static void main(String[] arguments) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("orderly end")));
            System.out.println("hello " + String.join(",", arguments) + " " + System.getenv("PAWL_CHILD"));
            for (int i = 0; true; i++) {
                System.out.println("count " + i);
                Delay.work(10);
            }
        }
    }

    static final class Failing {
        public static void main(String[] arguments) {
            if (arguments[0].equals("fail")) {
                throw new IllegalStateException("told to fail");
            }
        }
    }

    /** Starts a child and is killed. */
    static final class Parent {
        public static void main(String[] arguments) throws InterruptedException {
            JavaProcess child = JavaProcess.start(Child.class, Map.of());
            child.awaitOutput("hello", LONG);
            System.out.println("child " + child.pid());
            System.out.println("file " + child.outputFile());
            child.waitFor(LONG);
        }
    }

    @Test
    void aChildGetsArgumentsAndEnvironmentAndItsOutputIsRead() {
        try (JavaProcess child = JavaProcess.start(Child.class, Map.of("PAWL_CHILD", "blue"), "a b", "c")) {
            assertThat(child.awaitOutput("hello", LONG)).isEqualTo("hello a b,c blue");
            child.awaitOutput("count 2", LONG);
            assertThat(child.output()).contains("count 0\ncount 1\n");
            assertThat(child.tail(1)).startsWith("count");
        }
    }

    @Test
    void killEndsAtOnceAndTerminateRunsShutdownHooks() {
        try (JavaProcess killed = JavaProcess.start(Child.class, Map.of());
                JavaProcess asked = JavaProcess.start(Child.class, Map.of())) {
            killed.awaitOutput("count", LONG);
            killed.kill();
            assertThat(killed.isAlive()).isFalse();
            assertThat(killed.output()).doesNotContain("orderly end");
            asked.awaitOutput("count", LONG);
            asked.terminate();
            asked.awaitOutput("orderly end", LONG);
            assertThat(asked.waitFor(LONG)).isNotZero();
        }
    }

    @Test
    void pausedChildrenStopUntilResumed() {
        try (JavaProcess child = JavaProcess.start(Child.class, Map.of())) {
            child.awaitOutput("count", LONG);
            child.pause();
            Awaitility.await().atMost(LONG).until(() -> state(child).equals("T"));
            String then = child.output();
            Awaitility.await()
                    .during(Duration.ofMillis(300))
                    .atMost(LONG)
                    .until(() -> child.output().equals(then));
            child.resume();
            Awaitility.await().atMost(LONG).until(() -> child.output().length() > then.length());
        }
    }

    private static String state(JavaProcess child) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(child.pid()), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    }

    @Test
    void waitingForAnEndedChildReportsItsOutput() {
        try (JavaProcess child = JavaProcess.start(Failing.class, Map.of(), "fail")) {
            assertThatThrownBy(() -> child.awaitOutput("ready", LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has ended with 1")
                    .hasMessageContaining("told to fail");
        }
    }

    @Test
    void aChildDiesWithTheJvmThatStartedItAndLeavesNoOutput() {
        try (JavaProcess parent = JavaProcess.start(Parent.class, Map.of())) {
            long pid = Long.parseLong(parent.awaitOutput("child ", LONG).substring("child ".length()));
            Path file = Path.of(parent.awaitOutput("file ", LONG).substring("file ".length()));
            ProcessHandle child = ProcessHandle.of(pid).orElseThrow();
            assertThat(file).exists();
            parent.kill();
            Awaitility.await().atMost(LONG).until(() -> !child.isAlive());
            assertThat(file).doesNotExist();
        }
    }
}
