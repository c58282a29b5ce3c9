package dev.pawl.cli.example;

import dev.pawl.EnqueueOptions;
import dev.pawl.JobQueue;
import dev.pawl.JobType;
import dev.pawl.Worker;
import dev.pawl.limit.Limit;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A thousand mails. No more than 250 may start in a second, no more than two of a tenant run at once; and one tenant has sent
 * most of them before the others came.
 */
public final class TenantMails implements Example {
    record Mail(String tenant, int number) {}

    private static final JobType<Mail> SEND =
            JobType.of("mail.send", Mail.class).withDefaults(EnqueueOptions.DEFAULTS.queue("mail"));

    private static final class Tenant {
        final AtomicInteger sent = new AtomicInteger();
        final AtomicInteger sending = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        volatile long lastNanos;
    }

    @Override
    public String name() {
        return "tenant-mails";
    }

    @Override
    public String shows() {
        return "limits: a rate for the queue, two at once for each tenant, and nobody waits for the one with the most";
    }

    @Override
    public void run(JobQueue queue, PrintWriter out) throws Exception {
        queue.limits().set(Limit.queue("mail").rate(250, Duration.ofSeconds(1)));
        queue.limits().set(Limit.keysOf("mail").atOnce(2));

        List<Mail> mails = new ArrayList<>();
        for (int i = 0; i < 800; i++) {
            mails.add(new Mail("acme", i));
        }
        for (int i = 0; i < 200; i++) {
            mails.add(new Mail("tenant-" + i % 10, i));
        }
        queue.enqueueAll(SEND, mails, mail -> SEND.defaults().key(mail.tenant()));
        out.println("1000 mails are enqueued, 800 of them, the first ones, by acme");

        Map<String, Tenant> tenants = new ConcurrentHashMap<>();
        long begun = System.nanoTime();
        Worker worker = Worker.on(queue)
                .queues("mail")
                .concurrency(20)
                .handle(SEND, (mail, run) -> {
                    Tenant tenant = tenants.computeIfAbsent(mail.tenant(), name -> new Tenant());
                    tenant.most.accumulateAndGet(tenant.sending.incrementAndGet(), Math::max);
                    TimeUnit.MILLISECONDS.sleep(5); // the mail server takes its time
                    tenant.sending.decrementAndGet();
                    tenant.sent.incrementAndGet();
                    tenant.lastNanos = System.nanoTime();
                })
                .start();
        try (worker) {
            int sent = 0;
            while (sent < mails.size()) {
                TimeUnit.MILLISECONDS.sleep(500);
                sent = tenants.values().stream()
                        .mapToInt(tenant -> tenant.sent.get())
                        .sum();
                out.printf(Locale.ROOT, "%4d sent after %.1f s%n", sent, (System.nanoTime() - begun) / 1e9);
            }
        }
        out.println("tenant       mails   most at once   the last one after");
        tenants.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> out.printf(
                        Locale.ROOT,
                        "%-10s %7d %14d %16.1f s%n",
                        each.getKey(),
                        each.getValue().sent.get(),
                        each.getValue().most.get(),
                        (each.getValue().lastNanos - begun) / 1e9));
    }
}
