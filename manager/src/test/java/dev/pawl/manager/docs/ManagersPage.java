package dev.pawl.manager.docs;

import dev.pawl.JobQueue;
import dev.pawl.SlotSeries;
import dev.pawl.api.Outcome;
import dev.pawl.manager.KindOptions;
import dev.pawl.manager.LocalChannel;
import dev.pawl.manager.Manager;
import dev.pawl.manager.Secret;
import dev.pawl.manager.WorkerServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** The Java of docs/guides/remote-workers.md and docs/guides/slots.md; compiled but not run, because its ports and hosts are examples. */
final class ManagersPage {
    private ManagersPage() {}

    private static void send(String payload) {
        System.out.println(payload);
    }

    static Manager manager(JobQueue queue, Secret secret) {
        Manager manager = Manager.on(queue)
                .kind("mail", KindOptions.DEFAULTS.maxRunTime(Duration.ofMinutes(2)))
                .worker(URI.create("https://worker-1:8081"))
                .secret(secret)
                .listen(new InetSocketAddress(8080), "http://manager-1:8080", null)
                .start();
        return manager;
    }

    static WorkerServer worker(Secret secret) {
        WorkerServer worker = WorkerServer.with(secret)
                .handle("mail", (payload, run) -> {
                    send(payload);
                    return Outcome.completed();
                })
                .start(new InetSocketAddress(8081));
        return worker;
    }

    static LocalChannel threadsWithSlots(SlotSeries series) {
        return new LocalChannel("threads", 4, Map.of("sold", series.aroundWithOutcome((sold, run) -> {
            send(run.slot().orElseThrow().value() + " for " + sold);
            return Outcome.completed();
        })));
    }
}
