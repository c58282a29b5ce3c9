package dev.pawl.internal.log;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Jobs to which the same has happened, gathered until the log is told in one line for each cause. Thread-safe: guarded by itself. */
public final class JobsByCause {
    private final Map<String, Alike> causes = new LinkedHashMap<>();

    private record Alike(Set<Long> ids, @Nullable Throwable first) {}

    /**
     * @param cause what has happened, without the job
     * @param id the job
     */
    public void add(String cause, long id) {
        add(cause, id, null);
    }

    /**
     * @param cause what has happened, without the job
     * @param id the job
     * @param error of which the first for a cause is logged
     */
    public synchronized void add(String cause, long id, @Nullable Throwable error) {
        causes.computeIfAbsent(cause, text -> new Alike(new LinkedHashSet<>(), error))
                .ids
                .add(id);
    }

    /**
     * Forgets them, too.
     *
     * @param log gets a line for each cause, and the error if there is one
     */
    public void tell(BiConsumer<String, @Nullable Throwable> log) {
        Map<String, Alike> told;
        synchronized (this) {
            told = new LinkedHashMap<>(causes);
            causes.clear();
        }
        told.forEach((cause, alike) -> log.accept(JobIds.text(List.copyOf(alike.ids)) + ": " + cause, alike.first));
    }
}
