package dev.pawl.conformance.contract;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.SlotSeries;
import dev.pawl.Worker;
import dev.pawl.admin.Tuning;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.servers.TestDatabase;
import java.time.Duration;

/** Uses several features once, with a locale that writes numbers with other digits. */
final class PersianProgram {
    private PersianProgram() {}

    /**
     * @param arguments JDBC URL
     * @throws Exception if a feature fails
     */
    @SuppressWarnings("DefaultLocale") // on purpose
    public static void main(String[] arguments) throws Exception {
        try (HikariDataSource pool = new TestDatabase(arguments[0], () -> {}).newDataSource(6);
                JobQueue queue = JobQueue.open(pool)) {
            if (queue.describe().startsWith("postgresql")) {
                queue.admin()
                        .maintenance()
                        .tune(Tuning.NOTHING.historyByDay(true).livePartitions(2));
            }
            SlotSeries series = queue.slots().series("places").next(last -> last == null ? "1" : last + "1");
            series.reserve().clear();
            queue.admin().queues().setStrategy("other", Strategy.optimistic(10, Strategy.Pick.EXPONENTIAL));
            for (String name : new String[] {"default", "other"}) {
                queue.enqueue(
                        Fixture.GREET,
                        "you",
                        EnqueueOptions.DEFAULTS.queue(name).priority(7));
            }
            try (Worker worker = Worker.on(queue)
                    .queues("default", "other")
                    .handle(Fixture.GREET, series.around((name, run) -> run.transaction(connection -> {})))
                    .start()) {
                worker.awaitIdle(Duration.ofSeconds(30));
                System.out.println("completed " + worker.stats().completed());
            }
            System.out.println("last " + series.lastUsed().orElse("none"));
            queue.admin().maintenance().diagnose();
            System.out.println(
                    "pruned " + queue.admin().maintenance().prune(Retention.DEFAULTS.completed(Duration.ZERO)));
            System.out.println("two is " + String.format("%d", 2));
        }
    }
}
