package dev.pawl.cli;

import dev.pawl.Batch;
import dev.pawl.Workflow;
import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.JobChange;
import picocli.CommandLine.Command;
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
        @Override
        void change(Batch batch) {
            long cancelled = batch.cancel();
            report(
                    JsonForm.object("batchId", batch.id(), "cancelled", cancelled),
                    "batch " + batch.id() + ": " + cancelled + " job(s) cancelled or asked to stop");
        }
    }

    @Command(
            name = "workflow",
            mixinStandardHelpOptions = true,
            description = "Cancel all waiting jobs of a workflow, and ask running ones to stop.")
    static final class OfWorkflow extends CliCommand {
        @Parameters(paramLabel = "ID", description = "The workflow's number, see 'pawl workflows'.")
        private long id;

        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                Workflow workflow = WorkflowCommand.find(session.queue(), id);
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
