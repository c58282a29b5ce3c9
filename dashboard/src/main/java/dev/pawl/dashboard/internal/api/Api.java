package dev.pawl.dashboard.internal.api;

import dev.pawl.Job;
import dev.pawl.JobQueue;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobFilter;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.change.MatchingChanges;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.look.Filters;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.dashboard.internal.look.Payloads;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.dashboard.internal.web.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What can be read as JSON. What can be changed is with the changes themselves. */
public final class Api {
    private final JobQueue queue;
    private final JobAdmin admin;
    private final Payloads payloads;

    private Api(JobQueue queue, Payloads payloads) {
        this.queue = queue;
        this.admin = queue.admin();
        this.payloads = payloads;
    }

    /** What a path answers, to be written as JSON. */
    @FunctionalInterface
    private interface Read {
        @Nullable
        Object of(Call call);
    }

    /**
     * Adds the paths.
     *
     * @param payloads what to show of them
     */
    public static void add(Routes routes, JobQueue queue, Looks looks, Payloads payloads) {
        Api api = new Api(queue, payloads);
        add(routes, "queues", call -> looks.queues());
        add(routes, "counts", call -> looks.finished());
        add(routes, "unattended", call -> looks.unattended());
        add(routes, "stalled", call -> looks.stalled());
        add(routes, "jobs", api::list);
        add(routes, "jobs/count", api::count);
        add(routes, "jobs/{id}", api::job);
        add(routes, "jobs/{id}/attempts", call -> api.admin.failedAttempts(call.id()));
        add(routes, "jobs/{id}/log", call -> api.admin.log(call.id()));
        add(routes, "failures", call -> looks.failures());
        add(
                routes,
                "schedules",
                call -> looks.schedules().stream().map(ScheduleJson::of).toList());
        add(routes, "schedules/ticks", call -> api.queue.schedules().ticks(call.required("schedule"), 100));
        add(routes, "limits", call -> looks.limits());
        add(routes, "workers", call -> Map.of("workers", looks.workers(), "remoteWorkers", looks.remoteWorkers()));
        add(routes, "slots", call -> looks.slots());
        add(routes, "slots/gaps", call -> api.queue.slots().gaps(call.required("series"), 100));
        add(routes, "doctor", call -> looks.findings());
        routes.get("/api/openapi.yaml", call -> Response.text(200, "application/yaml", description()));
    }

    private static void add(Routes routes, String path, Read read) {
        routes.get("/api/" + path, call -> Response.text(200, "application/json", Json.write(read.of(call))));
    }

    private Object list(Call call) {
        payloads.requireSearchable(call);
        JobFilter filter = Filters.of(call);
        List<Job> found = admin.list(filter);
        boolean isFull = found.size() == filter.limit();
        return Json.object(
                "jobs",
                found.stream().map(JobJson::brief).toList(),
                "next",
                isFull ? found.get(found.size() - 1).id() : null);
    }

    private Object count(Call call) {
        payloads.requireSearchable(call);
        return Map.of("matching", admin.countMatching(Filters.of(call), MatchingChanges.parse(call)));
    }

    private Object job(Call call) {
        Job job = admin.find(call.id())
                .orElseThrow(() -> new Refusal(404, "job " + call.id() + " does not exist, or it was pruned"));
        return JobJson.of(job, payloads);
    }

    private static String description() {
        try (InputStream in = Api.class.getResourceAsStream("/dev/pawl/dashboard/openapi.yaml")) {
            return new String(Objects.requireNonNull(in, "openapi.yaml").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
