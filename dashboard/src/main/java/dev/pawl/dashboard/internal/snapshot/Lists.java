package dev.pawl.dashboard.internal.snapshot;

import dev.pawl.admin.Admin;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.JobPage;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lists of jobs without payloads, each queried once for all viewers of the same list. The most recently requested lists
 * are kept, up to a number of jobs. Thread-safe.
 */
public final class Lists {
    private static final int MAX_LISTS = 50;
    /** Longer lists are for programs, which do not poll. */
    private static final int LONGEST = 200;

    private final Admin admin;
    private final Map<JobFilter, Cached<JobPage>> kept = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobFilter, Cached<JobPage>> eldest) {
            return size() > MAX_LISTS;
        }
    };

    Lists(Admin admin) {
        this.admin = admin;
    }

    /** {@return some of the jobs that match} */
    public JobPage of(JobFilter filter) {
        return filter.limit() > LONGEST
                ? admin.jobs().page(filter)
                : shared(filter).get();
    }

    private Cached<JobPage> shared(JobFilter filter) {
        synchronized (kept) {
            return kept.computeIfAbsent(
                    filter, wanted -> new Cached<>(() -> admin.jobs().page(wanted), System::nanoTime));
        }
    }

    /** Discards all lists. */
    void forget() {
        synchronized (kept) {
            kept.clear();
        }
    }
}
