package dev.pawl;

import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobFilter;
import dev.pawl.internal.engine.Handlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads payloads without running their jobs. Confined to one thread. */
final class PayloadReader {
    private static final int PAGE = 50;
    private static final int MOST_EXAMPLES = 100;
    private static final int MOST_KINDS = 1_000;

    private final JobAdmin admin;
    private final Handlers handlers;
    private final List<PayloadCheck.Unreadable> examples = new ArrayList<>();
    private final Set<String> kinds;
    private final Map<String, Long> unhandled = new HashMap<>();
    private long read;
    private long unreadable;

    PayloadReader(JobAdmin admin, Handlers handlers) {
        this.admin = admin;
        this.handlers = handlers;
        this.kinds = Set.copyOf(handlers.kinds());
    }

    PayloadCheck check() {
        for (JobState state : List.of(JobState.AVAILABLE, JobState.RUNNING)) {
            JobFilter filter = JobFilter.ALL.state(state).limit(PAGE);
            List<Job> page = admin.list(filter);
            while (!page.isEmpty()) {
                page.forEach(this::look);
                page = admin.list(filter.before(page.get(page.size() - 1).id()));
            }
        }
        return new PayloadCheck(read, unreadable, examples, unhandled);
    }

    private void look(Job job) {
        if (kinds.contains(job.kind())) {
            read(job);
        } else if (unhandled.size() < MOST_KINDS || unhandled.containsKey(job.kind())) {
            unhandled.merge(job.kind(), 1L, Long::sum);
        }
    }

    private void read(Job job) {
        try {
            handlers.read(job.kind(), job.payload());
            read++;
        } catch (RuntimeException e) { // whatever the codec, or a constructor of the payload's, throws
            unreadable++;
            if (examples.size() < MOST_EXAMPLES) {
                examples.add(new PayloadCheck.Unreadable(job.id(), job.kind(), String.valueOf(e.getMessage())));
            }
        }
    }
}
