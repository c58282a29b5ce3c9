package dev.pawl.dashboard.internal.api;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.JobCount;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.JobPage;
import dev.pawl.api.Job;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.change.MatchingChanges;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.json.JsonText;
import dev.pawl.dashboard.internal.snapshot.Filters;
import dev.pawl.dashboard.internal.snapshot.NodeWords;
import dev.pawl.dashboard.internal.snapshot.Payloads;
import dev.pawl.dashboard.internal.snapshot.RecentSeries;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.dashboard.internal.web.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The read-only JSON API. Changes are in {@link dev.pawl.dashboard.internal.change}. */
public final class Api {
    private static final int MAX = 1_000;
    /** Maximum number of attempts in a response: each has a stack trace of up to 16,384 characters. */
    private static final int ATTEMPTS = 100;

    private final JobQueue queue;
    private final Admin admin;
    private final Snapshots snapshots;
    private final Payloads payloads;

    private Api(JobQueue queue, Snapshots snapshots, Payloads payloads) {
        this.queue = queue;
        this.snapshots = snapshots;
        this.admin = queue.admin();
        this.payloads = payloads;
    }

    /** Computes the value that a path returns as JSON. */
    @FunctionalInterface
    private interface Read {
        @Nullable
        Object of(Call call);
    }

    /**
     * Adds the routes.
     *
     * @param payloads how to show payloads
     */
    public static void add(Routes routes, JobQueue queue, Snapshots snapshots, Payloads payloads) {
        Api api = new Api(queue, snapshots, payloads);
        add(routes, "queues", call -> queues(api.admin, snapshots, isExact(call)));
        add(
                routes,
                "series",
                call -> snapshots.recentSeries().of(RecentSeries.span(call)).samples().stream()
                        .map(SampleJson::of)
                        .toList());
        add(
                routes,
                "counts",
                call -> isExact(call) ? api.admin.queues().finished(Admin.UNLIMITED) : snapshots.finished());
        add(routes, "tables", call -> snapshots.tables());
        add(
                routes,
                "unattended",
                call -> snapshots.unattended().stream().map(QueueJson::of).toList());
        add(routes, "stalled", call -> snapshots.stalled());
        add(routes, "jobs", api::list);
        add(routes, "jobs/count", api::count);
        add(routes, "jobs/{id}", api::job);
        add(routes, "jobs/{id}/attempts", call -> api.admin.runs().failedAttempts(call.id(), limit(call, ATTEMPTS)));
        add(
                routes,
                "jobs/{id}/log",
                call -> api.admin.runs().log(call.id(), limit(call, MAX)).stream()
                        .map(payloads::line)
                        .toList());
        add(routes, "jobs/{id}/steps", api::steps);
        add(routes, "jobs/{id}/stack", api::stack);
        add(routes, "jobs/{id}/result", api::result);
        add(routes, "batches", api::batches);
        add(routes, "batches/{id}", api::batch);
        add(routes, "batches/{id}/jobs", api::batchJobs);
        add(routes, "workflows", api::workflows);
        add(routes, "workflows/{id}", api::workflow);
        add(routes, "failures", call -> snapshots.failures());
        add(
                routes,
                "schedules",
                call -> snapshots.schedules().stream().map(ScheduleJson::of).toList());
        add(routes, "schedules/ticks", call -> api.queue.schedules().ticks(call.required("schedule"), 100));
        add(
                routes,
                "limits",
                call -> snapshots.limits().stream().map(LimitJson::of).toList());
        add(
                routes,
                "workers",
                call -> Map.of("workers", snapshots.workers(), "remoteWorkers", snapshots.remoteWorkers()));
        add(
                routes,
                "assignments",
                call -> snapshots.assignments().stream()
                        .map(run -> Json.object(
                                "job",
                                run.job().id(),
                                "kind",
                                run.job().kind(),
                                "leasedBy",
                                run.job().leasedBy(),
                                "attempt",
                                run.assignment().attempt(),
                                "assignedAt",
                                run.assignment().assignedAt(),
                                "worker",
                                run.assignment().worker()))
                        .toList());
        add(routes, "slots", call -> snapshots.slots());
        add(routes, "slots/gaps", call -> api.queue.slots().gaps(call.required("series"), 100));
        add(routes, "doctor", call -> snapshots.findings());
        routes.get("/api/openapi.yaml", call -> Response.text(200, "application/yaml", description()));
    }

    private static void add(Routes routes, String path, Read read) {
        routes.get("/api/" + path, call -> Response.text(200, "application/json", Json.write(read.of(call))));
    }

