package dev.pawl.specification.concurrent;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.specification.concurrent.History.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Each number of a series is used by at most one job. In the end no number is skipped, which is not checked if it is unknown which number a
 * completed job used.
 */
final class SlotsOnce implements Promise {
    @Override
    public List<String> brokenBy(History history) {
        List<String> broken = new ArrayList<>();
        TreeMap<Long, Long> used = new TreeMap<>();
        boolean isWhole = true;
        for (Map.Entry<Long, List<Run>> job : history.runsByJob().entrySet()) {
            Job last = history.last.get(job.getKey());
            boolean hasSlots = job.getValue().stream().anyMatch(run -> run.slot() != null);
            if (hasSlots && last != null && last.state() == JobState.COMPLETED) {
                Long slot = completed(history, last, job.getValue());
                Long other = slot == null ? null : used.put(slot, job.getKey());
                isWhole &= slot != null;
                if (other != null) {
                    broken.add("slot " + slot + " was used by the jobs " + other + " and " + job.getKey());
                }
            }
        }
        if (isWhole && !used.isEmpty() && used.lastKey() != used.size()) {
            broken.add("slots were left out: " + used);
        }
        return broken;
    }

    /** {@return the slot of the run that has completed a job; null if its worker got no confirmation} */
    private static @Nullable Long completed(History history, Job last, List<Run> runs) {
        return runs.stream()
                .filter(run -> history.endOf(run)
                        .map(end -> end.state() == JobState.COMPLETED)
                        .orElse(run.job().leaseToken() == last.leaseToken()))
                .map(Run::slot)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
