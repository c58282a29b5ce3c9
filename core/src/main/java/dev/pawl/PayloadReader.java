package dev.pawl;

import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.api.PayloadCheck;
import dev.pawl.internal.admin.LiveJobs;
import dev.pawl.internal.batch.UpcomingCallbacks;
import dev.pawl.internal.engine.Handlers;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Failures;
import dev.pawl.schedule.ScheduleInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** Decodes payloads without running their jobs. Holds one page of jobs at a time. Confined to one thread. */
final class PayloadReader {
    private static final int PAGE = 50;
    private static final int MAX_EXAMPLES = 100;
    private static final int MAX_EXAMPLES_OF_KIND = 10;
    private static final int MAX_KINDS = 1_000;
    private static final int LONGEST_REASON = 500;

    private final LiveJobs jobs;
    private final UpcomingCallbacks callbacks;
    private final List<ScheduleInfo> schedules;
    private final Handlers handlers;
    private final LongConsumer progress;
    private final List<PayloadCheck.Unreadable> examples = new ArrayList<>();
    private final List<PayloadCheck.ToCome> toCome = new ArrayList<>();
    private final Set<String> kinds;
    private final Map<String, Counts> counts = new TreeMap<>();
    private final Map<String, Long> unhandled = new HashMap<>();

    private static final class Counts {
        long read;
        long unreadable;
        int examples;
        int toCome;
    }

    /**
     * @param schedules the schedules whose payloads are to be checked
     * @param progress called with the number of jobs read so far
     */
    PayloadReader(Database database, List<ScheduleInfo> schedules, Handlers handlers, LongConsumer progress) {
        this.jobs = new LiveJobs(database);
        this.callbacks = new UpcomingCallbacks(database);
        this.schedules = schedules;
        this.handlers = handlers;
        this.progress = progress;
        this.kinds = Set.copyOf(handlers.kinds());
    }

    PayloadCheck check() {
        // Schedules and callbacks are checked before jobs. If one of them enqueues a job during the check, the payload
        // of this job has been checked here.
        schedules.forEach(this::check);
        checkCallbacks();
        checkJobs();
        List<PayloadCheck.OfKind> byKind = counts.entrySet().stream()
                .map(each -> new PayloadCheck.OfKind(each.getKey(), each.getValue().read, each.getValue().unreadable))
                .toList();
        return new PayloadCheck(
                byKind.stream().mapToLong(PayloadCheck.OfKind::read).sum(),
                byKind.stream().mapToLong(PayloadCheck.OfKind::unreadable).sum(),
                byKind,
                examples,
                toCome,
                unhandled,
                newer());
    }

    private Set<String> newer() {
        Set<String> known = kinds.stream().map(JobType::withoutVersion).collect(Collectors.toSet());
        return unhandled.keySet().stream()
                .filter(kind -> known.contains(JobType.withoutVersion(kind)))
                .collect(Collectors.toSet());
    }

    /** Pages by descending id; paging by state would repeat or miss a job whose state changes between pages. */
    private void checkJobs() {
        long checked = 0;
        for (List<Job> page = page(Long.MAX_VALUE);
                !page.isEmpty();
                page = page(page.get(page.size() - 1).id())) {
            for (Job job : page) {
                check(job.kind(), job.payload(), why -> example(job, why));
            }
            checked += page.size();
            progress.accept(checked);
        }
    }

    private List<Job> page(long below) {
        return Failures.wrapped("cannot read the payloads of jobs", () -> jobs.page(below, PAGE));
    }

    private void check(ScheduleInfo schedule) {
        check(schedule.kind(), schedule.payload(), why -> comes("schedule " + schedule.name(), schedule.kind(), why));
    }

    private void checkCallbacks() {
        UpcomingCallbacks.Page page = callbacksAfter(0);
        while (true) {
            for (UpcomingCallbacks.Upcoming one : page.callbacks()) {
                JobRequest job = one.job();
                check(
                        job.kind(),
                        job.payload(),
                        why -> comes("batch " + one.batch() + " (" + one.name() + ")", job.kind(), why));
            }
            if (page.isEnd()) {
                return;
            }
            page = callbacksAfter(page.last());
        }
    }

    private UpcomingCallbacks.Page callbacksAfter(long batch) {
        return Failures.wrapped("cannot read the callbacks of batches", () -> callbacks.after(batch, PAGE));
    }

    private void check(String kind, String payload, Consumer<String> unreadable) {
        if (kinds.contains(kind)) {
            read(kind, payload, unreadable);
        } else if (unhandled.size() < MAX_KINDS || unhandled.containsKey(kind)) {
            unhandled.merge(kind, 1L, Long::sum);
        }
    }

    private void read(String kind, String payload, Consumer<String> unreadable) {
        Counts ofKind = counts(kind);
        try {
            handlers.read(kind, payload);
            ofKind.read++;
        } catch (RuntimeException | LinkageError | StackOverflowError e) { // from the codec or payload class
            ofKind.unreadable++;
            unreadable.accept(reason(e));
        }
    }

    private Counts counts(String kind) {
        return counts.computeIfAbsent(kind, each -> new Counts());
    }

    private void example(Job job, String why) {
        if (examples.size() < MAX_EXAMPLES && ++counts(job.kind()).examples <= MAX_EXAMPLES_OF_KIND) {
            examples.add(new PayloadCheck.Unreadable(job.id(), job.kind(), why));
        }
    }

    private void comes(String from, String kind, String why) {
        if (toCome.size() < MAX_EXAMPLES && ++counts(kind).toCome <= MAX_EXAMPLES_OF_KIND) {
            toCome.add(new PayloadCheck.ToCome(from, kind, why));
        }
    }

    private static String reason(Throwable error) {
        String text =
                error instanceof RuntimeException && error.getMessage() != null ? error.getMessage() : error.toString();
        return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON - 1) + "…";
    }
}
