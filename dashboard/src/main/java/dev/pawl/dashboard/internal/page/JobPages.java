package dev.pawl.dashboard.internal.page;

import dev.pawl.JobQueue;
import dev.pawl.Workflow;
import dev.pawl.admin.Admin;
import dev.pawl.admin.FailedAttempt;
import dev.pawl.admin.FilterText;
import dev.pawl.admin.JobAssignment;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobCount;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.JobLogLine;
import dev.pawl.admin.JobPage;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Tick;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.change.MatchingChanges;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.json.JsonText;
import dev.pawl.dashboard.internal.snapshot.Filters;
import dev.pawl.dashboard.internal.snapshot.Payloads;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.dashboard.internal.web.Routes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The pages about jobs. */
final class JobPages {
    private static final int LONGEST_PAYLOAD = 200_000;
    /** Maximum number of attempts in the history. It is small, because pages reload the history repeatedly. */
    private static final int MAX_ATTEMPTS = 50;

    private static final int MAX_LINES = 500;
    /** Number of newest jobs from which suggestions for fields are taken. */
    private static final int NEWEST = 200;

    private static final Duration SHORT_COUNT = Duration.ofSeconds(2);
    private static final Duration LONG_COUNT = Duration.ofSeconds(30);
    /** Maximum number of concurrent full counts. */
    private static final int COUNTING = 2;

    private final Semaphore counting = new Semaphore(COUNTING);
    private final JobQueue queue;
    private final Admin admin;
    private final Snapshots snapshots;
    private final Payloads payloads;
    private final Links links;
    private final Templates templates;

    private JobPages(JobQueue queue, Snapshots snapshots, Payloads payloads, Links links, Templates templates) {
        this.queue = queue;
        this.admin = queue.admin();
        this.snapshots = snapshots;
        this.payloads = payloads;
        this.links = links;
        this.templates = templates;
    }

    static void add(
            Routes routes, JobQueue queue, Snapshots snapshots, Payloads payloads, Links links, Templates templates) {
        JobPages pages = new JobPages(queue, snapshots, payloads, links, templates);
        routes.get("/jobs", pages::list);
        routes.get("/jobs/suggest", pages::suggest);
        routes.get("/jobs/change", pages::preview);
        routes.get("/jobs/new", pages::enqueue);
        routes.get("/jobs/go", JobPages::go);
        routes.get("/jobs/{id}", pages::one);
        routes.get("/jobs/{id}/payload", pages::payload);
    }

    /** Suggestions for form fields. */
    record Suggestions(TreeSet<String> queues, TreeSet<String> kinds, TreeSet<String> tags, TreeSet<String> keys) {}

    /** Collects suggestions from fast queries; nothing is counted for them. */
    private Suggestions suggestions() {
        TreeSet<String> queues = new TreeSet<>(List.of("default"));
        TreeSet<String> kinds = new TreeSet<>();
        snapshots.workers().forEach(worker -> {
            queues.addAll(worker.queues());
            kinds.addAll(worker.kinds());
        });
        TreeSet<String> tags = new TreeSet<>();
        TreeSet<String> keys = new TreeSet<>();
        for (Job job : snapshots.lists().of(JobFilter.ALL.limit(NEWEST)).jobs()) {
            kinds.add(job.kind());
            queues.add(job.queue());
            tags.addAll(job.tags());
            job.key().ifPresent(keys::add);
        }
        return new Suggestions(queues, kinds, tags, keys);
    }

