package dev.pawl.lab.example;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.WorkerEvent;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * Reminders are enqueued when they are planned, and checked when they are due: users who have unsubscribed in the meantime get none. The
 * text is also written only when the reminder is due, from the current data.
 */
public final class Reminders {
    record Reminder(String user, String what) {}

    private static final JobType<Reminder> REMIND = JobType.of("reminder.send", Reminder.class);

    private Reminders() {}

    /**
     * @param arguments none
     * @throws Exception if the database fails
     */
    public static void main(String[] arguments) throws Exception {
        try (var pool = Example.pool("reminders.db")) {
            System.out.println(run(pool, Duration.ofSeconds(1)));
        }
    }

    static String run(DataSource pool, Duration until) throws Exception {
        Set<String> unsubscribed = Set.of("eve");
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger skipped = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(3);
        try (JobQueue queue = JobQueue.open(pool)) {
            for (String user : new String[] {"ada", "eve", "joe"}) {
                queue.enqueue(
                        REMIND,
                        new Reminder(user, "your trial ends"),
                        EnqueueOptions.DEFAULTS.queue("reminders").delay(until));
            }
            Worker worker = Worker.on(queue)
                    .queues("reminders")
                    .handle(REMIND, Handlers.completing((reminder, run) -> {
                        if (unsubscribed.contains(reminder.user())) {
                            skipped.incrementAndGet();
                            return Outcome.cancel("unsubscribed since it was planned");
                        }
                        sent.incrementAndGet(); // the mail is sent here
                        return Outcome.completed();
                    }))
                    .listener(event -> {
                        if (event instanceof WorkerEvent.Completed || event instanceof WorkerEvent.Cancelled) {
                            done.countDown();
                        }
                    })
                    .start();
            try {
                done.await(); // the example ends; a service would continue
            } finally {
                worker.close();
            }
        }
        return sent + " reminders sent, " + skipped + " left out";
    }
}
