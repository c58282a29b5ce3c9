package dev.pawl.manager;

import dev.pawl.api.Outcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A remote worker in a process that its test kills. Logs the start and end of its runs. */
public final class WorkerProcess {
    private WorkerProcess() {}

    /**
     * @param arguments secret, port, log file
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        try (RunsLog log = new RunsLog(arguments[2]);
                WorkerServer server = WorkerServer.with(new Secret(arguments[0]))
                        .capacity(6)
                        .handle("work", (payload, run) -> {
                            log.around(run, () -> RunsLog.work(payload));
                            return Outcome.completed();
                        })
                        .start(new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1])))) {
            System.out.println("listening on port " + server.port());
            Thread.currentThread().join();
        }
    }
}
