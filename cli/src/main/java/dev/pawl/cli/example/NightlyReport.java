package dev.pawl.cli.example;

import dev.pawl.JobQueue;
import dev.pawl.Schedules;
import dev.pawl.Worker;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Tick;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.schedule.ScheduleInfo;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
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
        return "a recurring job: its rule in words, run out of turn, its ticks";
    }

    @Override
    public void run(JobQueue queue, PrintWriter out) throws Exception {
        List<Order> orders = IntStream.rangeClosed(1, 500)
                .mapToObj(n -> new Order(n, 100 * n))
                .toList();
        queue.enqueueAll(ORDER, orders);
        out.println("500 orders are to be shipped, a job each");
        ZoneId rome = ZoneId.of("Europe/Rome");
        Recurrence everyNight = Recurrence.cron("0 3 * * *", rome);
        Worker worker = Worker.on(queue)
                .handle(ORDER, (order, run) -> {})
                .handle(REPORT, (report, run) -> {
                    int shipped = queue.admin()
                            .jobs()
                            .list(JobFilter.ALL
                                    .kind(ORDER.kind())
                                    .state(JobState.COMPLETED)
                                    .limit(1_000))
                            .size();
                    out.println("  " + report.title() + " of "
                            + run.tick().orElseThrow().atZone(rome).toLocalDate() + ": " + shipped + " are shipped");
                })
                .schedule(Schedule.of("nightly", REPORT, new Report("orders"), everyNight))
                .start();
        try (worker) {
            Schedules schedules = queue.schedules();
            while (!worker.awaitIdle(Duration.ofSeconds(1))
                    || schedules.find("nightly").isEmpty()) {
                out.println("shipping …");
            }
            ScheduleInfo nightly = schedules.find("nightly").orElseThrow();
            out.println("the schedule 'nightly' is due " + everyNight.words() + "; next at " + nightly.nextAt());
            out.println("its job is run now, out of turn:");
            schedules.runNow("nightly");
            worker.awaitIdle(Duration.ofMinutes(1));
        }
        out.println("its ticks and their results:");
        for (Tick tick : queue.schedules().ticks("nightly", 10)) {
            String how = tick.outcome() == Tick.Outcome.BY_HAND ? "by hand" : "by its rule";
            String became = tick.jobId() == null
                    ? "no job"
                    : "job " + tick.jobId() + ", "
                            + queue.admin()
                                    .jobs()
                                    .find(tick.jobId())
                                    .map(job -> job.state().name().toLowerCase(Locale.ROOT))
                                    .orElse("gone");
            out.println("  " + tick.tick().truncatedTo(ChronoUnit.SECONDS) + "  " + how + ": " + became);
        }
    }
}
