package dev.pawl.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.metrics.JobMetrics;
import dev.pawl.metrics.micrometer.MicrometerMeters;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Shows metrics to Prometheus, on the HTTP server of the JDK. */
final class MetricsServer implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int WAITING = 20;
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JobMetrics metrics = new JobMetrics(new MicrometerMeters(registry));
    private final Duration every;
    private final HttpServer server;
    private final ThreadPoolExecutor threads;

    private MetricsServer(HttpServer server, Duration every) {
        this.server = server;
        this.every = every;
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(WAITING), work -> {
                    Thread thread = new Thread(work, "pawl-metrics-http");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * @param every how often at most the queues are read; zero for never
     */
    static MetricsServer start(InetSocketAddress address, Duration every) {
        // Or a client that sends one byte a minute keeps a thread for ever. Read once, by the first server of a JVM.
        System.getProperties().putIfAbsent("sun.net.httpserver.maxReqTime", "30");
        System.getProperties().putIfAbsent("sun.net.httpserver.maxRspTime", "60");
        try {
            MetricsServer started = new MetricsServer(HttpServer.create(address, WAITING), every);
            started.server.createContext("/", started::answer);
            started.server.setExecutor(started.threads);
            started.server.start();
            return started;
        } catch (IOException e) {
            throw new UsageException("--metrics-port: cannot listen on " + address.getHostString() + ", port "
                    + address.getPort() + ": " + e.getMessage());
        }
    }

    /** {@return where the metrics are} */
    String url() {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
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

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!isKnownHost(exchange)) {
                send(exchange, 421, "these metrics are not known by that name: use localhost\n");
            } else if (!exchange.getRequestURI().getPath().equals("/metrics")) {
                send(exchange, 404, "the metrics are at /metrics\n");
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                send(exchange, 405, "GET the metrics\n");
            } else {
                send(exchange, 200, registry.scrape(TEXT));
            }
        }
    }

    /** A web site may point a name of its own at this machine, and have a browser here read what only this machine is to see. */
    private boolean isKnownHost(HttpExchange exchange) {
        if (!server.getAddress().getAddress().isLoopbackAddress()) {
            return true;
        }
        String host = exchange.getRequestHeaders().getFirst("Host");
        String name = host == null ? "" : host.strip().toLowerCase(Locale.ROOT).replaceFirst(":[0-9]*$", "");
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || name.matches("127(\\.[0-9]{1,3}){3}")
                || name.equals("[::1]");
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", TEXT);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isHead ? -1 : body.length);
        if (!isHead) {
            exchange.getResponseBody().write(body);
        }
    }

    /** The queue is not closed. */
    @Override
    public void close() {
        metrics.close();
        server.stop(0);
        threads.shutdownNow();
        registry.close();
    }
}
