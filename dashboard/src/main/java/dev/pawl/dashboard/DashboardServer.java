package dev.pawl.dashboard;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pawl.InvalidJobException;
import dev.pawl.dashboard.internal.web.Headers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A dashboard on the HTTP server of the JDK, for programs without one of their own. Plain HTTP: put a proxy with HTTPS before it
 * to use it over a network. Thread-safe.
 */
public final class DashboardServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DashboardServer.class);
    /** Most of them wait for people who read slowly: the dashboard has fewer places for what asks the database. */
    private static final int THREADS = 64;

    private static final int WAITING = 200;
    private static final int BACKLOG = 100;
    private static final String PREFIX = "(/[A-Za-z0-9._~-]+)*";

    private final Dashboard dashboard;
    private final String prefix;
    private final HttpServer server;
    private final ThreadPoolExecutor threads;

    private DashboardServer(Dashboard dashboard, String prefix, HttpServer server) {
        this.dashboard = dashboard;
        this.prefix = prefix;
        this.server = server;
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(WAITING), work -> {
                    Thread thread = new Thread(work, "pawl-dashboard");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Starts a server.
     *
     * @param dashboard to serve
     * @param address to listen on; port 0 for any free one
     * @param prefix below which it is served, such as {@code /pawl}; empty for none
     * @return the server, running
     * @throws InvalidJobException if the prefix is malformed, or the dashboard has no token and others could reach it
     * @throws IOException if the address cannot be listened on
     */
    public static DashboardServer start(Dashboard dashboard, InetSocketAddress address, String prefix)
            throws IOException {
        if (!prefix.matches(PREFIX)) {
            throw new InvalidJobException("the prefix '" + prefix + "' is not valid: write it like /pawl");
        }
        if (address.isUnresolved()) {
            throw new InvalidJobException("there is no address for the name " + address.getHostString());
        }
        if (dashboard.isOpen() && (dashboard.hasHosts() || !address.getAddress().isLoopbackAddress())) {
            throw new InvalidJobException(
                    "without a token the dashboard is for this machine only: set one, or listen on"
                            + " localhost instead of " + address.getHostString() + " and name no hosts");
        }
        // Or a client that sends one byte a minute keeps a thread for ever. Read once, when the first server of a JVM
        // is made.
        System.getProperties().putIfAbsent("sun.net.httpserver.maxReqTime", "30");
        // And one that reads its answer slowly, from the end of the request on.
        System.getProperties().putIfAbsent("sun.net.httpserver.maxRspTime", "120");
        System.getProperties().putIfAbsent("sun.net.httpserver.nodelay", "true"); // or each answer takes 40 ms more
        DashboardServer started = new DashboardServer(dashboard, prefix, HttpServer.create(address, BACKLOG));
        started.server.createContext("/", started::answer);
        started.server.setExecutor(started.threads);
        started.server.start();
        return started;
    }

    /** {@return the port that it listens on} */
    public int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(Request.MOST_BYTES + 1);
            send(exchange, respond(exchange, body));
        } catch (RuntimeException | Error e) {
            LOG.error("cannot answer a request", e);
            throw e;
        }
    }

    private Response respond(HttpExchange exchange, byte[] body) {
        String path = Objects.requireNonNullElse(exchange.getRequestURI().getRawPath(), "/");
        if (path.equals(prefix) && !prefix.isEmpty()) {
            return Headers.safe(new Response(303, List.of(Map.entry("Location", prefix + "/")), new byte[0]));
        }
        if (!path.startsWith(prefix + "/")) {
            return Headers.safe(Response.text(404, "text/plain", "the dashboard is at " + prefix + "/\n"));
        }
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!values.isEmpty() && values.get(0) != null) {
                String lower = name.toLowerCase(Locale.ROOT);
                headers.put(lower, lower.equals("cookie") ? String.join("; ", values) : values.get(0));
            }
        });
        Request request = new Request(
                exchange.getRequestMethod(),
                prefix,
                path.substring(prefix.length()),
                Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), ""),
                headers,
                body,
                dashboard
                        .proxies()
                        .sayHttps(exchange.getRemoteAddress().getAddress(), headers.get("x-forwarded-proto")),
                null);
        return dashboard.handle(request);
    }

    private static void send(HttpExchange exchange, Response response) throws IOException {
        response.headers().forEach(header -> exchange.getResponseHeaders().add(header.getKey(), header.getValue()));
        boolean hasBody =
                response.body().length > 0 && !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(response.status(), hasBody ? response.body().length : -1);
        if (hasBody) {
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(response.body());
            }
        }
    }

    /** Stops listening; requests that are under way have a second to end. Neither the dashboard nor the queue is closed. */
    @Override
    public void close() {
        server.stop(1);
        threads.shutdownNow();
    }
}
