package dev.pawl.cli.example;

import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.limit.Limit;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Sends a thousand mails, at most 100 of each tenant per second. One tenant enqueues half of the mails before the other tenants enqueue
 * theirs.
 */
public final class TenantMails implements Example {
    record Mail(String tenant, int number) {}

    private static final int A_SECOND = 100;

    private static final JobType<Mail> SEND =
            JobType.of("mail.send", Mail.class).withDefaults(EnqueueOptions.DEFAULTS.queue("mail"));

    @Override
    public String name() {
        return "tenant-mails";
    }

    @Override
    public String shows() {
        return "limits: a rate for each tenant, which delays only the tenant with the most mails";
    }

    @Override
    public void run(JobQueue queue, PrintWriter out) throws Exception {
        queue.limits()
                .set(Limit.keysOf("mail").rate(A_SECOND, Duration.ofSeconds(1)).atOnce(10));

        List<Mail> mails = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            mails.add(new Mail("acme", i));
        }
        for (int i = 0; i < 500; i++) {
            mails.add(new Mail("tenant-" + i % 10, i));
        }
        queue.enqueueAll(SEND, mails, mail -> SEND.defaults().key(mail.tenant()));
        out.println("1000 mails are enqueued, 500 of them, the first ones, by acme; " + A_SECOND
                + " of a tenant may start in a second");

        Map<String, Queue<Long>> starts = new ConcurrentHashMap<>();
        long begun = System.nanoTime();
        Worker worker = Worker.on(queue)
                .queues("mail")
                .concurrency(20)
                .handle(SEND, (mail, run) -> {
                    starts.computeIfAbsent(mail.tenant(), tenant -> new ConcurrentLinkedQueue<>())
                            .add(System.nanoTime());
                    TimeUnit.MILLISECONDS.sleep(5); // simulates a slow mail server
                })
                .start();
        try (worker) {
            int sent = 0;
            while (sent < mails.size()) {
                TimeUnit.MILLISECONDS.sleep(500);
                sent = starts.values().stream().mapToInt(Queue::size).sum();
                out.printf(Locale.ROOT, "%4d sent after %.1f s%n", sent, (System.nanoTime() - begun) / 1e9);
            }
        }
        out.println("tenant       mails   most in a second   the last one after");
        starts.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(each -> {
            List<Long> nanos = each.getValue().stream().sorted().toList();
            out.printf(
                    Locale.ROOT,
                    "%-10s %7d %18d %18.1f s%n",
                    each.getKey(),
                    nanos.size(),
                    mostInASecond(nanos),
                    (nanos.get(nanos.size() - 1) - begun) / 1e9);
        });
    }

    /** Returns the maximum number of starts in any second. */
    private static int mostInASecond(List<Long> nanos) {
        int most = 0;
        int first = 0;
        for (int last = 0; last < nanos.size(); last++) {
            while (nanos.get(last) - nanos.get(first) >= TimeUnit.SECONDS.toNanos(1)) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }
}
