package dev.pawl.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Measures the disk of the temporary folder with small forced writes, which reveals a throttled one. */
final class Disk {
    private static final int WRITES = 30;
    private static final int BYTES = 4096;

    private Disk() {}

    /** {@return the median time of a write of 4 KiB with fsync, in microseconds} */
    static double fsyncMicros() {
        try {
            Path file = Files.createTempFile("pawl-lab-", ".fsync");
            long[] nanos = new long[WRITES];
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                for (int i = 0; i < WRITES; i++) {
                    long start = System.nanoTime();
                    int unused = channel.write(ByteBuffer.allocate(BYTES), 0);
                    channel.force(false);
                    nanos[i] = System.nanoTime() - start;
                }
            } finally {
                Files.delete(file);
            }
            Arrays.sort(nanos);
            return nanos[WRITES / 2] / 1e3;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to the temporary folder, set by java.io.tmpdir", e);
        }
    }
}
