package dev.pawl.dashboard.internal.page;

import dev.pawl.JobQueue;
import dev.pawl.admin.FailureGroup;
import dev.pawl.admin.QueueStats;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.dashboard.internal.look.Payloads;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Routes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pages of the whole queue; those of jobs and schedules are in classes of their own. */
public final class Pages {
    private static final int MOST_GAPS = 200;
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
    public static void add(Routes routes, JobQueue queue, Looks looks, Payloads payloads, Templates templates) {
        Pages pages = new Pages(queue, looks, templates);
        routes.get("/", pages::overview);
        routes.get("/queues", pages::queues);
        routes.get("/failures", pages::failures);
        routes.get("/limits", pages::limits);
        routes.get("/slots", pages::slots);
        routes.get("/database", pages::database);
        JobPages.add(routes, queue, looks, payloads, templates);
        SchedulePages.add(routes, queue, looks, templates);
        WorkerPages.add(routes, queue, looks, templates);
    }

    /**
     * How much there is of everything.
     *
     * @param available jobs that may be claimed now
     * @param delayed jobs that are due later
     * @param retrying jobs that wait for their next attempt
     * @param running jobs under a lease
     * @param workers that are alive
     * @param places jobs that these can run at once
     */
    public record Totals(long available, long delayed, long retrying, long running, long workers, long places) {
        static Totals of(List<QueueStats> queues, List<WorkerInfo> workers) {
            List<WorkerInfo> alive = workers.stream().filter(WorkerInfo::alive).toList();
            return new Totals(
                    queues.stream().mapToLong(QueueStats::available).sum(),
                    queues.stream().mapToLong(QueueStats::delayed).sum(),
                    queues.stream().mapToLong(QueueStats::retrying).sum(),
                    queues.stream().mapToLong(QueueStats::running).sum(),
                    alive.size(),
                    alive.stream().mapToLong(WorkerInfo::concurrency).sum());
        }
    }

    private Response overview(Call call) {
        List<FailureGroup> failures = looks.failures();
        return templates.page(
                call,
                "overview",
                Map.of(
                        "totals", Totals.of(looks.queues(), looks.workers()),
                        "points", Attention.points(looks),
                        "queues", QueueRow.all(looks),
                        "failures", failures.subList(0, Math.min(FEW, failures.size()))));
    }

    private Response queues(Call call) {
        return templates.page(call, "queues", Map.of("queues", QueueRow.all(looks)));
    }

    private Response failures(Call call) {
        return templates.page(call, "failures", Map.of("failures", looks.failures()));
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
                Map.of("about", queue.describe(), "findings", looks.findings(), "finished", looks.finished()));
    }
}
