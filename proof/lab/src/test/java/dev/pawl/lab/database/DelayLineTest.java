package dev.pawl.lab.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DelayLineTest {
    private static final long DELAY_MILLIS = 50;

    @Test
    void bytesArriveAfterTheDelayInBothDirections() throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 0, here);
                DelayLine line = DelayLine.open(here, server.getLocalPort(), Duration.ofMillis(DELAY_MILLIS));
                Socket client = new Socket(here, line.port());
                Socket accepted = server.accept()) {
            long begun = System.nanoTime();
            client.getOutputStream().write(new byte[] {1, 2, 3});
            assertThat(accepted.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);
            accepted.getOutputStream().write(4);
            assertThat(client.getInputStream().read()).isEqualTo(4);
            assertThat(System.nanoTime() - begun)
                    .as("never earlier")
                    .isGreaterThanOrEqualTo(2 * DELAY_MILLIS * 1_000_000);
            accepted.shutdownOutput();
            assertThat(client.getInputStream().read())
                    .as("the end arrives, too")
                    .isEqualTo(-1);
        }
    }

    @Test
    void muchArrivesWholeBeforeTheEnd() throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        byte[] much = new byte[1 << 20];
        try (ServerSocket server = new ServerSocket(0, 0, here);
                DelayLine line = DelayLine.open(here, server.getLocalPort(), Duration.ofMillis(DELAY_MILLIS));
                Socket client = new Socket(here, line.port());
                Socket accepted = server.accept()) {
            client.getOutputStream().write(much);
            client.shutdownOutput();
            assertThat(accepted.getInputStream().readAllBytes()).hasSameSizeAs(much);
        }
    }
}
