package dev.pawl.dashboard.internal.page;

import dev.pawl.JobQueue;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.look.Lately;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.dashboard.internal.look.Payloads;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The pages of the whole queue; those of jobs and schedules are in classes of their own. */
public final class Pages {
    private static final int MOST_GAPS = 200;
    private static final int MOST_CAUSES = 100;
    private static final int FEW = 5;

    private final JobQueue queue;
    private final Looks looks;
    private final Templates templates;

    private Pages(JobQueue queue, Looks looks, Templates templates) {
        this.queue = queue;
        this.looks = looks;
        this.templates = templates;
    }

    /** Adds all pages. */
    public static void add(
            Routes routes, JobQueue queue, Looks looks, Payloads payloads, Links links, Templates templates) {
        Pages pages = new Pages(queue, looks, templates);
        routes.get("/", pages::overview);
        routes.get("/queues", pages::queues);
        routes.get("/failures", pages::failures);
        routes.get("/limits", pages::limits);
        routes.get("/slots", pages::slots);
        routes.get("/database", pages::database);
        JobPages.add(routes, queue, looks, payloads, links, templates);
        SchedulePages.add(routes, queue, looks, templates);
        WorkerPages.add(routes, looks, templates);
        ManagerPages.add(routes, looks, templates);
        BatchPages.add(routes, queue, templates);
        WorkflowPages.add(routes, queue, templates);
    }

    /**
     * How much there is of everything.
     *
     * @param available jobs that may be claimed now
     * @param scheduled jobs that are due later
     * @param blocked jobs that wait for others of their key
     * @param pending jobs that wait for others of their workflow
     * @param retrying jobs that wait for their next attempt
     * @param running jobs under a lease
     * @param workers that are alive
     * @param places jobs that these can run at once
     */
    public record Totals(
            Amount available,
            Amount scheduled,
            Amount blocked,
            Amount pending,
            Amount retrying,
            Amount running,
            long workers,
            long places) {
        static Totals of(List<QueueRow> queues, List<WorkerInfo> workers) {
            List<WorkerInfo> alive = workers.stream().filter(WorkerInfo::alive).toList();
            return new Totals(
                    sum(queues, QueueRow::available),
                    sum(queues, QueueRow::scheduled),
                    sum(queues, QueueRow::blocked),
                    sum(queues, QueueRow::pending),
                    sum(queues, QueueRow::retrying),
                    sum(queues, QueueRow::running),
                    alive.size(),
                    alive.stream().mapToLong(WorkerInfo::concurrency).sum());
        }

        private static Amount sum(List<QueueRow> queues, Function<QueueRow, Amount> of) {
            return queues.stream().map(of).reduce(new Amount(0, Amount.Sure.EXACT), Amount::plus);
        }
    }

    private Response overview(Call call) {
        Lately.Span span = Lately.span(call);
        Lately.Told told = looks.lately().of(span);
        List<QueueRow> queues = QueueRow.all(looks);
        Attention.All attention = Attention.all(looks);
        // Last: what is asked in the background takes nothing from what people wait for.
        Optional<List<FailureGroup>> known = looks.failuresSoon();
        List<FailureGroup> failures = known.orElse(List.of());
        return templates.page(
                call,
                "overview",
                Map.of(
                        "span", span,
                        "charts", Chart.all(told),
                        "runs", RunRow.all(told),
                        "totals", Totals.of(queues, looks.workers()),
                        "attention", attention,
                        "queues", queues,
                        "failures", failures.subList(0, Math.min(FEW, failures.size())),
                        "isCounting", known.isEmpty()));
    }

    private Response queues(Call call) {
        return templates.page(
                call,
                "queues",
                Map.of("queues", QueueRow.all(looks), "others", LimitUse.others(looks.queues(), looks.limits())));
    }

    private Response failures(Call call) {
        Optional<List<FailureGroup>> known = looks.failuresSoon();
        List<FailureGroup> failures = known.orElse(List.of());
        List<FailureGroup> shown = failures.subList(0, Math.min(MOST_CAUSES, failures.size()));
        return templates.page(
                call,
                "failures",
                Map.of("failures", shown, "more", failures.size() - shown.size(), "isCounting", known.isEmpty()));
    }

    private Response limits(Call call) {
        return templates.page(call, "limits", Map.of("limits", looks.limits()));
    }

    private Response slots(Call call) {
        String series = call.parameter("series");
        Map<String, @Nullable Object> values = Json.object(
                "series",
                looks.slots(),
                "name",
                series,
                "gaps",
                series == null ? List.of() : queue.slots().gaps(series, MOST_GAPS));
        return templates.page(call, "slots", values);
    }

    private Response database(Call call) {
        return templates.page(
                call,
                "database",
                Json.object(
                        "about", queue.describe(),
                        "findings", looks.findingsSoon().orElse(null),
                        "tables", looks.tablesSoon().orElse(null),
                        "finished", looks.finishedSoon().orElse(null)));
    }
}
