package dev.pawl.conformance.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.JobType;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.servers.TestDatabase;
import java.time.Duration;

/** A worker process with schedules, until it is killed. */
public final class ScheduleWorker {
    static final JobType<String> TICKED = JobType.of("ticked", String.class);
    static final int SCHEDULES = 5;

    private ScheduleWorker() {}

    static String name(int schedule) {
        return "every-second-" + schedule;
    }

    /**
     * @param arguments JDBC URL
     * @throws Exception if it cannot start
     */
    public static void main(String[] arguments) throws Exception {
        TestDatabase database = new TestDatabase(arguments[0], () -> {});
        try (HikariDataSource pool = database.newDataSource(8);
                JobQueue queue = JobQueue.builder(pool).migrate(false).open()) {
            var builder = Worker.on(queue).lease(Duration.ofSeconds(4)).handle(TICKED, (name, run) -> {});
            for (int i = 0; i < SCHEDULES; i++) {
                builder.schedule(Schedule.of(name(i), TICKED, "x", Recurrence.every(Duration.ofSeconds(1)))
                        .overlap(Overlap.ALLOW)
                        .missed(Missed.all(1_000)));
            }
            try (Worker worker = builder.start()) {
                System.out.println("worker " + worker.id() + " works");
                Thread.currentThread().join();
            }
        }
    }
}
