package dev.pawl.cli;

import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Changes all jobs that match instead of some by their ids. */
final class MatchingOptions {
    @Option(
            names = "--all",
            description = "All jobs that match the options that choose jobs; at least one of them is needed.")
    private boolean all;

    @Option(names = "--everything", description = "Really all jobs, of every queue and kind. Instead of --all.")
    private boolean everything;

    @Option(names = "--dry-run", description = "With --all or --everything: only say how many jobs match.")
    private boolean dryRun;

    @Mixin
    private FilterOptions which = new FilterOptions();

    /** {@return whether all that match are meant; fails if ids are given as well, or neither} */
    boolean isMeant(List<Long> ids) {
        boolean many = all || everything;
        if (many && !ids.isEmpty()) {
            throw new UsageException("give ids or --all, not both");
        }
        if (everything && (all || which.isGiven())) {
            throw new UsageException(
                    "--everything means all jobs: give neither --all nor options that choose jobs with it");
        }
        if (!many && (which.isGiven() || dryRun)) {
            throw new UsageException("--dry-run and options that choose jobs need --all");
        }
        if (all && !which.isGiven() && !dryRun) {
            throw new UsageException(
                    "--all needs an option that chooses jobs, such as --queue or --kind; for really all of them give --everything");
        }
        if (!many && ids.isEmpty()) {
            throw new UsageException("give the jobs' ids, or --all with options that choose jobs");
        }
        return many;
    }

    private static String left(JobChange change) {
        return change instanceof JobChange.Erase
                ? "; %,d are left: they are running and were asked to stop, or are locked by somebody; erase again in a moment"
                : "; %,d were left as they are: locked by somebody, or a live job has their unique key";
    }

    /** {@return the exit code: 1 if some had to be left} */
    int change(CliCommand command, JobAdmin admin, JobChange change, String done) {
        JobFilter filter = which.filter();
        if (dryRun) {
            long matching = admin.countMatching(filter, change);
            command.tell(
                    Map.of("matching", matching),
                    String.format(Locale.ROOT, "%,d job(s) match; nothing was changed", matching));
            return 0;
        }
        ChangeResult result;
        try (ProgressBar progress =
                new ProgressBar(command.err(), "jobs", 0, command.output().isJson())) {
            result = admin.changeAll(filter, change, progress::show);
        }
        String left = result.left() == 0 ? "" : String.format(Locale.ROOT, left(change), result.left());
        command.tell(result, String.format(Locale.ROOT, "%,d job(s) %s%s", result.changed(), done, left));
        return result.left() == 0 ? 0 : 1;
    }
}
