package dev.pawl.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.internal.Delay;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ConnectionsTest {
    private static final String PASSWORD = "of-the-test";

    /** Regression: a watch hung. Closing a TLS socket sends a last record, which waits for the record that is being written. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void closingAConnectionDoesNotWaitForAPeerThatReadsNothing(@TempDir Path folder) throws Exception {
        SSLContext tls = context(folder.resolve("keys.p12"));
        try (ServerSocket listener =
                tls.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SSLSocket caller = (SSLSocket) tls.getSocketFactory().createSocket();
            caller.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort()));
            Socket accepted = listener.accept();
            Connections connections = new Connections(1);
            Connections.Place place = Objects.requireNonNull(connections.admit(accepted));
            AtomicLong written = new AtomicLong();
            Thread response = new Thread(() -> write(accepted, written));
            response.start();
            caller.startHandshake();
            awaitStandstill(written);

            place.response();
            connections.closeLate(System.nanoTime() + Long.MAX_VALUE / 4);

            response.join();
            assertThat(accepted.isClosed()).isTrue();
            caller.close();
        }
    }

    private static void write(Socket to, AtomicLong written) {
        try {
            byte[] some = new byte[16_384];
            while (true) {
                to.getOutputStream().write(some);
                written.addAndGet(some.length);
            }
        } catch (IOException closed) {
            return; // the expected end
        }
    }

    /** Waits until the buffers of both sides are full. */
    private static void awaitStandstill(AtomicLong written) throws InterruptedException {
        for (long before = -1; written.get() == 0 || written.get() != before; ) {
            before = written.get();
            Delay.quiet(200); // there is no signal for the absence of writes
        }
    }

    private static SSLContext context(Path file) throws Exception {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process keytool = new ProcessBuilder((tool + " -genkeypair -alias own -keyalg EC -dname CN=localhost"
                                + " -storetype PKCS12 -storepass " + PASSWORD + " -keystore " + file)
                        .split(" "))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        KeyStore certificates = KeyStore.getInstance("PKCS12");
        certificates.load(null, null);
        certificates.setCertificateEntry("own", keys.getCertificate("own"));
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(certificates);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }
}
