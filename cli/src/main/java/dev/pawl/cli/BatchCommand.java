package dev.pawl.cli;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.admin.BatchInfo;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "batch",
        mixinStandardHelpOptions = true,
        description =
                "Show a batch as a tree: how far it and the batches within it are, and the jobs that have not completed.")
final class BatchCommand extends CliCommand {
    /** Maximum nesting depth shown; real batches are less deep. */
    private static final int DEEPEST = 20;

    private static final int MAX = 100;
    private static final int MAX_EXAMINED = 1_000;

    @Parameters(paramLabel = "ID", description = "The batch's number.")
    private long id;

    @Override
    public Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            JobQueue queue = session.queue();
            Batch batch = queue.batch(id);
            BatchInfo info = batch.info()
                    .orElseThrow(() -> new NotFoundException("there is no batch " + id + " (or it was pruned)"));
            if (output().isJson()) {
                output().json(out(), tree(queue, info, 0));
            } else {
                print(queue, info, "");
            }
            return 0;
        }
    }

    private static Map<String, @Nullable Object> tree(JobQueue queue, BatchInfo info, int depth) {
        Map<String, @Nullable Object> fields = BatchesCommand.asJson(info);
        List<Object> inner = new ArrayList<>();
        if (depth < DEEPEST) {
            queue.batch(info.id()).batches(MAX_EXAMINED).forEach(each -> inner.add(tree(queue, each, depth + 1)));
        }
        fields.put("batches", inner);
        return fields;
    }

    private void print(JobQueue queue, BatchInfo info, String indent) {
        out().println(indent + "batch " + info.id() + " " + Texts.cut(info.name()) + ": " + info.state() + ", "
                + info.completed() + " of " + info.jobs() + " completed"
                + (info.failed() > 0 ? ", " + info.failed() + " failed" : "")
                + (info.cancelled() > 0 ? ", " + info.cancelled() + " cancelled" : "")
                + (info.sealedAt() == null ? "; not sealed, so more may come" : ""));
        String deeper = indent + "  ";
        if (deeper.length() > 2 * DEEPEST) {
            out().println(deeper + "… deeper ones: pawl batch " + info.id());
            return;
        }
        queue.batch(info.id()).batches(MAX).forEach(inner -> print(queue, inner, deeper));
        int shown = 0;
        for (Job job : queue.batch(info.id()).jobs(0, MAX_EXAMINED)) {
            if (job.state() != JobState.COMPLETED && shown++ < MAX) {
                out().println(deeper + "job " + job.id() + " " + job.kind() + ": " + Texts.state(job)
                        + (job.reason() == null ? "" : ", " + Texts.cut(job.reason())));
            }
        }
        if (info.jobs() > MAX_EXAMINED || shown > MAX) {
            out().println(deeper + "… of its first " + MAX_EXAMINED + " jobs, the first " + MAX
                    + " that have not completed");
        }
    }
}