    private Response list(Call call) {
        Suggestions suggestions = suggestions();
        String line = call.parameter(Filters.LINE);
        JobFilter filter;
        try {
            filter = Filters.of(call);
        } catch (IllegalArgumentException e) {
            if (line == null) {
                throw e;
            }
            return wrong(call, line, String.valueOf(e.getMessage()), suggestions);
        }
        payloads.requireSearchable(filter);
        JobPage page = snapshots.lists().of(filter);
        Map<String, String> parameters = Filters.parameters(filter);
        Map<String, String> next = null;
        if (page.next() != null) {
            next = new LinkedHashMap<>(parameters);
            next.put("before", Long.toString(page.next()));
        }
        // Prefers the typed line if that holds the whole filter, because FilterText would replace a relative time such
        // as 2h with a moment.
        String shown = line != null && isAll(call, parameters) ? line : FilterText.of(filter);
        return templates.page(
                call,
                "jobs",
                Json.object(
                        "line",
                        shown,
                        "lines",
                        FilterCompletions.of(shown.isBlank() ? "" : shown + " ", suggestions, payloads.areUnchanged()),
                        "jobs",
                        page.jobs(),
                        "waits",
                        Waits.of(snapshots),
                        "isCut",
                        page.isCut(),
                        "filter",
                        parameters,
                        "next",
                        next,
                        "isFirst",
                        filter.beforeId() == null,
                        "isSearchable",
                        payloads.areUnchanged(),
                        "queues",
                        suggestions.queues,
                        "kinds",
                        suggestions.kinds,
                        "tags",
                        suggestions.tags,
                        "keys",
                        suggestions.keys));
    }

    private static boolean isAll(Call call, Map<String, String> parameters) {
        return parameters.keySet().stream().noneMatch(name -> call.parameter(name) != null);
    }

    /** Keeps the typed line in its field and searches nothing. */
    private Response wrong(Call call, String line, String problem, Suggestions suggestions) {
        Response page = templates.page(
                call,
                "jobs",
                Json.object(
                        "line",
                        line,
                        "lines",
                        FilterCompletions.of("", suggestions, payloads.areUnchanged()),
                        "problem",
                        problem,
                        "jobs",
                        List.of(),
                        "waits",
                        Waits.of(snapshots),
                        "isCut",
                        false,
                        "filter",
                        Map.of(),
                        "isFirst",
                        true,
                        "isSearchable",
                        payloads.areUnchanged(),
                        "queues",
                        suggestions.queues,
                        "kinds",
                        suggestions.kinds,
                        "tags",
                        suggestions.tags,
                        "keys",
                        suggestions.keys));
        return new Response(400, page.headers(), page.body());
    }

    /** Suggests completions of the line being typed. */
    private Response suggest(Call call) {
        String line = Objects.requireNonNullElse(call.parameter(Filters.LINE), "");
        return templates.page(
                call,
                "suggestions",
                Map.of("lines", FilterCompletions.of(line, suggestions(), payloads.areUnchanged())));
    }

    private Response preview(Call call) {
        JobFilter filter = Filters.of(call);
        payloads.requireSearchable(filter);
        Map<String, String> parameters = Filters.parameters(filter);
        JobCount matching = counted(call, filter, MatchingChanges.parse(call));
        Map<String, String> form = new LinkedHashMap<>(parameters);
        for (String name : List.of("change", "toPriority", "toQueue", "toTime")) {
            String value = call.parameter(name);
            if (value != null) {
                form.put(name, value);
            }
        }
        form.put(matching.isAtLeast() ? "atLeast" : "expected", Long.toString(matching.jobs()));
        Map<String, String> exact = new LinkedHashMap<>(form);
        exact.remove("atLeast");
        exact.put("count", "exact");
        return templates.page(
                call,
                "change",
                Map.of(
                        "matching",
                        matching,
                        "filter",
                        parameters,
                        "form",
                        form,
                        "exact",
                        exact,
                        "wasAsked",
                        call.countsExactly()));
    }

    /**
     * Shows the exact number before the user decides, if it can be counted quickly. Otherwise the user may request a count of up to half a
     * minute.
     */
    private JobCount counted(Call call, JobFilter filter, JobChange change) {
        boolean isAsked = call.countsExactly();
        JobCount quick = admin.jobs().countNewest(filter, change, Snapshots.MAX_COUNTED);
        if (!quick.isAtLeast()) {
            return quick;
        }
        if (!counting.tryAcquire()) {
            if (isAsked) {
                throw new Refusal(503, "jobs are being counted already: wait until that is done");
            }
            return quick;
        }
        try {
            JobCount exact = admin.jobs().count(filter, change, isAsked ? LONG_COUNT : SHORT_COUNT);
            return exact.isAtLeast() && exact.jobs() < quick.jobs() ? quick : exact;
        } finally {
            counting.release();
        }
    }

