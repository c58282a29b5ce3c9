package dev.pawl.lab.example;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/** An API accepts events and responds at once; they are processed a moment later. The caller only waits for the enqueue. */
public final class Events {
    record Event(String name, long value) {}

    private static final JobType<Event> EVENT = JobType.of("event.process", Event.class);

    private Events() {}

    /**
     * @param arguments number of calls, default 2000
     * @throws Exception if the database fails
     */
    public static void main(String[] arguments) throws Exception {
        int calls = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2000;
        try (var pool = Example.pool("events.db")) {
            System.out.println(run(pool, calls));
        }
    }

    static String run(DataSource pool, int calls) throws Exception {
        LongAdder processed = new LongAdder();
        long[] micros = new long[calls];
        try (JobQueue queue = JobQueue.open(pool);
                Worker worker = Worker.on(queue)
                        .queues("events")
                        .handle(EVENT, (event, run) -> processed.increment())
                        .start()) {
            for (int call = 0; call < calls; call++) {
                long start = System.nanoTime();
                queue.enqueue(EVENT, new Event("clicked", call), EnqueueOptions.DEFAULTS.queue("events"));
                micros[call] = (System.nanoTime() - start) / 1000;
            }
            boolean all = worker.awaitIdle(Duration.ofMinutes(1));
            Arrays.sort(micros);
            return processed.sum() + " events processed" + (all ? "" : " so far") + "; a caller waited "
                    + micros[calls / 2] + " us (p50), " + micros[calls * 99 / 100] + " us (p99)";
        }
    }
}
