package dev.pawl.cli.example;

import dev.pawl.JobQueue;
import dev.pawl.JobState;
import dev.pawl.JobType;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.schedule.ScheduleInfo;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;

/** A job that a schedule enqueues every night, once in the whole cluster; here it is run at once, out of turn. */
public final class NightlyReport implements Example {
    record Order(int number, int cents) {}

    record Report(String title) {}

    private static final JobType<Order> ORDER = JobType.of("order.ship", Order.class);
    private static final JobType<Report> REPORT = JobType.of("report.nightly", Report.class);

    @Override
    public String name() {
        return "nightly-report";
    }

    @Override
    public String shows() {
        return "a recurring job: cron with a time zone, run out of turn, what became of its ticks";
    }

    @Override
    public void run(JobQueue queue, PrintWriter out) throws Exception {
        List<Order> orders = IntStream.rangeClosed(1, 500)
                .mapToObj(n -> new Order(n, 100 * n))
                .toList();
        queue.enqueueAll(ORDER, orders);
        Worker worker = Worker.on(queue)
                .handle(ORDER, (order, run) -> {})
                .handle(REPORT, (report, run) -> {
                    int shipped = queue.admin()
                            .list(JobFilter.ALL
                                    .kind(ORDER.kind())
                                    .state(JobState.COMPLETED)
                                    .limit(1_000))
                            .size();
                    out.println(
                            report.title() + " for " + run.tick().orElseThrow() + ": " + shipped + " orders shipped");
                })
                .schedule(Schedule.of(
                        "nightly",
                        REPORT,
                        new Report("orders"),
                        Recurrence.cron("0 3 * * *", ZoneId.of("Europe/Rome"))))
                .start();
        try (worker) {
            while (!worker.awaitIdle(Duration.ofSeconds(1))
                    || queue.schedules().find("nightly").isEmpty()) {
                out.println("shipping orders");
            }
            ScheduleInfo nightly = queue.schedules().find("nightly").orElseThrow();
            out.println("the report is due " + nightly.recurrence() + ", next at " + nightly.nextAt()
                    + "; now out of turn:");
            queue.schedules().runNow("nightly");
            worker.awaitIdle(Duration.ofMinutes(1));
        }
        queue.schedules()
                .ticks("nightly", 10)
                .forEach(tick -> out.println("tick " + tick.tick() + ": " + tick.outcome() + ", job " + tick.jobId()));
    }
}
