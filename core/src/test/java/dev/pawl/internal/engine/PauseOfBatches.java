package dev.pawl.internal.engine;

import dev.pawl.internal.store.ClaimFilter;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Pauses the jobs of the batches that the settings name. */
final class PauseOfBatches implements ClaimFilter {
    private volatile Set<Long> paused = Set.of();

    @Override
    public void read(JobStore.Settings settings) {
        paused = settings.paused();
    }

    private boolean isPaused(Grant grant) {
        return paused.contains(grant.job().batch().orElse(0));
    }

    @Override
    public boolean needsFreshSettings(List<Grant> claimed) {
        return claimed.stream().anyMatch(this::isPaused);
    }

    @Override
    public Map<Long, Verdict> refuse(List<Grant> claimed) {
        Function<Grant, Verdict> pause = grant -> new Verdict.Pause();
        return claimed.stream()
                .filter(this::isPaused)
                .collect(Collectors.toMap(grant -> grant.job().id(), pause));
    }
}
