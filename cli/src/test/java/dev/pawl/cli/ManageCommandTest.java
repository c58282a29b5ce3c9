package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.api.Outcome;
import dev.pawl.manager.Secret;
import dev.pawl.manager.WorkerServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManageCommandTest {
    private static final Pattern WORKER = Pattern.compile("\\d+(?=  \\S+/\\d+)");
    private static final String SECRET = "a-secret-of-the-test";

    @TempDir
    private Path folder;

    @BeforeEach
    void shareASecret() {
        System.setProperty("pawl.secret", SECRET);
    }

    @AfterEach
    void forgetIt() {
        System.clearProperty("pawl.secret");
    }

    /** The manager has not polled its worker when it first finds nothing to claim. */
    @Test
    void itEndsWhenAllWaitingJobsHaveRun() throws Exception {
        Program program = Program.onFile(folder);
        for (int i = 0; i < 3; i++) {
            assertThat(program.run("enqueue", "mail").exit()).isZero();
        }
        AtomicInteger ran = new AtomicInteger();
        try (WorkerServer worker = WorkerServer.with(new Secret(SECRET))
                .handle("mail", (payload, run) -> {
                    ran.incrementAndGet();
                    return Outcome.completed();
                })
                .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            Program.Result managed = program.run(
                    "manage", "--kinds", "mail", "--worker", "http://localhost:" + worker.port(), "--until-empty");
            assertThat(managed.exit()).isZero();
            assertThat(ran).hasValue(3);
            assertThat(managed.err()).contains("is well: ").contains("jobs at once");
            assertThat(managed.out()).contains("completed 3").doesNotContain("{");
        }
    }

    @Test
    void waitingForAWorkerTimesOut() {
        Program program = Program.onFile(folder);
        program.run("enqueue", "mail");
        Program.Result managed = program.run(
                "manage", "--kinds", "mail", "--worker", "http://localhost:1", "--until-empty", "--within", "1s");
        assertThat(managed.exit()).isEqualTo(3);
        assertThat(managed.err()).contains("not empty after 1 s");
    }

    /** Regression: it went on without claiming any job. */
    @Test
    void itEndsWhenItsWorkerIsStopped() {
        Program program = Program.onFile(folder);
        program.run("enqueue", "mail");
        CompletableFuture<Program.Result> managed = CompletableFuture.supplyAsync(
                () -> program.run("manage", "--kinds", "mail", "--worker", "http://localhost:1"));
        String id = await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> WORKER.matcher(program.run("workers").out())
                                .results()
                                .map(MatchResult::group)
                                .findFirst()
                                .orElse(""),
                        found -> !found.isEmpty());
        assertThat(program.run("stop", "worker", id).exit()).isZero();
        assertThat(managed)
                .succeedsWithin(Duration.ofSeconds(60))
                .satisfies(result -> assertThat(result.exit()).isZero());
    }

    @Test
    void invalidWorkerUrlsAreRefused() {
        Program.Result refused =
                Program.onFile(folder).run("manage", "--kinds", "mail", "--worker", "foo", "--until-empty");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("foo").hasLineCount(1);
        assertThat(folder.resolve("test.db"))
                .as("nothing is made for a mistake")
                .doesNotExist();
    }
}
