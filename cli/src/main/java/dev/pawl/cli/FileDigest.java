package dev.pawl.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The result of the demonstration for a file.
 *
 * @param sha256 in hexadecimal
 * @param size in bytes
 * @param lines the number of line feeds
 */
record FileDigest(String sha256, long size, long lines) {
    static FileDigest of(URI file) throws IOException {
        MessageDigest digest = newDigest();
        byte[] buffer = new byte[16_384];
        long size = 0;
        long lines = 0;
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
                size += n;
                for (int i = 0; i < n; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
            }
        }
        return new FileDigest(HexFormat.of().formatHex(digest.digest()), size, lines);
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
