package dev.pawl.cli;

import dev.pawl.admin.Admin;
import dev.pawl.admin.ChangeResult;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Selects jobs, and changes all that match. */
final class MatchingOptions {
    @Option(names = "--everything", description = "Really all jobs, of every queue and kind.")
    private boolean everything;

    @Option(names = "--dry-run", description = "Only say how many jobs match, by state.")
    private boolean dryRun;

    @Mixin
    private BulkOptions bulk = new BulkOptions();

    @Mixin
    private FilterOptions which = new FilterOptions();

    /**
     * Checks that the options say which jobs.
     *
     * @throws UsageException if they do not
     */
    void check() {
        if (everything && which.isGiven()) {
            throw new UsageException("--everything means all jobs: it takes no options that select jobs");
        }
        if (!everything && !which.isGiven() && !dryRun) {
            throw new UsageException(
                    "give an option that selects jobs, such as --queue or --kind; for really all of them give --everything");
        }
    }

    private static String left(JobChange change) {
        return change instanceof JobChange.Erase
                ? "; not yet: %,d, running and asked to stop, or locked by a transaction; erase again in a moment"
                : change instanceof JobChange.Retry
                        ? "; %,d were skipped: locked by another transaction, or a live job has their unique key"
                        : change instanceof JobChange.Cancel
                                ? "; %,d were skipped: locked by another transaction, or in the transaction of their handler"
                                : "; %,d were skipped: locked by another transaction";
    }

    /** {@return how many jobs a change affects, by state; without states that have none} */
    private static Map<String, Long> byState(Admin admin, JobFilter filter, JobChange change) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (JobState state : JobState.values()) {
            List<JobState> others =
                    Stream.of(JobState.values()).filter(other -> other != state).toList();
            // Excludes the other states instead of naming this one, because a retry also takes jobs that have not
            // failed if the filter names their state.
            JobFilter one = filter.states(filter.states().without(others));
            long count = filter.states().fits(state)
                    ? admin.jobs().count(one, change, Admin.NO_TIMEOUT).jobs()
                    : 0;
            if (count > 0) {
                counts.put(state.name().toLowerCase(Locale.ROOT), count);
            }
        }
        return counts;
    }

    private static String leftAlone(JobFilter filter, JobChange change) {
        boolean isAny = Stream.of(JobState.COMPLETED, JobState.CANCELLED, JobState.AVAILABLE)
                .anyMatch(
                        state -> filter.states().fits(state) && !filter.states().names(state));
        return isAny && change instanceof JobChange.Retry
                ? "; those that have not failed are left alone unless --state names their state"
                : "";
    }

    private static long sum(Map<String, Long> byState) {
        return byState.values().stream().mapToLong(count -> count).sum();
    }

    private static String words(Map<String, Long> byState) {
        String states = byState.entrySet().stream()
                .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
                .collect(Collectors.joining(", "));
        return String.format(Locale.ROOT, "%,d job(s) match", sum(byState)) + (states.isEmpty() ? "" : ": " + states);
    }

    /** {@return the exit code: 1 if some jobs were skipped} */
    int change(CliCommand command, Admin admin, JobChange change, String done) {
        JobFilter filter = which.filter();
        if (dryRun) {
            Map<String, Long> byState = byState(admin, filter, change);
            long matching = sum(byState);
            command.report(
                    JsonForm.object("matching", matching, "byState", byState),
                    words(byState) + leftAlone(filter, change) + "; nothing was changed");
            return 0;
        }
        AtomicLong total = new AtomicLong();
        OptionalInt refusal = bulk.refusal(command, new ChangeResult(0, 0), () -> {
            Map<String, Long> byState = byState(admin, filter, change);
            total.set(sum(byState));
            return new BulkOptions.Extent(total.get(), words(byState) + leftAlone(filter, change));
        });
        if (refusal.isPresent()) {
            return refusal.getAsInt();
        }
        ChangeResult result;
        try (ProgressBar progress = new ProgressBar(
                command.err(), "jobs", total.get(), command.output().isJson())) {
            result = admin.jobs().changeAll(filter, change, changed -> {
                progress.set(changed);
                progress.show(changed);
            });
        }
        String left = result.left() == 0 ? "" : String.format(Locale.ROOT, left(change), result.left());
        command.report(result, String.format(Locale.ROOT, "%,d job(s) %s%s", result.changed(), done, left));
        return result.left() == 0 ? 0 : 1;
    }
}
