package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.JobChange;
import java.util.Locale;
import java.util.OptionalInt;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Base of the commands that change the jobs of a group of failures. */
abstract class FailureGroupCommand extends CliCommand {
    @Parameters(paramLabel = "GROUP", description = "As 'pawl failures' lists it.")
    private String id = "";

    @Mixin
    private BulkOptions bulk = new BulkOptions();

    /** {@return the exit code: 0 if all jobs were changed, 1 if some were not, or the refusal's code} */
    final int change(JobChange change, String what) {
        try (DatabaseOptions.Session session = database().openExisting()) {
            Admin admin = session.queue().admin();
            OptionalInt refusal = bulk.refusal(this, asJson(new ChangeResult(0, 0)), () -> extent(admin, change));
            if (refusal.isPresent()) {
                return refusal.getAsInt();
            }
            ChangeResult result;
            try (ProgressBar progress = new ProgressBar(err(), "jobs", 0, output().isJson())) {
                result = admin.runs().changeFailures(id, change, progress::show);
            }
            if (result.changed() + result.left() == 0) {
                FailureGroup unused = find(admin);
            }
            report(
                    asJson(result),
                    String.format(Locale.ROOT, "%,d job(s) of group %s %s", result.changed(), id, what)
                            + (result.left() == 0
                                    ? ""
                                    : String.format(
                                            Locale.ROOT,
                                            "; %,d skipped: changed by others, or a live job has the unique key",
                                            result.left())));
            return result.left() == 0 ? 0 : 1;
        }
    }

    private Object asJson(ChangeResult result) {
        return JsonForm.object("group", id, "changed", result.changed(), "left", result.left());
    }

    private BulkOptions.Extent extent(Admin admin, JobChange change) {
        FailureGroup group = find(admin);
        int discarded = change instanceof JobChange.Cancel ? 0 : group.discardedJobs();
        int waiting = group.waitingJobs();
        String words = String.format(
                Locale.ROOT, "%,d job(s) of group %s, %s: ", discarded + waiting, group.id(), Texts.cut(group.cause()));
        String states = discarded == 0
                ? "waiting for a retry"
                : String.format(Locale.ROOT, "%,d discarded, %,d waiting for a retry", discarded, waiting);
        return new BulkOptions.Extent((long) discarded + waiting, words + states);
    }

    private FailureGroup find(Admin admin) {
        return admin.runs().failures(null, null, Admin.UNLIMITED).stream()
                .filter(group -> group.id().equalsIgnoreCase(id))
                .findFirst()
                .orElseThrow(() ->
                        new NotFoundException("there is no group " + id + " of failures: 'pawl failures' lists them"));
    }
}
