package dev.pawl.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports on loopback. They are below the range of ephemeral ports. Otherwise the system could give the port of a killed server to a client
 * that tries to reconnect, and the server could not start again.
 */
final class Ports {
    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 30_000;
    private static final int TRIES = 200;

    private Ports() {}

    /** {@return a port that is free now; another program may take it before use} */
    static int free() {
        IOException last = new IOException("none tried");
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw new ServerException("no free port found between " + LOWEST + " and " + HIGHEST + ": " + last, last);
    }
}
