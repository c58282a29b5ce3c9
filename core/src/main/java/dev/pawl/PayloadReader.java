package dev.pawl;

import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobFilter;
import dev.pawl.internal.engine.Handlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** Reads payloads without running their jobs. Holds one page of jobs at a time. Confined to one thread. */
final class PayloadReader {
    private static final int PAGE = 50;
    private static final int MOST_EXAMPLES = 100;
    private static final int MOST_EXAMPLES_OF_KIND = 10;
    private static final int MOST_KINDS = 1_000;
    private static final int LONGEST_REASON = 500;

    private final JobAdmin admin;
    private final Handlers handlers;
    private final LongConsumer progress;
    private final List<PayloadCheck.Unreadable> examples = new ArrayList<>();
    private final Set<String> kinds;
    private final Map<String, Counts> counts = new TreeMap<>();
    private final Map<String, Long> unhandled = new HashMap<>();
    private long looked;

    private static final class Counts {
        long read;
        long unreadable;
    }

    /** @param progress is told how many jobs were looked at */
    PayloadReader(JobAdmin admin, Handlers handlers, LongConsumer progress) {
        this.admin = admin;
        this.handlers = handlers;
        this.progress = progress;
        this.kinds = Set.copyOf(handlers.kinds());
    }

    PayloadCheck check() {
        for (JobState state : List.of(JobState.AVAILABLE, JobState.RUNNING)) {
            JobFilter filter = JobFilter.ALL.state(state).limit(PAGE);
            List<Job> page = admin.list(filter);
            while (!page.isEmpty()) {
                page.forEach(this::look);
                looked += page.size();
                progress.accept(looked);
                page = admin.list(filter.before(page.get(page.size() - 1).id()));
            }
        }
        List<PayloadCheck.OfKind> byKind = counts.entrySet().stream()
                .map(each -> new PayloadCheck.OfKind(each.getKey(), each.getValue().read, each.getValue().unreadable))
                .toList();
        return new PayloadCheck(
                byKind.stream().mapToLong(PayloadCheck.OfKind::read).sum(),
                byKind.stream().mapToLong(PayloadCheck.OfKind::unreadable).sum(),
                byKind,
                examples,
                unhandled,
                newer());
    }

    private Set<String> newer() {
        Set<String> known = kinds.stream().map(JobType::withoutVersion).collect(Collectors.toSet());
        return unhandled.keySet().stream()
                .filter(kind -> known.contains(JobType.withoutVersion(kind)))
                .collect(Collectors.toSet());
    }

    private void look(Job job) {
        if (kinds.contains(job.kind())) {
            read(job);
        } else if (unhandled.size() < MOST_KINDS || unhandled.containsKey(job.kind())) {
            unhandled.merge(job.kind(), 1L, Long::sum);
        }
    }

    private void read(Job job) {
        Counts ofKind = counts.computeIfAbsent(job.kind(), kind -> new Counts());
        try {
            handlers.read(job.kind(), job.payload());
            ofKind.read++;
        } catch (RuntimeException | LinkageError | StackOverflowError e) { // of the codec, or of the payload's class
            ofKind.unreadable++;
            if (examples.size() < MOST_EXAMPLES && ofKind.unreadable <= MOST_EXAMPLES_OF_KIND) {
                examples.add(new PayloadCheck.Unreadable(job.id(), job.kind(), reason(e)));
            }
        }
    }

    private static String reason(Throwable error) {
        String text =
                error instanceof RuntimeException && error.getMessage() != null ? error.getMessage() : error.toString();
        return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON - 1) + "…";
    }
}
