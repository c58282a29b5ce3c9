package dev.pawl.dashboard.internal.page;

import dev.pawl.JobQueue;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.snapshot.Payloads;
import dev.pawl.dashboard.internal.snapshot.RecentSeries;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The pages about the whole queue; those about jobs and schedules have their own classes. */
public final class Pages {
    private static final int MAX_GAPS = 200;
    private static final int MAX_CAUSES = 100;
    private static final int FEW = 5;

    private final JobQueue queue;
    private final Snapshots snapshots;
    private final Templates templates;

    private Pages(JobQueue queue, Snapshots snapshots, Templates templates) {
        this.queue = queue;
        this.snapshots = snapshots;
        this.templates = templates;
    }

    /** Adds all pages. */
    public static void add(
            Routes routes, JobQueue queue, Snapshots snapshots, Payloads payloads, Links links, Templates templates) {
        Pages pages = new Pages(queue, snapshots, templates);
        routes.get("/", pages::overview);
        routes.get("/failures", pages::failures);
        routes.get("/limits", pages::limits);
        routes.get("/slots", pages::slots);
        routes.get("/database", pages::database);
        QueuePages.add(routes, snapshots, templates);
        JobPages.add(routes, queue, snapshots, payloads, links, templates);
        SchedulePages.add(routes, queue, snapshots, templates);
        WorkerPages.add(routes, snapshots, templates);
        ManagerPages.add(routes, snapshots, templates);
        BatchPages.add(routes, queue, snapshots, templates);
        WorkflowPages.add(routes, queue, templates);
    }

    /**
     * Totals of all queues.
     *
     * @param available jobs that may be claimed now
     * @param scheduled jobs that are due later
     * @param blocked jobs that wait for others of their concurrency key
     * @param pending jobs that wait for others of their workflow
     * @param pausedJobs jobs paused with their batch
     * @param retrying jobs that wait for their next attempt
     * @param running jobs under a lease
     * @param workers live workers
     * @param capacity total of the live workers
     */
    public record Totals(
            Amount available,
            Amount scheduled,
            Amount blocked,
            Amount pending,
            Amount pausedJobs,
            Amount retrying,
            Amount running,
            long workers,
            long capacity) {
        static Totals of(List<QueueRow> queues, List<WorkerInfo> workers) {
            List<WorkerInfo> alive = workers.stream().filter(WorkerInfo::alive).toList();
            return new Totals(
                    sum(queues, QueueRow::available),
                    sum(queues, QueueRow::scheduled),
                    sum(queues, QueueRow::blocked),
                    sum(queues, QueueRow::pending),
                    sum(queues, QueueRow::pausedJobs),
                    sum(queues, QueueRow::retrying),
                    sum(queues, QueueRow::running),
                    alive.size(),
                    alive.stream().mapToLong(WorkerInfo::concurrency).sum());
        }

        private static Amount sum(List<QueueRow> queues, Function<QueueRow, Amount> of) {
            return queues.stream().map(of).reduce(new Amount(0, Amount.Accuracy.EXACT), Amount::plus);
        }
    }

    private Response overview(Call call) {
        RecentSeries.Span span = RecentSeries.span(call);
        RecentSeries.Series series = snapshots.recentSeries().of(span);
        List<QueueRow> queues = QueueRow.all(snapshots);
        Status status = templates.status();
        // Last, so that background queries do not delay those that viewers wait for.
        Optional<List<FailureGroup>> known = snapshots.failuresSoon();
        List<FailureGroup> failures = known.orElse(List.of());
        return templates.page(
                call,
                "overview",
                Map.of(
                        "span", span,
                        "charts", Charts.all(series),
                        "runs", RunRow.all(series),
                        "totals", Totals.of(queues, snapshots.workers()),
                        "status", status,
                        "queues", queues,
                        "failures", FailureRow.all(failures, FEW),
                        "isCounting", known.isEmpty()));
    }

    private Response failures(Call call) {
        Optional<List<FailureGroup>> known = snapshots.failuresSoon();
        List<FailureGroup> failures = known.orElse(List.of());
        List<FailureRow> shown = FailureRow.all(failures, MAX_CAUSES);
        return templates.page(
                call,
                "failures",
                Map.of("failures", shown, "more", failures.size() - shown.size(), "isCounting", known.isEmpty()));
    }

    private Response limits(Call call) {
        return templates.page(call, "limits", Map.of("limits", snapshots.limits()));
    }

    private Response slots(Call call) {
        String series = call.parameter("series");
        Map<String, @Nullable Object> values = Json.object(
                "series",
                snapshots.slots(),
                "name",
                series,
                "gaps",
                series == null ? List.of() : queue.slots().gaps(series, MAX_GAPS));
        return templates.page(call, "slots", values);
    }

    private String replica() {
        if (!snapshots.isFromReplica()) {
            return "";
        }
        return snapshots
                .replicaLag()
                .map(lag -> ". These pages are read from a replica, at least " + Formats.length(lag) + " behind")
                .orElse(". These pages are read from a replica; how far it is behind is unknown");
    }

    private Response database(Call call) {
        return templates.page(
                call,
                "database",
                Json.object(
                        "about", queue.describe() + replica(),
                        "findings", snapshots.findingsSoon().orElse(null),
                        "tables", snapshots.tablesSoon().orElse(null),
                        "finished", snapshots.finishedSoon().orElse(null)));
    }
}
