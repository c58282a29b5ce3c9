package dev.pawl.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.lab.run.Cell.Disturbance;
import dev.pawl.lab.run.Cell.Measure;
import dev.pawl.servers.Delay;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs each broker on a server that the test starts. Skipped where the server's program is not installed. */
class BrokersTest extends LabRuns {
    @ParameterizedTest
    @CsvSource({
        "redis,     redis-server --bind 127.0.0.1 --port",
        "beanstalk, beanstalkd -l 127.0.0.1 -p",
    })
    void itsJobsAreDrained(String broker, String command) throws Exception {
        int port = freePort();
        Process server = start((command + " " + port).split(" +"));
        try {
            while (server.isAlive() && !answers(port)) {
                Delay.quiet(20);
            }
            String system = broker + "://127.0.0.1:" + port;
            LabFile run = lab(
                            broker + ".json",
                            1,
                            matrix(List.of("sqlite"), List.of(system), 0, Measure.DRAIN, List.of(Disturbance.NONE)))
                    .run(NOBODY);
            assertThat(run.trials()).hasSize(1).allSatisfy(trial -> {
                assertThat(trial.failure()).isNull();
                assertThat(Objects.requireNonNull(trial.drained()).jobsPerSecond())
                        .isPositive();
            });
        } finally {
            server.destroy();
            assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    private Process start(String... command) {
        try {
            return new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(Path.of("/dev/null").toFile())
                    .start();
        } catch (IOException missing) {
            assumeTrue(false, command[0] + " is not installed");
            throw new IllegalStateException(missing);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
