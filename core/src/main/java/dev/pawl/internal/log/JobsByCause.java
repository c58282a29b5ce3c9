package dev.pawl.internal.log;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Collects jobs with the same failure, to log one line per cause. Thread-safe: guarded by itself. */
public final class JobsByCause {
    private final Map<String, Alike> causes = new LinkedHashMap<>();

    private record Alike(Set<Long> ids, @Nullable Throwable first) {}

    /**
     * @param cause the failure, without the job
     * @param id the job
     */
    public void add(String cause, long id) {
        add(cause, id, null);
    }

    /**
     * @param cause the failure, without the job
     * @param id the job
     * @param error to log; only the first one of a cause is logged
     */
    public synchronized void add(String cause, long id, @Nullable Throwable error) {
        causes.computeIfAbsent(cause, text -> new Alike(new LinkedHashSet<>(), error))
                .ids
                .add(id);
    }

    /**
     * Logs the collected causes and forgets them.
     *
     * @param log receives a line for each cause, and the error if there is one
     */
    public void report(BiConsumer<String, @Nullable Throwable> log) {
        Map<String, Alike> collected;
        synchronized (this) {
            collected = new LinkedHashMap<>(causes);
            causes.clear();
        }
        collected.forEach(
                (cause, alike) -> log.accept(JobIds.text(List.copyOf(alike.ids)) + ": " + cause, alike.first));
    }
}
