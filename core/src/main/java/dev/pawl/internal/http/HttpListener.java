package dev.pawl.internal.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small HTTP/1.1 server. The JDK's own server gives a thread of its pool to each connection that has sent a byte. Here, unauthenticated
 * callers have only seconds to send a request, and their connections are closed when other callers need room ({@link Connections}). A body
 * is read only up to the size that the service admits. Thread-safe.
 */
public final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
    private static final int PLACES = 256;
    private static final int BACKLOG = 200;
    private static final long WATCH_MILLIS = 200;
    /** Larger bodies are read a few at a time, because they are in memory until they are answered. */
    private static final int SMALL_BODY = 64 << 10;

    private static final int LARGE_AT_ONCE = 8;
    private static final int LARGE_WAIT_SECONDS = 5;

    private final ServerSocket listener;
    private final Service service;
    private final Connections connections = new Connections(PLACES);
    private final Semaphore large = new Semaphore(LARGE_AT_ONCE);
    private final ExecutorService threads;
    private final ScheduledExecutorService watch;

    /** Answers requests. */
    public interface Service {
        /** {@return how to treat a request whose head was read} */
        Admission admit(HttpHead head);

        /** {@return the response to an admitted request} */
        HttpReply answer(HttpHead head, byte[] body) throws Exception;

        /** {@return the response to a request that cannot be read, or cannot be read now} */
        HttpReply refuse(@Nullable HttpHead head, int status, String message);
    }

    /**
     * How to treat a request.
     *
     * @param isKnown whether its caller is authenticated; otherwise the connection can be closed at any time to make room
     * @param mostBytes maximum size of the body
     */
    public record Admission(boolean isKnown, int mostBytes) {}

    /**
     * Starts to listen.
     *
     * @param name of its threads
     * @param address to listen on; port 0 for any free one
     * @param tls null for none
     * @param service answers requests
     * @throws IOException if the address cannot be bound
     */
    public HttpListener(String name, InetSocketAddress address, @Nullable SSLContext tls, Service service)
            throws IOException {
        this.service = service;
        listener =
                tls == null ? new ServerSocket() : tls.getServerSocketFactory().createServerSocket();
        listener.setReuseAddress(true);
        try {
            listener.bind(address, BACKLOG);
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
        threads = Executors.newCachedThreadPool(daemon(name));
        watch = Executors.newSingleThreadScheduledExecutor(daemon(name + "-watch"));
        threads.execute(this::accept);
        ScheduledFuture<?> unused = watch.scheduleWithFixedDelay(
                () -> connections.closeLate(System.nanoTime()), WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static ThreadFactory daemon(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** {@return the bound address} */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Connections.Place place = connections.admit(socket);
                if (place != null) {
                    attend(place);
                }
            } catch (IOException | RuntimeException | Error e) { // there may be no thread for it; the listener goes on
                if (!listener.isClosed()) {
                    LOG.warn("cannot accept a connection: {}", e.toString());
                    pause();
                }
            }
        }
    }

    private void attend(Connections.Place place) {
        try {
            threads.execute(() -> serve(place));
        } catch (RuntimeException | Error e) {
            connections.leave(place);
            throw e;
        }
    }

    /** Avoids a busy loop when file handles are exhausted. */
    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Connections.Place place) {
        try (Socket socket = place.socket()) {
            socket.setTcpNoDelay(true);
            HttpConnection connection = new HttpConnection(socket);
            while (serveOne(connection, place)) {
                place.idle();
            }
        } catch (IOException e) {
            LOG.debug("connection aborted: {}", e.toString());
        } catch (RuntimeException | Error e) {
            LOG.warn("closing a connection after an unexpected error", e);
        } finally {
            connections.leave(place);
        }
    }

    /** {@return whether another request may follow} */
    private boolean serveOne(HttpConnection connection, Connections.Place place) throws IOException {
        HttpHead head;
        try {
            head = connection.readHead();
        } catch (MalformedRequestException e) {
            return end(
                    connection, place, null, service.refuse(null, e.status(), String.valueOf(e.getMessage())), false);
        }
        if (head == null) {
            return false;
        }
        place.unauthenticated();
        Admission admission = service.admit(head);
        HttpReply reply = answer(connection, place, head, admission);
        boolean keep =
                admission.isKnown() && head.keepsConnection() && connection.isBodyRead(head) && !listener.isClosed();
        if (!keep) {
            return end(connection, place, head, reply, admission.isKnown());
        }
        place.response();
        connection.write(reply, true, !head.method().equals("HEAD"));
        return true;
    }

    private HttpReply answer(HttpConnection connection, Connections.Place place, HttpHead head, Admission admission)
            throws IOException {
        boolean isLarge = head.isChunked() || head.contentLength() > SMALL_BODY;
        boolean mayBeLarge = isLarge && admission.mostBytes() > SMALL_BODY;
        try {
            if (mayBeLarge && !large.tryAcquire(LARGE_WAIT_SECONDS, TimeUnit.SECONDS)) {
                return service.refuse(head, 503, "too many large requests at once: try again in a moment");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return service.refuse(head, 503, "the server stops");
        }
        try {
            if (admission.isKnown()) {
                place.body();
            }
            byte[] body = connection.readBody(head, admission.mostBytes());
            if (admission.isKnown()) {
                place.work();
            }
            return service.answer(head, body);
        } catch (MalformedRequestException e) {
            return service.refuse(head, e.status(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return service.refuse(head, 503, "the server stops");
        } catch (Exception e) {
            LOG.warn("cannot answer {} {}", head.method(), head.path().replaceAll("[^ -~]", "?"), e);
            return service.refuse(head, 500, "see the log");
        } finally {
            if (mayBeLarge) {
                large.release();
            }
        }
    }

    /** Writes the last response of a connection; a caller that is still sending can read the response, unless it sends far too much. */
    private static boolean end(
            HttpConnection connection,
            Connections.Place place,
            @Nullable HttpHead head,
            HttpReply reply,
            boolean isKnown)
            throws IOException {
        if (isKnown) {
            place.response();
        } else {
            place.unauthenticated();
        }
        connection.write(reply, false, head == null || !head.method().equals("HEAD"));
        if (head == null || !connection.isBodyRead(head)) {
            place.socket().setSoTimeout(1_000);
            if (!(place.socket() instanceof SSLSocket)) {
                place.socket().shutdownOutput();
            }
            connection.skip(isKnown ? 16L << 20 : 64L << 10);
        }
        return false;
    }

    /** Aborts requests in progress. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            LOG.debug("the listener did not close", e);
        }
        connections.closeAll();
        threads.shutdownNow();
        watch.shutdownNow();
    }
}
