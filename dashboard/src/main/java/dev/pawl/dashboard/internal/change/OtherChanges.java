package dev.pawl.dashboard.internal.change;

import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.WorkerCommand;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.Recurrence;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Changes of queues, schedules, limits, workers and slots. */
public final class OtherChanges {
    private final JobQueue queue;

    private OtherChanges(JobQueue queue) {
        this.queue = queue;
    }

    /** Adds the changes. */
    public static void add(Changes changes, JobQueue queue) {
        OtherChanges other = new OtherChanges(queue);
        changes.add("/queues/pause", other::pauseQueue);
        changes.add("/queues/resume", other::resumeQueue);
        changes.add("/queues/pause-all", other::pauseAllQueues);
        changes.add("/queues/resume-all", other::resumeAllQueues);
        changes.add("/schedules/run", other::runSchedule);
        changes.add("/schedules/pause", other::pauseSchedule);
        changes.add("/schedules/resume", other::resumeSchedule);
        changes.add("/schedules/change", other::changeSchedule);
        changes.add("/limits/set", other::setLimit);
        changes.add("/limits/remove", other::removeLimit);
        changes.add("/limits/pause", other::pauseJobs);
        changes.add("/limits/resume", other::resumeJobs);
        changes.add("/workers/{id}/pause", call -> other.command(call, WorkerCommand.QUIET, "claims no more jobs"));
        changes.add("/workers/{id}/resume", call -> other.command(call, WorkerCommand.WORK, "claims jobs again"));
        changes.add("/workers/{id}/stop", call -> other.command(call, WorkerCommand.STOP, "stops"));
        changes.add("/workers/{id}/scale", other::scaleWorker);
        changes.add("/queues/scale", other::scaleQueue);
        changes.add("/slots/free", other::freeSlot);
    }

    private ChangeResponse pauseQueue(Call call) {
        String name = call.required("queue");
        queue.admin().queues().pause(name);
        return ChangeResponse.of("queue " + name + " is paused", Map.of("queue", name, "paused", true));
    }

    private ChangeResponse resumeQueue(Call call) {
        String name = call.required("queue");
        boolean was = queue.admin().queues().resume(name);
        boolean all = queue.admin().queues().allPausedSince().isPresent();
        return ChangeResponse.of(
                all
                        ? "queue " + name + (was ? " is resumed" : " was not paused") + ", but all queues are paused"
                        : "queue " + name + (was ? " is resumed" : " was not paused"),
                Map.of("queue", name, "paused", all));
    }

    private ChangeResponse pauseAllQueues(Call call) {
        queue.admin().queues().pauseAll();
        return ChangeResponse.of("all queues are paused", Map.of("all", true, "paused", true));
    }

    private ChangeResponse resumeAllQueues(Call call) {
        boolean was = queue.admin().queues().resumeAll();
        return ChangeResponse.of(
                was
                        ? "all queues run again, except those that were paused one by one"
                        : "there was no pause of all queues",
                Map.of("all", true, "paused", false));
    }

    private ChangeResponse runSchedule(Call call) {
        String name = call.required("schedule");
        Optional<EnqueueResult> result = queue.schedules().runNow(name);
        if (result.isEmpty()) {
            return unknown(name);
        }
        long job = result.get().jobId();
        boolean isNew = result.get() instanceof EnqueueResult.Inserted;
        return ChangeResponse.of(
                isNew
                        ? "job " + job + " of schedule " + name + " is enqueued"
                        : "job " + job + " of schedule " + name + " has not ended, and they must not overlap",
                Map.of("schedule", name, "job", job, "enqueued", isNew));
    }

    private ChangeResponse pauseSchedule(Call call) {
        String name = call.required("schedule");
        return response(name, queue.schedules().pause(name), "paused");
    }

    private ChangeResponse resumeSchedule(Call call) {
        String name = call.required("schedule");
        return response(name, queue.schedules().resume(name), "resumed");
    }

    private ChangeResponse changeSchedule(Call call) {
        String name = call.required("schedule");
        Recurrence recurrence = Recurrence.parse(call.required("recurrence"));
        return response(name, queue.schedules().change(name, recurrence), "due " + recurrence.words());
    }

