package dev.pawl.dashboard;

import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.Workflow;
import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.OnFailure;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Signal;
import dev.pawl.limit.Limit;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Content for every page, and a running worker. */
final class Sample implements AutoCloseable {
    static final JobType<String> MAIL =
            JobType.of("mail.send", String.class).withDefaults(EnqueueOptions.DEFAULTS.queue("mail"));
    static final JobType<String> REPORT = JobType.of("report.build", String.class);
    static final JobType<String> ORDER = JobType.of("order.ship", String.class);

    private static final JobType<String> FAILING =
            JobType.of("invoice.print", String.class).withDefaults(EnqueueOptions.DEFAULTS.maxAttempts(2));
    private static final Signal<String> APPROVED = Signal.of("approved", String.class);

    private final CountDownLatch end = new CountDownLatch(1);
    private final JobQueue queue;
    private final Worker worker;
    final long discarded;
    final long retrying;
    final long running;
    final long waiting;
    final long order;
    final long done;
    final Batch batch;
    final Workflow workflow;

    Sample(JobQueue queue) {
        this.queue = queue;
        batch = queue.batch("the letters of July").open();
        worker = Worker.on(queue)
                .name("worker-1")
                .queues("default", "mail")
                .concurrency(4)
                .retryPolicy(RetryPolicy.fixed(Duration.ofHours(1)))
                .handle(MAIL, (payload, run) -> run.log("sent " + payload))
                .handle(REPORT, (payload, run) -> {
                    run.progress(40);
                    run.log("page 4 of 10");
                    end.await();
                })
                .handle(FAILING, (payload, run) -> {
                    run.log("begins");
                    throw new IllegalStateException("the printer has no paper");
                })
                .handle(ORDER, (payload, run) -> {
                    String seat = run.step("reserve", String.class, () -> "seat 7");
                    String answer =
                            run.steps().await(APPROVED, Duration.ofDays(3)).orElse("no");
                    run.result(seat + (answer.equals("yes") ? " is taken" : " is free"));
                })
                .start();
        done = queue.enqueue(MAIL, "ada@example.com").jobId();
        discarded = queue.enqueue(FAILING, "<b>17</b>", FAILING.defaults().maxAttempts(1))
                .jobId();
        retrying =
                queue.enqueue(FAILING, "18", FAILING.defaults().maxAttempts(20)).jobId();
        running = queue.enqueue(REPORT, "2026").jobId();
        order = queue.enqueue(ORDER, "A-1001", ORDER.defaults().tags("urgent")).jobId();
        for (int i = 0; i < 3; i++) {
            batch.enqueue(MAIL, "reader-" + i + "@example.com");
        }
        workflow = queue.workflow("order A-1001")
                .job("reserve", MAIL, "warehouse@example.com")
                .then("print", REPORT, "2027")
                .job("pack", MAIL, "the packers")
                .after("reserve")
                .job("send", MAIL, "ada@example.com")
                .after("print", "pack")
                .job("tell accounting", MAIL, "accounting")
                .after(OnFailure.RUN_ANYWAY, "print")
                .after(OnFailure.CANCEL, "reserve")
                .start();
        waiting = queue.enqueue(
                        MAIL,
                        "later@example.com",
                        MAIL.defaults().delay(Duration.ofDays(1)).tags("news").priority(3))
                .jobId();
        queue.schedules().add(Schedule.of("nightly", MAIL, "x", Recurrence.cron("0 3 * * *")));
        queue.schedules().add(Schedule.of("hourly", REPORT, "y", Recurrence.every(Duration.ofHours(1))));
        queue.limits().set(Limit.kind("mail.send").atOnce(3).rate(10, Duration.ofMinutes(1)));
        queue.limits().set(Limit.queue("mail").maxWaiting(100_000));
        queue.slots().series("codes").numbers(100, 1).reserve();
        queue.slots().series("codes").numbers(100, 1).reserve().use(); // leaves a gap at the first number
        await().atMost(Site.SOON).until(this::isThere);
    }

    private boolean isThere() {
        return state(done) == JobState.COMPLETED
                && state(discarded) == JobState.DISCARDED
                && state(running) == JobState.RUNNING
                && !queue.admin()
                        .runs()
                        .failedAttempts(retrying, Admin.UNLIMITED)
                        .isEmpty()
                && queue.admin().jobs().steps(order).size() == 2
                && workflow.info().orElseThrow().whole().completed() == 2
                && batch.info().orElseThrow().completed() == 3;
    }

    JobState state(long id) {
        return queue.admin().jobs().find(id).orElseThrow().state();
    }

    long workerId() {
        return worker.id();
    }

    @Override
    public void close() {
        end.countDown();
        worker.close();
    }
}
