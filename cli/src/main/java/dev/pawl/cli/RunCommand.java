package dev.pawl.cli;

import dev.pawl.api.EnqueueResult;
import picocli.CommandLine.Command;

@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Enqueue a job of a schedule now, out of turn.",
        subcommands = RunCommand.OfSchedule.class)
final class RunCommand {
    @Command(
            name = "schedule",
            mixinStandardHelpOptions = true,
            description = "Enqueue a job of a schedule now, out of turn.")
    static final class OfSchedule extends OneSchedule {
        @Override
        public Integer call() {
            try (DatabaseOptions.Session session = database().openExisting()) {
                EnqueueResult result =
                        session.queue().schedules().runNow(name()).orElseThrow(() -> unknown(session));
                boolean inserted = result instanceof EnqueueResult.Inserted;
                report(
                        JsonForm.object(
                                "schedule",
                                name(),
                                "jobId",
                                result.jobId(),
                                "result",
                                inserted ? "inserted" : "duplicate"),
                        inserted
                                ? "job " + result.jobId() + " is enqueued"
                                : "job " + result.jobId() + " of the schedule has not ended: nothing is enqueued");
                return inserted ? 0 : 1;
            }
        }
    }
}
