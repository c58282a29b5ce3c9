package dev.pawl.manager;

import dev.pawl.JobRun;
import dev.pawl.Outcome;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A remote worker in a process that is killed by its test. Logs when its runs begin and end. */
public final class WorkerProcess {
    private WorkerProcess() {}

    /**
     * @param arguments secret, port, log file
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        try (FileOutputStream log = new FileOutputStream(arguments[2], true);
                WorkerServer server = WorkerServer.with(new Secret(arguments[0]))
                        .handle("work", (payload, run) -> {
                            note(log, "begin", run);
                            note(log, "end", run);
                            return Outcome.completed();
                        })
                        .start(new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1])))) {
            System.out.println("listening on port " + server.port());
            Thread.currentThread().join();
        }
    }

    private static void note(FileOutputStream log, String what, JobRun run) throws IOException {
        String line = what + " " + run.job().id() + " " + run.leaseToken() + " " + System.nanoTime() + "\n";
        log.write(line.getBytes(StandardCharsets.UTF_8)); // one write call, so lines of threads do not mix
    }
}
