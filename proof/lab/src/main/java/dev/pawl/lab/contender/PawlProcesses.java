package dev.pawl.lab.contender;

import dev.pawl.servers.process.JavaProcess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Pawl with its workers in several processes, which record their executions as {@link Handler#remoteRecording} says. */
final class PawlProcesses extends PawlContender {
    private static final Duration START = Duration.ofMinutes(2);

    PawlProcesses(Setup setup) throws SQLException {
        super(setup);
    }

    @Override
    public String settings() {
        return super.settings() + "; in " + setup().processes() + " processes";
    }

    /** {@return the number of handlers of the i-th process, if there are at least as many handlers as processes} */
    static int share(int workers, int processes, int i) {
        return workers / processes + (i < workers % processes ? 1 : 0);
    }

    /** Starts the processes while the queue is paused, and resumes the queue when all processes are ready. */
    @Override
    public Running start(Handler handler) {
        List<JavaProcess> processes = new ArrayList<>();
        Running running = new Running() {
            @Override
            public void collect() {
                processes.forEach(process -> WorkerProcess.times(process.output(), handler));
            }

            @Override
            public void close() {
                processes.forEach(JavaProcess::close);
            }
        };
        try {
            queue().admin().queues().pause("default");
            for (int i = 0; i < setup().processes(); i++) {
                processes.add(JavaProcess.startFast(
                        WorkerProcess.class,
                        Map.of(WorkerProcess.URL, setup().scratch().url()),
                        setup().scratch().product(),
                        setup().system(),
                        Integer.toString(share(setup().workers(), setup().processes(), i)),
                        Integer.toString(setup().batch()),
                        Integer.toString(setup().handlerMillis()),
                        "0",
                        handler.remoteRecording().name()));
            }
            processes.forEach(process -> {
                String unused = process.awaitOutput(WorkerProcess.READY, START);
            });
            queue().admin().queues().resume("default");
            return running;
        } catch (RuntimeException e) {
            processes.forEach(JavaProcess::close);
            throw e;
        }
    }
}
