package dev.pawl.dashboard.internal.page;

import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.QueueStats;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.change.MatchingChanges;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.json.JsonText;
import dev.pawl.dashboard.internal.look.Filters;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.dashboard.internal.look.Payloads;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.dashboard.internal.web.Routes;
import dev.pawl.schedule.Tick;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The pages about jobs. */
final class JobPages {
    private static final int LONGEST_PAYLOAD = 200_000;

    private final JobAdmin admin;
    private final Looks looks;
    private final Payloads payloads;
    private final Templates templates;

    private JobPages(JobQueue queue, Looks looks, Payloads payloads, Templates templates) {
        this.admin = queue.admin();
        this.looks = looks;
        this.payloads = payloads;
        this.templates = templates;
    }

    static void add(Routes routes, JobQueue queue, Looks looks, Payloads payloads, Templates templates) {
        JobPages pages = new JobPages(queue, looks, payloads, templates);
        routes.get("/jobs", pages::list);
        routes.get("/jobs/change", pages::preview);
        routes.get("/jobs/new", pages::enqueue);
        routes.get("/jobs/go", JobPages::go);
        routes.get("/jobs/{id}", pages::one);
        routes.get("/jobs/{id}/payload", pages::payload);
    }

    /** Names for the fields of forms, to choose from. */
    record Known(TreeSet<String> queues, TreeSet<String> kinds) {}

    private Known known() {
        TreeSet<String> queues = new TreeSet<>(List.of("default"));
        looks.queues().stream().map(QueueStats::name).forEach(queues::add);
        TreeSet<String> kinds = new TreeSet<>();
        looks.workers().forEach(worker -> {
            List<String> own = worker.kinds();
            if (own != null) {
                kinds.addAll(own);
            }
        });
        looks.unattended().forEach(jobs -> kinds.add(jobs.kind()));
        return new Known(queues, kinds);
    }

    private Response list(Call call) {
        payloads.requireSearchable(call);
        JobFilter filter = Filters.of(call);
        List<Job> jobs = admin.list(filter);
        Map<String, String> parameters = Filters.parameters(filter);
        Map<String, String> next = null;
        if (jobs.size() == filter.limit()) {
            next = new LinkedHashMap<>(parameters);
            next.put("before", Long.toString(jobs.get(jobs.size() - 1).id()));
        }
        Known known = known();
        return templates.page(
                call,
                "jobs",
                Json.object(
                        "jobs",
                        jobs,
                        "filter",
                        parameters,
                        "next",
                        next,
                        "isFirst",
                        filter.beforeId() == null,
                        "isSearchable",
                        payloads.areShown(),
                        "queues",
                        known.queues,
                        "kinds",
                        known.kinds));
    }

    private Response preview(Call call) {
        payloads.requireSearchable(call);
        JobFilter filter = Filters.of(call);
        Map<String, String> parameters = Filters.parameters(filter);
        long matching = admin.countMatching(filter, MatchingChanges.parse(call));
        Map<String, String> form = new LinkedHashMap<>(parameters);
        for (String name : List.of("change", "toPriority", "toQueue", "toTime")) {
            String value = call.parameter(name);
            if (value != null) {
                form.put(name, value);
            }
        }
        form.put("expected", Long.toString(matching));
        return templates.page(call, "change", Map.of("matching", matching, "filter", parameters, "form", form));
    }

    /** A form cannot put a number into a path. */
    private static Response go(Call call) {
        long id = call.number("id").orElseThrow(() -> new Refusal(400, "the parameter 'id' is missing"));
        String job = call.request().prefix() + "/jobs/" + Math.max(0, id);
        return new Response(303, List.of(Map.entry("Location", job)), new byte[0]);
    }

    private Job found(Call call) {
        return admin.find(call.id())
                .orElseThrow(() -> new Refusal(404, "job " + call.id() + " does not exist, or it was pruned"));
    }

    private Response one(Call call) {
        Job job = found(call);
        String payload = payloads.of(job);
        boolean isCut = payload.length() > LONGEST_PAYLOAD;
        return templates.page(
                call,
                "job",
                Json.object(
                        "job",
                        job,
                        "events",
                        Timeline.of(
                                job, admin.failedAttempts(job.id()), admin.log(job.id()), admin.assignments(job.id())),
                        "payload",
                        isCut
                                ? payload.substring(0, LONGEST_PAYLOAD)
                                : JsonText.indented(payload).orElse(payload),
                        "isCut",
                        isCut,
                        "isEditable",
                        payloads.areShown() && !isCut,
                        "schedule",
                        job.headers().get(Tick.SCHEDULE_HEADER)));
    }

    /** As it is, for who wants all of it; as plain text, so that no browser takes it for a page. */
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
        if (call.number("copy").isPresent()) {
            long id = call.number("copy").getAsLong();
            Job job = admin.find(id)
                    .orElseThrow(() -> new Refusal(404, "job " + id + " does not exist, or it was pruned"));
            values.put("kind", job.kind());
            values.put("queue", job.queue());
            if (payloads.areShown()) {
                values.put("payload", JsonText.indented(job.payload()).orElse(job.payload()));
            }
            values.put("priority", Integer.toString(job.priority()));
            values.put("tags", String.join(", ", job.tags()));
        }
        Known known = known();
        values.put("queues", known.queues);
        values.put("kinds", known.kinds);
        return templates.page(call, "enqueue", values);
    }
}
