package dev.pawl.cli.example;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.api.JobStep;
import dev.pawl.api.JobType;
import dev.pawl.api.Signal;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An order is charged, waits for a person's approval, and is shipped. The first worker charges it and ends before the approval. On the
 * second worker the handler starts again from its first line, but the card is not charged twice, because the charge is a step.
 */
public final class Approval implements Example {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final JobType<Integer> ORDER = JobType.of("approval.order", Integer.class);
    private static final Signal<Boolean> APPROVED = Signal.of("approved", Boolean.class);

    private final AtomicInteger charges = new AtomicInteger();

    @Override
    public String name() {
        return "approval";
    }

    @Override
    public String shows() {
        return "steps: a job that waits for a person, outlives its worker, and does nothing twice";
    }

    @Override
    public void run(JobQueue queue, PrintWriter out) throws Exception {
        long job = queue.enqueue(ORDER, 4711).jobId();
        try (Worker first = worker("the first worker", queue, out)) {
            first.awaitIdle(SOON);
        }
        out.println("the first worker has ended; no worker holds job " + job + ", and it remembers:");
        print(queue, job, out);

        // From any program: pawl signal JOB approved true
        out.println("approval: " + queue.signal(job, APPROVED, true));
        try (Worker second = worker("the second worker", queue, out)) {
            second.awaitIdle(SOON);
        }
        print(queue, job, out);
        out.println("job " + job + " is "
                + word(queue.admin().jobs().find(job).orElseThrow().state()) + ": "
                + queue.handle(job, String.class).result().orElse("no result") + ", charged " + charges + " time(s)");
    }

    private Worker worker(String name, JobQueue queue, PrintWriter out) {
        return Worker.on(queue)
                .handle(ORDER, (order, run) -> {
                    out.println(name + " begins with order " + order);
                    String receipt = run.step("charge", String.class, () -> {
                        charges.incrementAndGet();
                        return "receipt " + order;
                    });
                    boolean isApproved =
                            run.steps().await(APPROVED, Duration.ofDays(14)).orElse(false);
                    run.step(isApproved ? "ship" : "refund", () -> out.println(name + " does the rest"));
                    run.result((isApproved ? "shipped, " : "refunded, ") + receipt);
                })
                .start();
    }

    private static void print(JobQueue queue, long job, PrintWriter out) {
        Admin admin = queue.admin();
        for (JobStep step : admin.jobs().steps(job)) {
            String value = step.value() == null ? "" : ": " + step.value();
            out.println("  " + word(step.kind()) + " " + step.name() + ", " + word(step.state()) + value);
        }
    }

    private static String word(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
