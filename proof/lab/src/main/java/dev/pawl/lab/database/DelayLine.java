package dev.pawl.lab.database;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A slow connection to a server: forwards bytes a fixed time after they have arrived, in both directions. Bytes do not wait until earlier
 * bytes have been forwarded, so the line delays but does not limit throughput.
 */
final class DelayLine implements AutoCloseable {
    private static final int PIECE = 16 * 1024;
    /** The most pieces in flight in each direction: enough for a gigabyte per second with a delay of ten milliseconds. */
    private static final int MAX_IN_FLIGHT = 1024;

    private static final byte[] END = {};

    private final ServerSocket listener;
    private final InetAddress host;
    private final int serverPort;
    private final long nanos;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** Bytes and when to forward them. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Piece(long dueNanos, byte[] bytes) {}

    private DelayLine(ServerSocket listener, InetAddress host, int serverPort, Duration delay) {
        this.listener = listener;
        this.host = host;
        this.serverPort = serverPort;
        this.nanos = delay.toNanos();
    }

    /**
     * @param host of the server
     * @param port of the server
     * @param delay in each direction
     * @return a line to it, which listens on this machine only
     * @throws IOException if there is no free port
     */
    static DelayLine open(InetAddress host, int port, Duration delay) throws IOException {
        DelayLine line = new DelayLine(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), host, port, delay);
        start("lab-line-accept", line::accept);
        return line;
    }

    /** {@return the port on which it listens} */
    int port() {
        return listener.getLocalPort();
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                sockets.add(client);
                start("lab-line-connect", () -> connect(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        try {
            Socket server = new Socket(host, serverPort);
            sockets.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            forward(client, server);
            forward(server, client);
            if (listener.isClosed()) {
                close(client);
                close(server);
            }
        } catch (IOException unreachable) {
            close(client);
        }
    }

    private void forward(Socket from, Socket to) {
        BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(MAX_IN_FLIGHT);
        start("lab-line-read", () -> read(from, pieces));
        start("lab-line-write", () -> write(pieces, from, to));
    }

    private void read(Socket from, BlockingQueue<Piece> pieces) {
        byte[] buffer = new byte[PIECE];
        try {
            try {
                InputStream in = from.getInputStream();
                for (int length = in.read(buffer); length > 0; length = in.read(buffer)) {
                    pieces.put(new Piece(System.nanoTime() + nanos, Arrays.copyOf(buffer, length)));
                }
            } catch (IOException closed) {
                // the end mark is sent next
            }
            pieces.put(new Piece(0, END));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Forwards pieces until the end. Takes them even after the receiver has closed, so that the reader never blocks. */
    private void write(BlockingQueue<Piece> pieces, Socket from, Socket to) {
        try {
            for (Piece piece = pieces.take(); piece.bytes().length > 0; piece = pieces.take()) {
                long wait = piece.dueNanos() - System.nanoTime();
                while (wait > 0) {
                    LockSupport.parkNanos(wait);
                    wait = piece.dueNanos() - System.nanoTime();
                }
                try {
                    to.getOutputStream().write(piece.bytes());
                } catch (IOException gone) {
                    close(from);
                    close(to);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close(from);
        close(to);
    }

    private void close(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException gone) {
            // it is closed either way
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        sockets.forEach(this::close);
    }
}
