package dev.pawl.cli;

import dev.pawl.servers.Delay;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A worker that starts a command, and dies at the moment when the command has begun. */
public final class HaltedWorker {
    private HaltedWorker() {}

    /**
     * @param arguments the command, and the file that it creates when it begins
     * @throws IOException if the command cannot begin
     */
    public static void main(String[] arguments) throws IOException {
        Process command = new ProcessBuilder(ProcessGroups.command(arguments[0])).start();
        ProcessGroups.guard(new Watched(command, Path.of(arguments[1])));
    }

    /** The process of a command. It halts this JVM after the command was told to begin and has begun. */
    private static final class Watched extends Process {
        private final Process command;
        private final Path begun;

        Watched(Process command, Path begun) {
            this.command = command;
            this.begun = begun;
        }

        @Override
        public OutputStream getOutputStream() {
            return new FilterOutputStream(command.getOutputStream()) {
                @Override
                public void flush() throws IOException {
                    super.flush();
                    while (!Files.exists(begun)) { // a file sends no signal to wait for
                        try {
                            Delay.work(10);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                    Runtime.getRuntime().halt(0);
                }
            };
        }

        @Override
        public long pid() {
            return command.pid();
        }

        @Override
        public InputStream getInputStream() {
            return command.getInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return command.getErrorStream();
        }

        @Override
        public int waitFor() throws InterruptedException {
            return command.waitFor();
        }

        @Override
        public int exitValue() {
            return command.exitValue();
        }

        @Override
        public void destroy() {
            command.destroy();
        }
    }
}
