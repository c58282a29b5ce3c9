package dev.pawl.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** Standard output that detects that its reader has closed the pipe; a writer only reports that a write has failed. */
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
                    pipeClosed || Objects.requireNonNullElse(e.getMessage(), "").contains("Broken pipe");
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
