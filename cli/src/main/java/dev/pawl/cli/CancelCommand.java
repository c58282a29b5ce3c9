package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.JobChange;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        mixinStandardHelpOptions = true,
        description = "Stop jobs: waiting ones at once, running ones within seconds.")
final class CancelCommand extends CliCommand {
    @Parameters(arity = "0..*", paramLabel = "ID", description = "The jobs' ids.")
    private List<Long> ids = new ArrayList<>();

    @Mixin
    private MatchingOptions matching = new MatchingOptions();

    @Override
    public Integer call() {
        boolean all = matching.isMeant(ids);
        try (DatabaseOptions.Session session = database().openExisting()) {
            Admin admin = session.queue().admin();
            if (all) {
                return matching.change(this, admin, new JobChange.Cancel(), "are cancelled, or asked to stop");
            }
            return new JobResults<CancelResult>(ids, admin.jobs()::cancel)
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
