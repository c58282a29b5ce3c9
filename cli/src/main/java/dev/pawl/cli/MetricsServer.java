package dev.pawl.cli;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.internal.http.HttpHead;
import dev.pawl.internal.http.HttpListener;
import dev.pawl.internal.http.HttpReply;
import dev.pawl.metrics.JobMetrics;
import dev.pawl.metrics.micrometer.MicrometerMeters;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Serves metrics to Prometheus. Callers are not authenticated, so no body is read, and connections may be closed in favour of new ones. */
final class MetricsServer implements AutoCloseable {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JobMetrics metrics = new JobMetrics(new MicrometerMeters(registry));
    private final Duration every;
    private final HttpListener listener;

    private MetricsServer(InetSocketAddress address, Duration every) throws IOException {
        this.every = every;
        this.listener = new HttpListener("pawl-metrics-http", address, null, new Service());
    }

    /** @param every minimum interval between reads of the queues; zero for never */
    static MetricsServer start(InetSocketAddress address, Duration every) {
        try {
            return new MetricsServer(address, every);
        } catch (IOException e) {
            throw new UsageException("--metrics-port: cannot listen on " + address.getHostString() + ", port "
                    + address.getPort() + ": " + e.getMessage());
        }
    }

    /** {@return the URL of the metrics} */
    String url() {
        InetSocketAddress address = listener.address();
        InetAddress local = address.getAddress();
        String host = local.isAnyLocalAddress() ? "localhost" : local.getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort() + "/metrics";
    }

    void measure(WorkerBuilder worker) {
        WorkerBuilder unused = metrics.measure(worker);
    }

    void measure(Worker worker, JobQueue queue) {
        Worker unused = metrics.measure(worker);
        sample(queue);
    }

    void sample(JobQueue queue) {
        if (!every.isZero()) {
            metrics.sample(queue, every);
        }
    }

    private final class Service implements HttpListener.Service {
        @Override
        public HttpListener.Admission admit(HttpHead head) {
            return new HttpListener.Admission(false, 0);
        }

        @Override
        public HttpReply answer(HttpHead head, byte[] body) {
            if (!isKnownHost(head)) {
                return text(421, "these metrics are not known by that name: use localhost\n");
            }
            if (!head.path().equals("/metrics")) {
                return text(404, "the metrics are at /metrics\n");
            }
            if (!head.method().equals("GET") && !head.method().equals("HEAD")) {
                return text(405, "GET the metrics\n", List.of(Map.entry("Allow", "GET, HEAD")));
            }
            return text(200, registry.scrape(TEXT));
        }

        @Override
        public HttpReply refuse(@Nullable HttpHead head, int status, String message) {
            return text(status, message + "\n");
        }
    }

    /**
     * On a loopback address, refuses foreign names, because a web site may point its own name at this machine and make a browser here read
     * what only this machine may see.
     */
    private boolean isKnownHost(HttpHead head) {
        if (!listener.address().getAddress().isLoopbackAddress()) {
            return true;
        }
        String host = head.header("host");
        String name = host == null ? "" : host.strip().toLowerCase(Locale.ROOT).replaceFirst(":[0-9]*$", "");
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || name.matches("127(\\.[0-9]{1,3}){3}")
                || name.equals("[::1]");
    }

    private static HttpReply text(int status, String text) {
        return text(status, text, List.of());
    }

    private static HttpReply text(int status, String text, List<Map.Entry<String, String>> more) {
        List<Map.Entry<String, String>> headers = new ArrayList<>(List.of(Map.entry("Content-Type", TEXT)));
        headers.addAll(more);
        return new HttpReply(status, headers, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Does not close the queue. */
    @Override
    public void close() {
        metrics.close();
        listener.close();
        registry.close();
    }
}
