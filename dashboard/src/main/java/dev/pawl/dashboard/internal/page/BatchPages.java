package dev.pawl.dashboard.internal.page;

import dev.pawl.JobQueue;
import dev.pawl.Workflow;
import dev.pawl.admin.BatchInfo;
import dev.pawl.api.Job;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The pages about batches. Lists are read fifty entries at a time. */
final class BatchPages {
    private static final int PAGE = 50;

    private final JobQueue queue;
    private final Snapshots snapshots;
    private final Templates templates;

    private BatchPages(JobQueue queue, Snapshots snapshots, Templates templates) {
        this.queue = queue;
        this.snapshots = snapshots;
        this.templates = templates;
    }

    static void add(Routes routes, JobQueue queue, Snapshots snapshots, Templates templates) {
        BatchPages pages = new BatchPages(queue, snapshots, templates);
        routes.get("/batches", pages::list);
        routes.get("/batches/{id}", pages::one);
    }

    private Response list(Call call) {
        OptionalLong before = call.number("before");
        List<BatchInfo> batches = queue.batches(before.orElse(Long.MAX_VALUE), PAGE);
        Long next = batches.size() < PAGE ? null : batches.get(PAGE - 1).id();
        return templates.page(
                call, "batches", Json.object("batches", batches, "next", next, "isFirst", before.isEmpty()));
    }

    private Response one(Call call) {
        BatchInfo batch = queue.batch(call.id())
                .info()
                .orElseThrow(() -> new Refusal(404, "batch " + call.id() + " does not exist, or it was pruned"));
        OptionalLong after = call.number("after");
        List<Job> jobs = queue.batch(call.id()).jobs(after.orElse(0), PAGE);
        // Pruned jobs are missing, so a page may be short without being the last.
        Long next = jobs.isEmpty() ? null : jobs.get(jobs.size() - 1).id();
        if (next != null && queue.batch(call.id()).jobs(next, 1).isEmpty()) {
            next = null;
        }
        return templates.page(
                call,
                "batch",
                Json.object(
                        "batch",
                        batch,
                        "workflow",
                        jobs.isEmpty() ? null : workflow(jobs.get(0)),
                        "parts",
                        queue.batch(call.id()).batches(PAGE),
                        "jobs",
                        jobs,
                        "waits",
                        Waits.of(snapshots),
                        "next",
                        next,
                        "isFirst",
                        after.isEmpty()));
    }

    private @Nullable Long workflow(Job job) {
        return queue.workflow(job).map(Workflow::id).orElse(null);
    }
}
