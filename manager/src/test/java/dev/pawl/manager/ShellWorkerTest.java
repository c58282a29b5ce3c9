package dev.pawl.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The example worker, started as its header comment describes. */
class ShellWorkerTest {
    private static final String SECRET = "a-secret-of-the-test";

    private static boolean has(String program) throws Exception {
        return new ProcessBuilder("sh", "-c", "command -v " + program)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void runsWithoutALog() throws Exception {
        assumeTrue(has("socat") && has("curl") && has("setpriv") && has("flock"), "the worker needs them");
        int port = freePort();
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        Path.of("..", "examples", "worker.sh").toAbsolutePath().toString(),
                        Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("PAWL_SECRET", SECRET);
        Process worker = builder.start();
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(4);
                JobQueue queue = JobQueue.open(pool);
                Manager manager = Manager.on(queue)
                        .worker(URI.create("http://127.0.0.1:" + port))
                        .kind("work", KindOptions.DEFAULTS)
                        .heartbeat(Duration.ofSeconds(3))
                        .secret(new Secret(SECRET))
                        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null, null)
                        .start()) {
            long id = queue.enqueue(new JobRequest("work", "{\"seconds\":0.1}", EnqueueOptions.DEFAULTS))
                    .jobId();
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            queue.admin().jobs().find(id).orElseThrow().state().isFinished());
            assertThat(queue.admin().jobs().find(id).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
            assertThat(queue.admin().runs().failedAttempts(id, Admin.UNLIMITED)).isEmpty();
            assertThat(manager.stats().completed()).isEqualTo(1);
        } finally {
            worker.descendants().forEach(ProcessHandle::destroyForcibly);
            worker.destroyForcibly();
        }
    }
}