    /** Returns whether the caller waits for a full count. */
    private static boolean isExact(Call call) {
        return call.countsExactly();
    }

    private static Object queues(Admin admin, Snapshots snapshots, boolean isExact) {
        return (isExact ? admin.queues().list(Admin.UNLIMITED) : snapshots.queues())
                .stream().map(QueueJson::of).toList();
    }

    private JobFilter filter(Call call) {
        JobFilter filter = Filters.of(call);
        payloads.requireSearchable(filter);
        return filter;
    }

    private Object list(Call call) {
        JobFilter filter = filter(call);
        JobPage page = snapshots.lists().of(filter);
        return Json.object("jobs", page.jobs().stream().map(JobJson::brief).toList(), "next", page.next());
    }

    private Object count(Call call) {
        JobFilter filter = filter(call);
        if (isExact(call)) {
            return Map.of(
                    "matching",
                    admin.jobs()
                            .count(filter, MatchingChanges.parse(call), Admin.NO_TIMEOUT)
                            .jobs());
        }
        JobCount count = admin.jobs().countNewest(filter, MatchingChanges.parse(call), Snapshots.MAX_COUNTED);
        return count.isAtLeast()
                ? Json.object("matching", count.jobs(), "atLeast", true)
                : Map.of("matching", count.jobs());
    }

    private Object job(Call call) {
        Job job = admin.jobs()
                .find(call.id())
                .orElseThrow(() -> new Refusal(404, "job " + call.id() + " does not exist, or it was pruned"));
        Map<String, @Nullable Object> json = JobJson.of(job, payloads);
        json.put("waitReasons", admin.jobs().waitReasons(job.id()));
        return json;
    }

    /** Step values are as secret as payloads. */
    private Object steps(Call call) {
        return admin.jobs().steps(call.id()).stream()
                .map(step -> Json.object(
                        "kind", step.kind(),
                        "name", step.name(),
                        "state", step.state(),
                        "value", payloads.areUnchanged() ? step.value() : null,
                        "at", step.at(),
                        "until", step.until()))
                .toList();
    }

    private Object stack(Call call) {
        return admin.runs()
                .stackTrace(call.id())
                .orElseThrow(() -> new Refusal(
                        404, "no recent request for the stack of job " + call.id() + ": POST to this address"));
    }

    private Object result(Call call) {
        String result = payloads.areUnchanged() ? admin.jobs().result(call.id()).orElse(null) : null;
        return Json.object("result", result == null || !JsonText.isJson(result) ? result : new Json.Raw(result));
    }

    private Object batches(Call call) {
        return Map.of(
                "batches",
                queue.batches(call.number("before").orElse(Long.MAX_VALUE), limit(call)).stream()
                        .map(BatchJson::of)
                        .toList());
    }

    private Object batch(Call call) {
        BatchInfo batch = queue.batch(call.id())
                .info()
                .orElseThrow(() -> new Refusal(404, "batch " + call.id() + " does not exist, or it was pruned"));
        Map<String, @Nullable Object> json = new LinkedHashMap<>(BatchJson.of(batch));
        json.put(
                "batches",
                queue.batch(call.id()).batches(limit(call)).stream()
                        .map(BatchJson::of)
                        .toList());
        return json;
    }

    private Object batchJobs(Call call) {
        return Map.of(
                "jobs",
                queue.batch(call.id()).jobs(call.number("after").orElse(0), limit(call)).stream()
                        .map(JobJson::brief)
                        .toList());
    }

    private Object workflows(Call call) {
        return Map.of(
                "workflows",
                queue.workflows(call.number("before").orElse(Long.MAX_VALUE), limit(call)).stream()
                        .map(WorkflowJson::brief)
                        .toList());
    }

    private Object workflow(Call call) {
        return queue.workflow(call.id())
                .info()
                .map(workflow -> WorkflowJson.of(
                        workflow,
                        NodeWords.of(workflow, node -> queue.batch(node).jobs(0, Filters.PAGE))))
                .orElseThrow(() -> new Refusal(404, "workflow " + call.id() + " does not exist, or it was pruned"));
    }

    private static int limit(Call call) {
        return limit(call, Filters.PAGE);
    }

    private static int limit(Call call, int unsaid) {
        Integer limit = call.small("limit");
        if (limit != null && (limit < 1 || limit > MAX)) {
            throw new Refusal(400, "limit " + limit + " is not valid: use 1 to " + MAX);
        }
        return limit == null ? unsaid : limit;
    }

    private static String description() {
        try (InputStream in = Api.class.getResourceAsStream("/dev/pawl/dashboard/openapi.yaml")) {
            return new String(Objects.requireNonNull(in, "openapi.yaml").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
