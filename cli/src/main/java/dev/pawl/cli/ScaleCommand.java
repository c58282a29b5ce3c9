package dev.pawl.cli;

import dev.pawl.admin.Admin;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        description = {
            "Have a worker, or all of a queue, run another number of jobs at once; running jobs go on.",
            "  pawl workers scale 17 40",
            "  pawl workers scale --queue mail 5",
            "No more than their programs allow (pawl work --max-concurrency). A restarted worker runs as many as its",
            "program says. For none at all, see 'pawl workers quiet'."
        })
final class ScaleCommand extends CliCommand {
    @Parameters(
            arity = "1..2",
            paramLabel = "[ID] N",
            description = "The worker, see 'pawl workers', unless --queue names all of a queue; and how many jobs at"
                    + " once, 1 to what its program allows, 10000 at most.")
    private long[] numbers = {};

    @Option(
            names = "--queue",
            paramLabel = "QUEUE",
            description = "All workers of this queue, each as far as its program allows.")
    private @Nullable String queue;

    @Override
    public Integer call() {
        if (numbers.length != (queue == null ? 2 : 1)) {
            throw new UsageException("give either a worker and a number, or --queue and a number");
        }
        int concurrency = (int) Math.max(-1, Math.min(Integer.MAX_VALUE, numbers[numbers.length - 1]));
        try (DatabaseOptions.Session session = database().openExisting()) {
            Admin admin = session.queue().admin();
            if (queue == null) {
                one(admin, numbers[0], concurrency);
            } else {
                all(admin, queue, concurrency);
            }
        }
        return 0;
    }

    private void one(Admin admin, long id, int concurrency) {
        if (!admin.workers().scale(id, concurrency)) {
            throw new NotFoundException("there is no worker " + id + ", or it has stopped");
        }
        report(
                JsonForm.object("workerId", id, "concurrency", concurrency),
                "worker " + id + " runs " + concurrency + " at once within ten seconds");
    }

    private void all(Admin admin, String name, int concurrency) {
        SortedMap<Long, Integer> scaled = admin.workers().scaleQueue(name, concurrency);
        if (scaled.isEmpty()) {
            throw new NotFoundException("queue " + name + " has no live worker that can be scaled");
        }
        StringBuilder text = new StringBuilder();
        scaled.forEach((id, to) -> text.append(text.isEmpty() ? "" : "\n")
                .append("worker ")
                .append(id)
                .append(" runs ")
                .append(to)
                .append(" at once within ten seconds")
                .append(to < concurrency ? ", which is all that its program allows" : ""));
        List<Object> workers = new ArrayList<>();
        scaled.forEach((id, to) -> workers.add(JsonForm.object("workerId", id, "concurrency", to)));
        report(JsonForm.object("queue", name, "workers", workers), text.toString());
    }
}
