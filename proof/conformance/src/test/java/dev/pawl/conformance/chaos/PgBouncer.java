package dev.pawl.conformance.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** PgBouncer in transaction mode. The transactions of all its clients share a few connections to another proxy. */
final class PgBouncer implements AutoCloseable {
    static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

    private final Path configuration = Files.createTempFile("pawl-pgbouncer-", ".ini");
    private final Path output = Files.createTempFile("pawl-pgbouncer-", ".log");
    private final Process process;
    final int port;

    /** @param target the port to which it connects */
    PgBouncer(int target) throws IOException {
        port = Haproxy.freePort();
        Files.writeString(configuration, """
                [databases]
                * = host=127.0.0.1 port=%d user=postgres password=p
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                server_login_retry = 1
                ignore_startup_parameters = extra_float_digits
                """.formatted(target, port));
        // It does not run as root, and its user must read the file.
        Files.setPosixFilePermissions(configuration, PosixFilePermissions.fromString("rw-r--r--"));
        process = new ProcessBuilder(PROGRAM.toString(), "-u", "postgres", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** {@return the last lines that it has logged} */
    String output() throws IOException {
        String text = Files.readString(output);
        return text.substring(Math.max(0, text.length() - 4_000));
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(configuration);
        Files.deleteIfExists(output);
    }
}
