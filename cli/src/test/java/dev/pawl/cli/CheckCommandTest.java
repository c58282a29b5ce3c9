package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code pawl check} of a release that this test compiles, and that only the option {@code --classpath} names. */
class CheckCommandTest {
    /** The handlers of docs/guides/changing-payloads.md, with more types. */
    private static final String JOBS = """
            package com.acme;

            import dev.pawl.HandlerSet;
            import dev.pawl.api.JobType;
            import dev.pawl.WorkerBuilder;

            public final class Jobs implements HandlerSet {
                public record SendWelcome(String address, int tries) {}

                static final JobType<SendWelcome> SEND_WELCOME = JobType.of("welcome.send", SendWelcome.class).version(2);

                @Override
                public void addTo(WorkerBuilder worker) {
                    worker.handle(SEND_WELCOME, (welcome, run) -> {
                                throw new AssertionError("a check runs nothing");
                            })
                            .alias("mail.welcome", SEND_WELCOME);
                }
            }
            """;

    @TempDir
    private static Path release;

    @TempDir
    private Path folder;

    private Program program = new Program("");

    @BeforeAll
    static void compileARelease() throws IOException {
        List<String> words = new ArrayList<>(List.of("-proc:none", "-cp", System.getProperty("java.class.path")));
        words.addAll(List.of("-d", release.toString()));
        words.add(source("Jobs", JOBS));
        words.add(source("Broken", """
                package com.acme;

                public final class Broken implements dev.pawl.HandlerSet {
                    @Override
                    public void addTo(dev.pawl.WorkerBuilder worker) {
                        throw new IllegalStateException("no configuration");
                    }
                }
                """));
        words.add(source("Unset", """
                package com.acme;

                public final class Unset implements dev.pawl.HandlerSet {
                    @Override
                    public void addTo(dev.pawl.WorkerBuilder worker) {
                        worker.concurrency(Integer.parseInt(System.getProperty("com.acme.unset", "")));
                    }
                }
                """));
        words.add(source("TooMany", """
                package com.acme;

                public final class TooMany implements dev.pawl.HandlerSet {
                    @Override
                    public void addTo(dev.pawl.WorkerBuilder worker) {
                        worker.concurrency(0);
                    }
                }
                """));
        words.add(source("Empty", """
                package com.acme;

                public final class Empty implements dev.pawl.HandlerSet {
                    @Override
                    public void addTo(dev.pawl.WorkerBuilder worker) {}
                }
                """));
        words.add(source("Other", "package com.acme; public class Other {}"));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)))
                .isZero();
    }

    private static String source(String name, String text) throws IOException {
        return Files.writeString(release.resolve(name + ".java"), text).toString();
    }

    @BeforeEach
    void createProgram() {
        program = Program.onFile(folder);
    }

    private Program.Result check(String handlers, String... more) {
        List<String> words = new ArrayList<>(List.of("check", "--classpath", release.toString()));
        words.addAll(List.of("--handlers", handlers));
        words.addAll(List.of(more));
        return program.run(words.toArray(String[]::new));
    }

    @Test
    void waitingJobsAreDecodedByTheReleaseButNotRun() {
        program.run("enqueue", "welcome.send", "{\"address\":\"ada\",\"tries\":1}");
        program.run("enqueue", "welcome.send", "{\"address\":\"bob\"}", "--delay", "30d");
        program.run("enqueue", "welcome.send/v2", "{\"tries\":\"many\"}");
        program.run("enqueue", "welcome.send/v3", "{}");
        program.run("enqueue", "mail.welcome", "{}");
        program.run("enqueue", "report", "{}");
        Program.Result check = check("com.acme.Jobs");
        assertThat(check.err()).isEmpty();
        assertThat(check.exit()).isEqualTo(3);
        assertThat(check.out().lines())
                .anyMatch(line -> line.matches("KIND +READ +UNREADABLE +NOTE"))
                .anyMatch(line -> line.matches("welcome.send +2 +0"))
                .anyMatch(line -> line.matches("welcome.send/v2 +0 +1"))
                .anyMatch(line -> line.matches("mail.welcome +1 +0"))
                .anyMatch(line -> line.matches("report +0 +0 +1 left alone: no handler"))
                .anyMatch(line -> line.matches("welcome.send/v3 +0 +0 +1 left alone: a newer version"))
                .anyMatch(line -> line.startsWith("job 3 (welcome.send/v2): ") && line.contains("int"))
                .anyMatch(line -> line.startsWith("1 payload(s) cannot be read"));
        JsonNode json =
                JsonMapper.shared().readTree(check("com.acme.Jobs", "--json").out());
        assertThat(json.get("unreadable").asInt()).isOne();
        assertThat(json.get("examples").get(0).get("jobId").asInt()).isEqualTo(3);
        assertThat(json.get("unhandled").get(1).get("newer").asBoolean()).isTrue();
        assertThat(program.run("queues", "--json").out()).contains("\"available\" : 5", "\"delayed\" : 1");
    }

    /** The job of the schedule would be enqueued after the deployment, and would then fail. */
    @Test
    void nextPayloadsOfSchedulesAreDecodedToo() {
        program.run("add", "schedule", "nightly", "welcome.send", "{\"tries\":\"many\"}", "--cron", "@daily");
        Program.Result check = check("com.acme.Jobs");
        assertThat(check.exit()).isEqualTo(3);
        assertThat(check.out().lines())
                .anyMatch(line -> line.matches("welcome.send +0 +1"))
                .anyMatch(line -> line.startsWith("schedule nightly (welcome.send): ") && line.contains("int"))
                .anyMatch(line -> line.startsWith("1 payload(s) cannot be read"));
        JsonNode json =
                JsonMapper.shared().readTree(check("com.acme.Jobs", "--json").out());
        assertThat(json.get("toCome").get(0).get("from").asString()).isEqualTo("schedule nightly");
        assertThat(json.get("examples").size()).isZero();
    }

    @Test
    void theExitCodeIsZeroIfAllPayloadsAreDecoded() {
        program.run("migrate");
        assertThat(check("com.acme.Jobs").out()).contains("no jobs wait or run");
        program.run("enqueue", "welcome.send", "{\"address\":\"ada\"}");
        assertThat(check("com.acme.Jobs").exit()).isZero();
        program.run("enqueue", "report", "{}");
        assertThat(check("com.acme.Jobs").exit()).isZero();
        assertThat(check("com.acme.Jobs", "--require-handlers").exit()).isEqualTo(3);
    }

    @Test
    void invalidReleasesAreRefused() {
        program.run("migrate");
        assertThat(check("com.acme.Nobody").err()).contains("there is no class com.acme.Nobody on the --classpath");
        assertThat(check("com.acme.Other").err()).contains("com.acme.Other does not implement dev.pawl.HandlerSet");
        assertThat(check("com.acme.Empty").err()).contains("com.acme.Empty adds no handler, so nothing can be checked");
        assertThat(check("com.acme.Broken").err()).contains("com.acme.Broken fails without its program");
        assertThat(check("com.acme.Unset").err())
                .contains("com.acme.Unset fails without its program", "java.lang.NumberFormatException: ");
        assertThat(check("com.acme.TooMany").err())
                .contains("--handlers: com.acme.TooMany: concurrency 0 is not valid")
                .doesNotContain("fails without its program");
        Program.Result nowhere = program.run("check", "--classpath", "nowhere.jar", "--handlers", "com.acme.Jobs");
        assertThat(nowhere.exit()).isEqualTo(2);
        assertThat(nowhere.err()).contains("there is no nowhere.jar");
    }
}
