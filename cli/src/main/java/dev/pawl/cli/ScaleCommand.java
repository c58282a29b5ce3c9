package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.WorkerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        description = "Have a worker, or all of a queue, run another number of jobs at once. Running jobs go on.",
        subcommands = {ScaleCommand.OfWorker.class, ScaleCommand.OfQueue.class})
final class ScaleCommand {
    private static final String BOUNDS =
            "No more than their programs allow (pawl work --max-concurrency). A restarted worker runs as many as its program"
                    + " says. For none at all, see 'pawl pause worker'.";

    private static final String NUMBER = "How many jobs at once, 1 to what the program allows, 10000 at most.";

    private static int bounded(long number) {
        return (int) Math.max(-1, Math.min(Integer.MAX_VALUE, number));
    }

    @Command(
            name = "worker",
            mixinStandardHelpOptions = true,
            description = {"Have a worker run another number of jobs at once. Running jobs go on.", BOUNDS})
    static final class OfWorker extends CliCommand {
        @Parameters(index = "0", paramLabel = "ID", description = "The worker's id, see 'pawl workers'.")
        private long id;

        @Parameters(index = "1", paramLabel = "N", description = NUMBER)
        private long number;

        @Override
        public Integer call() {
            int concurrency = bounded(number);
            try (DatabaseOptions.Session session = database().openExisting()) {
                if (!session.queue().admin().workers().scale(id, concurrency)) {
                    throw new NotFoundException("there is no worker " + id + ", or it has stopped");
                }
                report(
                        JsonForm.object("workerId", id, "concurrency", concurrency),
                        "worker " + id + " runs " + concurrency + " at once within ten seconds");
                return 0;
            }
        }
    }

    @Command(
            name = "queue",
            mixinStandardHelpOptions = true,
            description = {
                "Have all workers of a queue run another number of jobs at once, each as far as its program allows.",
                BOUNDS
            })
    static final class OfQueue extends CliCommand {
        @Parameters(index = "0", paramLabel = "QUEUE", description = "The queue's name.")
        private String name = "";

        @Parameters(index = "1", paramLabel = "N", description = NUMBER)
        private long number;

        @Mixin
        private BulkOptions bulk = new BulkOptions();

        @Override
        public Integer call() {
            int concurrency = bounded(number);
            try (DatabaseOptions.Session session = database().openExisting()) {
                Admin admin = session.queue().admin();
                OptionalInt refusal = bulk.refusal(this, asJson(new TreeMap<>()), () -> extent(admin));
                if (refusal.isPresent()) {
                    return refusal.getAsInt();
                }
                SortedMap<Long, Integer> scaled = admin.workers().scaleQueue(name, concurrency);
                if (scaled.isEmpty()) {
                    throw new NotFoundException("queue " + name + " has no live worker that can be scaled");
                }
                report(asJson(scaled), words(scaled, concurrency));
                return 0;
            }
        }

        private BulkOptions.Extent extent(Admin admin) {
            List<WorkerInfo> workers = admin.workers().list().stream()
                    .filter(worker -> worker.alive() && worker.queues().contains(name))
                    .toList();
            int now = workers.stream().mapToInt(WorkerInfo::concurrency).sum();
            return new BulkOptions.Extent(
                    workers.size(),
                    String.format(
                            Locale.ROOT,
                            "queue %s has %,d live worker(s), which run %,d jobs at once, and would run up to %,d each",
                            name,
                            workers.size(),
                            now,
                            number));
        }

        private static String words(SortedMap<Long, Integer> scaled, int concurrency) {
            StringBuilder text = new StringBuilder();
            scaled.forEach((id, to) -> text.append(text.isEmpty() ? "" : "\n")
                    .append("worker ")
                    .append(id)
                    .append(" runs ")
                    .append(to)
                    .append(" at once within ten seconds")
                    .append(to < concurrency ? ", which is all that its program allows" : ""));
            return text.toString();
        }

        private Object asJson(SortedMap<Long, Integer> scaled) {
            List<Object> workers = new ArrayList<>();
            scaled.forEach((id, to) -> workers.add(JsonForm.object("workerId", id, "concurrency", to)));
            return JsonForm.object("queue", name, "workers", workers);
        }
    }
}
