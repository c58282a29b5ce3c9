package dev.pawl.conformance.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between workers and their server that cuts connections at the worst moments: after a commit has reached the server and before its
 * reply has reached the worker, and before a commit reaches the server.
 */
final class CutProxy implements AutoCloseable {
    private static final int ONE_OF = 40;

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int serverPort;
    private final AtomicInteger cutAfter = new AtomicInteger();
    private final AtomicInteger cutBefore = new AtomicInteger();
    private volatile boolean cutting = true;

    CutProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    int cutsAfterCommit() {
        return cutAfter.get();
    }

    int cutsBeforeCommit() {
        return cutBefore.get();
    }

    /** Stops cutting connections. */
    void stopCutting() {
        cutting = false;
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException closed) {
                        // either side closed the connection
                    }
                },
                "cut-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            AtomicBoolean commitSent = new AtomicBoolean();
            start(() -> pass(client, server, true, commitSent));
            start(() -> pass(server, client, false, commitSent));
        }
    }

    private void pass(Socket from, Socket to, boolean isRequest, AtomicBoolean commitSent) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[65_536];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (isRequest && isCommit(buffer, length)) {
                    if (strike()) {
                        cutBefore.incrementAndGet();
                        return;
                    }
                    commitSent.set(true);
                } else if (!isRequest && commitSent.getAndSet(false) && strike()) {
                    cutAfter.incrementAndGet();
                    return;
                }
                out.write(buffer, 0, length);
                out.flush();
            }
        }
    }

    private boolean strike() {
        return cutting && ThreadLocalRandom.current().nextInt(ONE_OF) == 0;
    }

    /** A claim on PostgreSQL commits by itself, so it counts as well. */
    private static boolean isCommit(byte[] buffer, int length) {
        String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1).toUpperCase(Locale.ROOT);
        return text.contains("COMMIT") || text.contains("SKIP LOCKED");
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
