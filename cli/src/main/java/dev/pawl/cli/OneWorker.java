package dev.pawl.cli;

import dev.pawl.api.WorkerCommand;
import picocli.CommandLine.Parameters;

/** Base of the commands for one worker. */
abstract class OneWorker extends CliCommand {
    @Parameters(paramLabel = "ID", description = "The worker's id, see 'pawl workers'.")
    private long id;

    final int command(WorkerCommand command, String what) {
        try (DatabaseOptions.Session session = database().openExisting()) {
            if (!session.queue().admin().workers().command(id, command)) {
                throw new NotFoundException("there is no worker " + id + ", or it has stopped");
            }
            report(
                    JsonForm.object("workerId", id, "command", command),
                    "worker " + id + " " + what + " within ten seconds");
            return 0;
        }
    }
}
