package dev.pawl.manager;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small HTTP/1.1 server for callers that know the secret. The JDK's own server gives a thread to anybody who
 * connects, for as long as they like; here, callers that have not presented the secret have seconds to do so, and make
 * room for others ({@link Guests}).
 */
final class HttpEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
    private static final int BACKLOG = 200;
    private static final long WATCH_MILLIS = 200;

    private final ServerSocket listener;
    private final Secret secret;
    private final Route route;
    private final Guests guests = new Guests();
    private final ExecutorService threads = Executors.newCachedThreadPool(daemon("pawl-http"));
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(daemon("pawl-http-watch"));

    /** Answers a call from a caller that knows the secret. */
    interface Route {
        Answer answer(Call call) throws Exception;
    }

    /**
     * A call.
     *
     * @param method of HTTP
     * @param path without the query
     * @param headers by their names in lower case
     * @param body all of it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Call(String method, String path, Map<String, String> headers, byte[] body) {}

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
        listener =
                tls == null ? new ServerSocket() : tls.getServerSocketFactory().createServerSocket();
        listener.setReuseAddress(true);
        listener.bind(address, BACKLOG);
        threads.execute(this::accept);
        ScheduledFuture<?> unused = watch.scheduleWithFixedDelay(
                () -> guests.closeLate(System.nanoTime()), WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static ThreadFactory daemon(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Guests.Guest guest = guests.admit(socket);
                if (guest != null) {
                    attend(guest);
                }
            } catch (IOException | RuntimeException | Error e) { // there may be no thread for it: others will come
                if (!listener.isClosed()) {
                    LOG.warn("cannot accept a connection: {}", e.toString());
                    pause();
                }
            }
        }
    }

    private void attend(Guests.Guest guest) {
        try {
            threads.execute(() -> serve(guest));
        } catch (RuntimeException | Error e) {
            guests.leave(guest);
            throw e;
        }
    }

    /** There may be no file handles: do not retry as fast as the processor can. */
    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Guests.Guest guest) {
        try (Socket socket = guest.socket()) {
            socket.setTcpNoDelay(true);
            HttpExchange exchange = new HttpExchange(socket.getInputStream(), socket.getOutputStream());
            while (exchange.readHead()) {
                if (!secret.isIn(exchange.header("authorization"))) {
                    exchange.write(
                            Answer.error(401, "the Authorization header does not hold the shared secret"), false);
                    return;
                }
                guest.trusted();
                boolean keep = exchange.wantsMore();
                Answer answer = answer(exchange, guest);
                keep &= exchange.isBodyRead() && !listener.isClosed();
                exchange.write(answer, keep);
                if (!keep) {
                    return;
                }
                guest.idle();
            }
        } catch (IOException e) {
            LOG.debug("a connection broke off: {}", e.toString());
        } catch (RuntimeException | Error e) {
            LOG.warn("a connection is closed", e);
        } finally {
            guests.leave(guest);
        }
    }

    private Answer answer(HttpExchange exchange, Guests.Guest guest) throws IOException {
        try {
            byte[] body = exchange.readBody();
            guest.working();
            return route.answer(new Call(exchange.method(), exchange.path(), exchange.headers(), body));
        } catch (Protocol.Violation e) {
            return Answer.error(e.isTooLarge() ? 413 : 400, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            LOG.warn("cannot answer {} {}", exchange.method(), exchange.path(), e);
            return Answer.error(500, "see the log");
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            LOG.debug("the listener did not close", e);
        }
        guests.closeAll();
        threads.shutdownNow();
        watch.shutdownNow();
    }
}
