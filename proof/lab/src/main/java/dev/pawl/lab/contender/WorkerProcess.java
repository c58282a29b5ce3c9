package dev.pawl.lab.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.WorkerEvent;
import dev.pawl.lab.database.Scratch;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/** The main program of a worker process, which runs until it is killed. */
final class WorkerProcess {
    /** The environment variable with the URL, because a password does not belong on a command line. */
    static final String URL = "PAWL_LAB_URL";

    static final String READY = "worker ready";
    static final String HOLDING = "job held";
    private static final Pattern RAN = Pattern.compile("job ran (\\d+) (\\d+) (\\d+)\n");

    private WorkerProcess() {}

    /**
     * @param arguments product, system, handlers, batch, milliseconds of a handler (negative: it never ends), the length
     *     of leases in milliseconds (0 or none: the default), and what to record
     */
    public static void main(String[] arguments) throws InterruptedException {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
        Scratch scratch = new Scratch(arguments[0], System.getenv(URL), false, () -> {});
        int handlerMillis = Integer.parseInt(arguments[4]);
        long lease = arguments.length > 5 ? Long.parseLong(arguments[5]) : 0;
        Setup setup = new Setup(
                arguments[1],
                scratch,
                Integer.parseInt(arguments[2]),
                0,
                Integer.parseInt(arguments[3]),
                0,
                handlerMillis);
        HikariDataSource pool = scratch.pool(setup.workers() + 4);
        Protocol protocol = new Protocol(pool);
        JobQueue queue = JobQueue.open(pool);
        CountDownLatch never = new CountDownLatch(1);
        Contender.RemoteRecording recorded = arguments.length > 6
                ? Contender.RemoteRecording.valueOf(arguments[6])
                : Contender.RemoteRecording.EVERY_JOB;
        AtomicBoolean begun = new AtomicBoolean();
        Map<Integer, Long> started = new ConcurrentHashMap<>();
        var builder = PawlContender.worker(queue, setup).handle(PawlContender.WORK, (payload, run) -> {
            if (handlerMillis < 0) {
                System.out.println(HOLDING + " " + payload.n());
                never.await();
            }
            switch (recorded) {
                case EVERY_JOB -> protocol.write(payload.n());
                case FIRST_JOB -> {
                    if (begun.compareAndSet(false, true)) {
                        protocol.write(payload.n());
                    }
                }
                case TIMES -> started.put(payload.n(), System.nanoTime());
            }
            TimeUnit.MILLISECONDS.sleep(handlerMillis);
        });
        if (recorded == Contender.RemoteRecording.TIMES) {
            builder.listener(event -> {
                if (event instanceof WorkerEvent.Completed completed) {
                    long done = System.nanoTime();
                    int job = Setup.number(completed.job().payload());
                    System.out.println("job ran " + job + " " + started.get(job) + " " + done);
                }
            });
        }
        try (Worker worker = (lease > 0 ? builder.lease(Duration.ofMillis(lease)) : builder).start()) {
            boolean idle = worker.awaitIdle(Duration.ofSeconds(30));
            System.out.println(idle ? READY : "the worker is not idle");
            never.await();
        }
    }

    /** Reads the times of jobs from the output of a worker process; on one machine, nanoTime is the same in all processes. */
    static void times(String output, Contender.Handler handler) {
        RAN.matcher(output)
                .results()
                .forEach(line -> handler.ran(
                        Integer.parseInt(line.group(1)), Long.parseLong(line.group(2)), Long.parseLong(line.group(3))));
    }
}
