package dev.pawl.dashboard.internal.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Third-party files in the jar are unmodified and have their licences. */
class VendoredTest {
    private static byte[] file(String name) throws IOException {
        try (InputStream in = VendoredTest.class.getResourceAsStream("/dev/pawl/dashboard/assets/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    /** htmx.org 4.0.1 from npm, dist/htmx.min.js. */
    @Test
    void htmxIsUnmodified() throws IOException, NoSuchAlgorithmException {
        byte[] sum = MessageDigest.getInstance("SHA-256").digest(file("htmx.min.js"));
        assertThat(HexFormat.of().formatHex(sum))
                .isEqualTo("a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130");
        assertThat(file("htmx-LICENSE.txt")).isNotEmpty();
    }

    @Test
    void theFirstPageIsSmall() throws IOException {
        int bytes = file("htmx.min.js").length
                + file("dashboard.js").length
                + file("dashboard.css").length
                + file("icon.svg").length;
        assertThat(bytes).isLessThan(80_000); // uncompressed
    }
}
