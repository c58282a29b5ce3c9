package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobChange;
import java.util.Locale;
import picocli.CommandLine.Parameters;

/** Base of the commands that change the jobs of a group of failures. */
abstract class FailureGroupCommand extends CliCommand {
    @Parameters(paramLabel = "GROUP", description = "As 'pawl failures' lists it.")
    private String id = "";

    /** {@return the exit code: 1 if some jobs have changed in the meantime} */
    final int change(JobChange change, String what) {
        try (DatabaseOptions.Session session = database().openExisting()) {
            Admin admin = session.queue().admin();
            ChangeResult result;
            try (ProgressBar progress = new ProgressBar(err(), "jobs", 0, output().isJson())) {
                result = admin.runs().changeFailures(id, change, progress::show);
            }
            if (result.changed() + result.left() == 0) {
                requireThere(admin);
            }
            report(
                    JsonForm.object("group", id, "changed", result.changed(), "left", result.left()),
                    String.format(Locale.ROOT, "%,d job(s) of group %s %s", result.changed(), id, what)
                            + (result.left() == 0
                                    ? ""
                                    : String.format(
                                            Locale.ROOT,
                                            "; %,d have changed in the meantime, or a live job has their unique key",
                                            result.left())));
            return result.left() == 0 ? 0 : 1;
        }
    }

    private void requireThere(Admin admin) {
        if (admin.runs().failures(null, null, Admin.UNLIMITED).stream()
                .noneMatch(group -> group.id().equalsIgnoreCase(id))) {
            throw new NotFoundException("there is no group " + id + " of failures: 'pawl failures' lists them");
        }
    }
}