    /** Redirects to a job's page, because a form cannot put a number into a path. */
    private static Response go(Call call) {
        long id = call.number("id").orElseThrow(() -> new Refusal(400, "the parameter 'id' is missing"));
        String job = call.request().prefix() + "/jobs/" + Math.max(0, id);
        return new Response(303, List.of(Map.entry("Location", job)), new byte[0]);
    }

    private Job found(Call call) {
        return admin.jobs()
                .find(call.id())
                .orElseThrow(() -> new Refusal(404, "job " + call.id() + " does not exist, or it was pruned"));
    }

    private Response one(Call call) {
        Job job = found(call);
        String payload = payloads.of(job);
        boolean isCut = payload.length() > LONGEST_PAYLOAD;
        String shown = isCut
                ? payload.substring(0, LONGEST_PAYLOAD)
                : JsonText.indented(payload).orElse(payload);
        String result = job.state() == JobState.COMPLETED
                ? StepRow.shown(admin.jobs().result(job.id()).orElse(null), payloads)
                : "";
        List<JobAssignment> assignments = admin.runs().assignments(job.id(), MAX_ATTEMPTS + 1);
        List<FailedAttempt> attempts = admin.runs().failedAttempts(job.id(), MAX_ATTEMPTS + 1);
        List<JobLogLine> log = admin.runs().log(job.id(), MAX_LINES + 1);
        return templates.page(
                call,
                "job",
                Json.object(
                        "job",
                        job,
                        "steps",
                        StepRow.all(admin.jobs().steps(job.id()), job.state(), payloads),
                        "result",
                        result,
                        "stack",
                        admin.runs().stackTrace(job.id()).orElse(null),
                        "events",
                        Timeline.of(
                                job,
                                latest(attempts, MAX_ATTEMPTS),
                                latest(log, MAX_LINES).stream()
                                        .map(payloads::line)
                                        .toList(),
                                latest(assignments, MAX_ATTEMPTS)),
                        "hasOlder",
                        attempts.size() > MAX_ATTEMPTS || log.size() > MAX_LINES || assignments.size() > MAX_ATTEMPTS,
                        "links",
                        links.of(job),
                        "payload",
                        shown,
                        "digest",
                        JsonText.digest(shown),
                        "isCut",
                        isCut,
                        "isEditable",
                        payloads.areUnchanged() && !isCut && JsonText.isJson(payload),
                        "waits",
                        WaitRow.all(job, admin.jobs().waitReasons(job.id())),
                        "workflow",
                        queue.workflow(job).map(Workflow::id).orElse(null),
                        "schedule",
                        job.headers().get(Tick.SCHEDULE_HEADER)));
    }

    /** Returns the newest elements. Lists are read with one element more than the limit, to know whether there are older ones. */
    private static <T> List<T> latest(List<T> all, int limit) {
        return all.subList(Math.max(0, all.size() - limit), all.size());
    }

    /** The complete payload as plain text, so that no browser renders it as a page. */
    private Response payload(Call call) {
        return Response.text(200, "text/plain", payloads.of(found(call)));
    }

    private Response enqueue(Call call) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("kind", Objects.requireNonNullElse(call.parameter("kind"), ""));
        values.put("queue", Objects.requireNonNullElse(call.parameter("queue"), "default"));
        values.put("payload", "{}");
        values.put("priority", "0");
        values.put("tags", "");
        values.put("attempts", "");
        values.put("key", "");
        if (call.number("copy").isPresent()) {
            long id = call.number("copy").getAsLong();
            Job job = admin.jobs()
                    .find(id)
                    .orElseThrow(() -> new Refusal(404, "job " + id + " does not exist, or it was pruned"));
            values.put("kind", job.kind());
            values.put("queue", job.queue());
            if (payloads.areUnchanged()) {
                values.put("payload", JsonText.indented(job.payload()).orElse(job.payload()));
            }
            values.put("priority", Integer.toString(job.priority()));
            values.put("tags", String.join(", ", job.tags()));
            values.put("attempts", Integer.toString(job.maxAttempts()));
            // The unique key is not copied, because no copy would be enqueued while the original job holds the key.
            values.put("key", job.key().orElse(""));
        }
        Suggestions suggestions = suggestions();
        values.put("queues", suggestions.queues);
        values.put("kinds", suggestions.kinds);
        return templates.page(call, "enqueue", values);
    }
}
