package dev.pawl.cli;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import picocli.CommandLine.Parameters;

/** Base of the commands that change one batch. */
abstract class OneBatch extends CliCommand {
    @Parameters(paramLabel = "ID", description = "The batch's number, see 'pawl batches'.")
    private long id;

    /** Changes the batch and reports it; returns the exit code. */
    abstract int change(Batch batch);

    @Override
    public final Integer call() {
        try (DatabaseOptions.Session session = database().openExisting()) {
            return change(find(session.queue(), id));
        }
    }

    static Batch find(JobQueue queue, long id) {
        Batch batch = queue.batch(id);
        if (batch.info().isEmpty()) {
            throw new NotFoundException("there is no batch " + id + " (or it was pruned)");
        }
        return batch;
    }
}
