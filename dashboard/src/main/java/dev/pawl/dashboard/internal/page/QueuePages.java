package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.snapshot.RecentSeries;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pages about queues. */
final class QueuePages {
    private static final int MAX_FAILURES = 10;

    private final Snapshots snapshots;
    private final Templates templates;

    private QueuePages(Snapshots snapshots, Templates templates) {
        this.snapshots = snapshots;
        this.templates = templates;
    }

    static void add(Routes routes, Snapshots snapshots, Templates templates) {
        QueuePages pages = new QueuePages(snapshots, templates);
        routes.get("/queues", pages::list);
        routes.get("/queues/one", pages::one);
    }

    private Response list(Call call) {
        return templates.page(
                call,
                "queues",
                Map.of(
                        "queues",
                        QueueRow.all(snapshots),
                        "others",
                        LimitUse.others(snapshots.queues(), snapshots.limits()),
                        "isAllPaused",
                        snapshots.pauses().all() != null));
    }

    /** A queue without jobs is shown, too: it may have workers, limits and a history. */
    private Response one(Call call) {
        String name = call.required("name");
        RecentSeries.Span span = RecentSeries.span(call);
        RecentSeries.Series series = snapshots.recentSeries().of(span);
        List<WorkerInfo> workers = snapshots.workers().stream()
                .filter(worker -> worker.alive() && worker.queues().contains(name))
                .toList();
        Optional<List<FailureGroup>> failures = snapshots.failuresSoon();
        return templates.page(
                call,
                "queue",
                Json.object(
                        "row",
                        QueueRow.one(name, snapshots),
                        "span",
                        span,
                        "charts",
                        Charts.of(name, series),
                        "rates",
                        QueueRates.of(name, snapshots.recentSeries().of(RecentSeries.Span.HOUR)),
                        "pausedSince",
                        snapshots.pauses().queues().get(name),
                        "isAllPaused",
                        snapshots.pauses().all() != null,
                        "workers",
                        WorkerPages.rows(workers, snapshots),
                        "capacity",
                        workers.stream().mapToInt(WorkerInfo::concurrency).sum(),
                        "failures",
                        FailureRow.all(
                                failures.orElse(List.of()).stream()
                                        .filter(group -> group.queue().equals(name))
                                        .toList(),
                                MAX_FAILURES),
                        "isCounting",
                        failures.isEmpty()));
    }
}
