package dev.pawl.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Standard output that detects whether its reader has closed the pipe. A writer reports only that a write has failed, not why. */
final class StandardOutput extends OutputStream {
    private final OutputStream out;
    private volatile boolean pipeClosed;

    StandardOutput(FileDescriptor descriptor) {
        this.out = new FileOutputStream(descriptor);
    }

    boolean isPipeClosed() {
        return pipeClosed;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            pipeClosed =
                    pipeClosed || isPipe() || String.valueOf(e.getMessage()).contains("Broken pipe");
            throw e;
        }
    }

    /**
     * Whether standard output is a pipe, on Linux. A failed write to a pipe is taken to mean that its reader has gone, because the error
     * message may be localized.
     */
    private static boolean isPipe() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