    private ChangeResponse response(String name, boolean changed, String what) {
        if (!changed && queue.schedules().find(name).isEmpty()) {
            return unknown(name);
        }
        return ChangeResponse.of("schedule " + name + " is " + what, Map.of("schedule", name, "changed", changed));
    }

    private static ChangeResponse unknown(String schedule) {
        return ChangeResponse.not(404, "there is no schedule " + schedule);
    }

    private static Subject subject(Call call) {
        return new Subject(Subject.Of.parse(call.required("of")), call.required("name"));
    }

    private ChangeResponse setLimit(Call call) {
        Limit limit = Limit.of(subject(call))
                .atOnce(call.small("atOnce"))
                .together(call.small("together"))
                .maxWaiting(call.small("maxWaiting"));
        Integer starts = call.small("starts");
        if (starts != null) {
            limit = limit.rate(starts, JobChanges.duration(Objects.requireNonNullElse(call.parameter("per"), "PT1M")));
        }
        queue.limits().set(limit);
        return ChangeResponse.of("the limit of " + limit.subject() + " is set", Map.of("subject", limit.subject()));
    }

    private ChangeResponse removeLimit(Call call) {
        Subject subject = subject(call);
        return queue.limits().remove(subject)
                ? ChangeResponse.of("the limit of " + subject + " is removed", Map.of("subject", subject))
                : ChangeResponse.not(404, subject + " has no limit");
    }

    private ChangeResponse pauseJobs(Call call) {
        Subject subject = subject(call);
        String reason = Objects.requireNonNullElse(
                call.parameter("reason"), "by " + call.viewer().name() + ", dashboard");
        queue.limits().pause(subject, JobChanges.duration(call.required("for")), reason);
        return ChangeResponse.of("the jobs of " + subject + " are paused", Map.of("subject", subject));
    }

    private ChangeResponse resumeJobs(Call call) {
        Subject subject = subject(call);
        return queue.limits().resume(subject)
                ? ChangeResponse.of("the jobs of " + subject + " are resumed", Map.of("subject", subject))
                : ChangeResponse.not(404, "the jobs of " + subject + " are not paused");
    }

    private ChangeResponse command(Call call, WorkerCommand command, String what) {
        return queue.admin().workers().command(call.id(), command)
                ? ChangeResponse.of(
                        "worker " + call.id() + " " + what + " within ten seconds",
                        Map.of("worker", call.id(), "command", command.name().toLowerCase(Locale.ROOT)))
                : ChangeResponse.not(404, "there is no live worker " + call.id() + ", or it has stopped");
    }

    private ChangeResponse scaleWorker(Call call) {
        int concurrency = concurrency(call);
        return queue.admin().workers().scale(call.id(), concurrency)
                ? ChangeResponse.of(
                        "worker " + call.id() + " runs " + concurrency + (concurrency == 1 ? " job" : " jobs")
                                + " at once within ten seconds",
                        Map.of("worker", call.id(), "concurrency", concurrency))
                : ChangeResponse.not(404, "there is no live worker " + call.id() + ", or it has stopped");
    }

    private ChangeResponse scaleQueue(Call call) {
        String name = call.required("queue");
        SortedMap<Long, Integer> scaled = queue.admin().workers().scaleQueue(name, concurrency(call));
        if (scaled.isEmpty()) {
            return ChangeResponse.not(404, "queue " + name + " has no live worker");
        }
        String workers = scaled.entrySet().stream()
                .map(worker -> "worker " + worker.getKey() + " runs " + worker.getValue())
                .collect(Collectors.joining(", "));
        return ChangeResponse.of(
                workers + " at once within ten seconds", Map.of("queue", name, "concurrency", scaled.values()));
    }

    private static int concurrency(Call call) {
        Integer concurrency = call.small("concurrency");
        if (concurrency == null) {
            throw new Refusal(400, "the parameter 'concurrency' is missing");
        }
        return concurrency;
    }

    private ChangeResponse freeSlot(Call call) {
        String series = call.required("series");
        String value = call.required("value");
        if (!queue.slots().free(series, value)) {
            throw new Refusal(409, "slot " + value + " of series " + series + " is not reserved");
        }
        return ChangeResponse.of("slot " + value + " is free again", Map.of("series", series, "value", value));
    }
}
