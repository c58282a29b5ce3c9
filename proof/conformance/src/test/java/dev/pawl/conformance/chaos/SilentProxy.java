package dev.pawl.conformance.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A proxy that acts like a firewall: it can drop the state of its open connections. From then on it swallows all data on them, in both
 * directions, and notifies neither side. New connections work.
 */
public final class SilentProxy implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int serverPort;
    private volatile int forgotten;
    private volatile int accepted;

    public SilentProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        start(this::accept);
    }

    /** {@return the URL with this proxy in place of the server} */
    public String instead(String jdbcUrl) {
        return jdbcUrl.replaceFirst("://[^/:?]+:\\d+/", "://127.0.0.1:" + listening.getLocalPort() + "/");
    }

    /** Swallows all data on the open connections from now on, and returns how many connections were accepted so far. */
    public int forgetConnections() {
        forgotten = accepted;
        return forgotten;
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
                "silent-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        for (int number = 1; ; number++) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            accepted = number;
            int own = number;
            start(() -> pass(client, server, own));
            start(() -> pass(server, client, own));
        }
    }

    private void pass(Socket from, Socket to, int number) throws IOException {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] buffer = new byte[65_536];
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
            if (number > forgotten) {
                out.write(buffer, 0, length);
                out.flush();
            }
        }
        if (number > forgotten) {
            to.close();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
