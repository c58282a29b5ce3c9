package dev.pawl.manager;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The JDK's HTTP server with what every call here needs: the secret, a bounded body, a bounded number of threads. */
final class HttpEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
    private static final int MOST_THREADS = 200;

    private final HttpServer server;
    private final ExecutorService threads =
            new ThreadPoolExecutor(0, MOST_THREADS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "pawl-http");
                thread.setDaemon(true);
                return thread;
            });
    private final Secret secret;
    private final Route route;

    static {
        // Read once by the JDK's server, in seconds: a sender that never ends must not keep a thread.
        if (System.getProperty("sun.net.httpserver.maxReqTime") == null) {
            System.setProperty("sun.net.httpserver.maxReqTime", "30");
        }
    }

    /** Answers a call that knows the secret. */
    interface Route {
        Answer answer(String method, String path, byte[] body) throws Exception;
    }

    /**
     * @param status of HTTP
     * @param message as JSON; null for none
     */
    record Answer(int status, @Nullable Object message) {
        static Answer error(int status, String error) {
            return new Answer(status, Map.of("error", error));
        }
    }

    HttpEndpoint(InetSocketAddress address, @Nullable SSLContext tls, Secret secret, Route route) throws IOException {
        this.secret = secret;
        this.route = route;
        if (tls == null) {
            server = HttpServer.create(address, 100);
        } else {
            HttpsServer secure = HttpsServer.create(address, 100);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = secure;
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                answer = secret.isIn(exchange.getRequestHeaders().getFirst("Authorization"))
                        ? route.answer(
                                exchange.getRequestMethod(),
                                exchange.getRequestURI().getPath(),
                                Protocol.read(exchange.getRequestBody()))
                        : Answer.error(401, "the Authorization header does not hold the shared secret");
            } catch (Protocol.Violation e) {
                answer = Answer.error(e.isTooLarge() ? 413 : 400, String.valueOf(e.getMessage()));
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                LOG.warn(
                        "cannot answer {} {}",
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getPath(),
                        e);
                answer = Answer.error(500, "see the log");
            }
            byte[] body = answer.message() == null ? new byte[0] : Protocol.write(answer.message());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
