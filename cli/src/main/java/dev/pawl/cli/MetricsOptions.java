package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The endpoint of a program's metrics. */
final class MetricsOptions {
    @Option(
            names = "--metrics-port",
            paramLabel = "[HOST:]PORT",
            description =
                    "Serve Prometheus metrics at http://HOST:PORT/metrics, without authentication; on this machine only unless"
                            + " HOST is set (0.0.0.0: all interfaces). Default: none")
    private @Nullable String port;

    @Option(
            names = "--metrics-every",
            paramLabel = "DURATION",
            defaultValue = "15s",
            description =
                    "Minimum interval between queue reads, 1s to 1h; 0s for never: then the metrics cover only this"
                            + " worker. Default: ${DEFAULT-VALUE}")
    private String every = "15s";

    /** {@return whether the command line asks for metrics} */
    boolean isGiven() {
        return port != null;
    }

    /** {@return the metrics server; null if none is requested} */
    @Nullable
    MetricsServer open() {
        if (port == null) {
            return null;
        }
        InetSocketAddress address = Addresses.listen("--metrics-port", port);
        Duration pause = every.matches("0[a-z]*") ? Duration.ZERO : Texts.duration("--metrics-every", every);
        return MetricsServer.start(address, pause);
    }

    static void measure(@Nullable MetricsServer server, WorkerBuilder worker) {
        if (server != null) {
            server.measure(worker);
        }
    }

    /** For programs without a worker: samples only the queues. */
    static void sample(@Nullable MetricsServer server, JobQueue queue) {
        if (server != null) {
            server.sample(queue);
        }
    }

    static void measure(@Nullable MetricsServer server, Worker worker, JobQueue queue) {
        if (server != null) {
            server.measure(worker, queue);
        }
    }
}
