package dev.pawl.cli;

import dev.pawl.Batch;
import dev.pawl.Workflow;
import dev.pawl.admin.Admin;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.JobChange;
import java.util.Locale;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        mixinStandardHelpOptions = true,
        description = "Stop jobs: waiting ones at once, running ones within seconds.",
        subcommands = {
            CancelCommand.One.class,
            CancelCommand.Many.class,
            CancelCommand.OfBatch.class,
            CancelCommand.OfWorkflow.class,
            CancelCommand.OfFailures.class
        })
final class CancelCommand {
    /** Counts the parts of a workflow, or of a batch with nested batches; each part may have many jobs. */
    private static BulkOptions.Extent unfinished(String what, BatchInfo info) {
        long left = info.jobs() - info.ended();
        return new BulkOptions.Extent(
                left,
                String.format(
                        Locale.ROOT,
                        "%,d of the %,d jobs or parts of %s, %s, have not ended",
                        left,
                        info.jobs(),
                        what,
                        Texts.cut(info.name())));
    }

    private static Wanted cancelled() {
        return new Wanted(new JobChange.Cancel(), "is cancelled", "are cancelled, or asked to stop");
    }

    @Command(name = "job", mixinStandardHelpOptions = true, description = "Stop jobs by their ids.")
    static final class One extends ChangeJob {
        @Override
        Wanted wanted() {
            return cancelled();
        }

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                Admin admin = session.queue().admin();
                return new JobResults<CancelResult>(ids(), admin.jobs()::cancel)
                        .print(
                                this,
                                answer -> answer == CancelResult.CANCELLED || answer == CancelResult.REQUESTED,
                                answer -> switch (answer) {
                                    case CANCELLED -> "is cancelled";
                                    case REQUESTED -> "is running; its worker has been asked to stop it";
                                    case IN_TRANSACTION ->
                                        "is in the transaction of its handler and cannot be stopped now; try again";
                                    case ALREADY_FINISHED -> "had finished before; nothing was changed";
                                    case NOT_FOUND -> "does not exist (or it was pruned)";
                                });
            }
        }
    }

    @Command(name = "jobs", mixinStandardHelpOptions = true, description = "Stop all jobs that match.")
    static final class Many extends ChangeJobs {
        @Override
        Wanted wanted() {
            return cancelled();
        }
    }

    @Command(
            name = "batch",
            mixinStandardHelpOptions = true,
            description =
                    "Cancel all waiting jobs of a batch and of the batches within it, and ask running ones to stop.")
    static final class OfBatch extends OneBatch {
        @Mixin
        private BulkOptions bulk = new BulkOptions();

        @Override
        int change(Batch batch) {
            OptionalInt refusal = bulk.refusal(
                    this,
                    asJson(batch, 0),
                    () -> unfinished("batch " + batch.id(), batch.info().orElseThrow()));
            if (refusal.isPresent()) {
                return refusal.getAsInt();
            }
            long cancelled = batch.cancel();
            report(
                    asJson(batch, cancelled),
                    "batch " + batch.id() + ": " + cancelled + " job(s) cancelled or asked to stop");
            return 0;
        }

        private static Object asJson(Batch batch, long cancelled) {
            return JsonForm.object("batchId", batch.id(), "cancelled", cancelled);
        }
    }

    @Command(
            name = "workflow",
            mixinStandardHelpOptions = true,
            description = "Cancel all waiting jobs of a workflow, and ask running ones to stop.")
    static final class OfWorkflow extends CliCommand {
        @Parameters(paramLabel = "ID", description = "The workflow's number, see 'pawl workflows'.")
        private long id;

        @Mixin
        private BulkOptions bulk = new BulkOptions();

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                Workflow workflow = WorkflowCommand.find(session.queue(), id);
                OptionalInt refusal = bulk.refusal(
                        this,
                        JsonForm.object("workflowId", id, "cancelled", 0),
                        () -> unfinished(
                                "workflow " + id, workflow.info().orElseThrow().whole()));
                if (refusal.isPresent()) {
                    return refusal.getAsInt();
                }
                long cancelled = workflow.cancel();
                report(
                        JsonForm.object("workflowId", id, "cancelled", cancelled),
                        "workflow " + id + ": " + cancelled + " job(s) cancelled or asked to stop");
                return 0;
            }
        }
    }

    @Command(
            name = "failures",
            mixinStandardHelpOptions = true,
            description = "Cancel all jobs of a group of failures that wait for a retry.")
    static final class OfFailures extends FailureGroupCommand {
        @Override
        public Integer call() {
            return change(new JobChange.Cancel(), "are cancelled");
        }
    }
}
