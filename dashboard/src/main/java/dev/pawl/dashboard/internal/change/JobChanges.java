package dev.pawl.dashboard.internal.change;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.WaitReason;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.UniqueWhile;
import dev.pawl.dashboard.internal.json.JsonText;
import dev.pawl.dashboard.internal.snapshot.Payloads;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes of one job. */
public final class JobChanges {
    private final JobQueue queue;
    private final Admin admin;
    private final Payloads payloads;
    private final boolean areNewJobsShownLater;

    private JobChanges(JobQueue queue, Payloads payloads, boolean areNewJobsShownLater) {
        this.queue = queue;
        this.admin = queue.admin();
        this.payloads = payloads;
        this.areNewJobsShownLater = areNewJobsShownLater;
    }

    /**
     * Adds the changes.
     *
     * @param payloads how payloads are shown; hidden ones cannot be changed
     * @param areNewJobsShownLater whether pages are read from a replica, which may not have a new job yet
     */
    public static void add(Changes changes, JobQueue queue, Payloads payloads, boolean areNewJobsShownLater) {
        JobChanges jobs = new JobChanges(queue, payloads, areNewJobsShownLater);
        changes.add("/jobs/{id}/retry", jobs::retry);
        changes.add("/jobs/{id}/cancel", jobs::cancel);
        changes.add("/jobs/{id}/edit", jobs::edit);
        changes.add("/jobs/{id}/signal", jobs::signal);
        changes.add("/jobs/{id}/stack", jobs::stack);
        changes.add("/jobs", jobs::enqueue);
    }

    private ChangeResponse retry(Call call) {
        String job = "job " + call.id();
        String step = call.parameter("step");
        return switch (step == null
                ? admin.jobs().retry(call.id())
                : admin.jobs().retry(call.id(), step)) {
            case AVAILABLE_NOW ->
                ChangeResponse.of(job + " is available now" + stillWaits(call.id()), json(call, "available_now"));
            case RUNNING -> ChangeResponse.not(409, job + " is running; nothing was changed");
            case KEY_TAKEN -> ChangeResponse.not(409, job + " cannot run: another live job has its unique key");
            case NOT_FOUND -> ChangeResponse.not(404, job + " does not exist, or it was pruned");
        };
    }

    /** Says why the job still waits, unless the reason ends by itself as the queue progresses. */
    private String stillWaits(long id) {
        String why = admin.jobs().waitReasons(id).stream()
                .filter(reason -> !reason.cause().isOrdinary())
                .map(WaitReason::text)
                .collect(Collectors.joining("; "));
        return why.isEmpty() ? "" : ", and waits because " + why;
    }

    private ChangeResponse cancel(Call call) {
        String job = "job " + call.id();
        return switch (admin.jobs().cancel(call.id())) {
            case CANCELLED -> ChangeResponse.of(job + " is cancelled", json(call, "cancelled"));
            case REQUESTED ->
                ChangeResponse.of(job + " is running; its worker has been asked to stop it", json(call, "requested"));
            case IN_TRANSACTION ->
                ChangeResponse.not(
                        409, job + " is in a transaction of its handler and cannot be stopped; try again later");
            case ALREADY_FINISHED -> ChangeResponse.not(409, job + " had already finished; nothing was changed");
            case NOT_FOUND -> ChangeResponse.not(404, job + " does not exist, or it was pruned");
        };
    }

    /** This is a change, because it writes to the database and makes a worker act. Read-only viewers see the reported stack. */
    private ChangeResponse stack(Call call) {
        String job = "job " + call.id();
        return switch (admin.runs().requestStackTrace(call.id())) {
            case REQUESTED ->
                ChangeResponse.of("the stack of " + job + " is requested from its worker", json(call, "requested"));
            case NOT_RUNNING -> ChangeResponse.not(409, job + " is not running; it has no stack");
            case REMOTE ->
                ChangeResponse.not(409, job + " runs on a worker without a database, which cannot report a stack");
            case NOT_FOUND -> ChangeResponse.not(404, job + " does not exist, or it was pruned");
        };
    }

    private ChangeResponse edit(Call call) {
        Integer priority = call.small("priority");
        boolean isOtherPriority = priority != null && !priority.equals(call.small("shownPriority"));
        JobEdit edit = new JobEdit(
                isAsShown(call) ? null : payload(call),
                isOtherPriority ? priority : null,
                call.moment("availableAt"),
                null);
        if (edit.equals(JobEdit.NOTHING)) {
            throw new Refusal(400, "nothing to change: give payload, priority or availableAt");
        }
        if (edit.payload() != null && !payloads.areUnchanged()) {
            throw new Refusal(403, "payloads are shown only in part here, so they cannot be changed here");
        }
        String job = "job " + call.id();
        String meanwhile = "the payload of " + job + " was changed in the meantime; nothing was changed";
        String shown = call.isForm() ? call.parameter("shown") : null;
        if (edit.payload() != null && shown != null) {
            String now = admin.jobs().find(call.id()).map(Job::payload).orElse(null);
            if (now != null && !isOf(shown, now)) {
                return ChangeResponse.not(409, meanwhile);
            }
            edit = now == null ? edit : edit.payloadWas(now); // the payload may change between this read and the edit
        }
        return switch (admin.jobs().edit(call.id(), edit, call.viewer().name() + ", dashboard")) {
            case CHANGED -> ChangeResponse.of(job + " is changed; its log says what it was", json(call, "changed"));
            case OTHER_PAYLOAD -> ChangeResponse.not(409, meanwhile);
            case RUNNING -> ChangeResponse.not(409, job + " is running; nothing was changed");
            case ALREADY_FINISHED -> ChangeResponse.not(409, job + " had already finished; nothing was changed");
            case NOT_FOUND -> ChangeResponse.not(404, job + " does not exist, or it was pruned");
        };
    }

    /** The value is a form field or the whole body; JSON's null for none. */
    private ChangeResponse signal(Call call) {
        String name = call.required("name");
        byte[] body = call.request().body();
        String value =
                call.isForm() || body.length == 0 ? call.lines("value") : new String(body, StandardCharsets.UTF_8);
        if (value == null) {
            value = "null";
        } else if (!JsonText.isJson(value)) {
            throw new Refusal(400, "the value of the signal is not JSON");
        }
        String subject = "signal '" + name + "' of job " + call.id();
        return switch (admin.jobs().signal(call.id(), name, value)) {
            case DELIVERED -> ChangeResponse.of(subject + " is delivered", json(call, "delivered"));
            case ALREADY_SENT -> ChangeResponse.not(409, subject + " had arrived before; the first one counts");
            case TOO_LATE -> ChangeResponse.not(409, subject + " arrived too late: the job no longer waits for it");
            case ALREADY_FINISHED ->
                ChangeResponse.not(409, "job " + call.id() + " had already finished; nothing waits for it");
            case NOT_FOUND -> ChangeResponse.not(404, "job " + call.id() + " does not exist, or it was pruned");
        };
    }

    private static Map<String, Object> json(Call call, String result) {
        return Map.of("job", call.id(), "result", result);
    }

    /** Returns whether the payload in the form is unmodified, apart from surrounding blanks. The stored payload is then kept. */
    private static boolean isAsShown(Call call) {
        String payload = call.lines("payload");
        return call.isForm() && payload != null && JsonText.digest(payload).equals(call.parameter("shown"));
    }

    /** {@return whether a form was made for this payload} A payload that the sender has not seen must not be replaced. */
    private static boolean isOf(String shown, String payload) {
        return JsonText.digest(JsonText.indented(payload).orElse(payload)).equals(shown);
    }

    /** The payload is a form field or the whole body. */
    private static @Nullable String payload(Call call) {
        byte[] body = call.request().body();
        String payload =
                call.isForm() || body.length == 0 ? call.lines("payload") : new String(body, StandardCharsets.UTF_8);
        if (payload != null && !JsonText.isJson(payload)) {
            throw new Refusal(400, "the payload is not JSON");
        }
        return payload;
    }

    private static UniqueWhile scope(String word) {
        return Arrays.stream(UniqueWhile.values())
                .filter(scope ->
                        scope.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new Refusal(400, "uniqueWhile is not valid: use waiting, live, live-or-discarded or kept"));
    }

    private ChangeResponse enqueue(Call call) {
        EnqueueOptions options = EnqueueOptions.DEFAULTS;
        String name = call.parameter("queue");
        options = name == null ? options : options.queue(name);
        Integer priority = call.small("priority");
        options = priority == null ? options : options.priority(priority);
        Integer attempts = call.small("maxAttempts");
        options = attempts == null ? options : options.maxAttempts(attempts);
        String uniqueKey = call.parameter("uniqueKey");
        options = uniqueKey == null ? options : options.uniqueKey(uniqueKey);
        String scope = call.parameter("uniqueWhile");
        options = scope == null ? options : options.uniqueWhile(scope(scope));
        String key = call.parameter("key");
        options = key == null ? options : options.key(key);
        String tags = call.parameter("tags");
        options = tags == null ? options : options.tags(tags.strip().split("\\s*,\\s*"));
        Instant at = call.moment("availableAt");
        options = at == null ? options : options.availableAt(at);
        String delay = call.parameter("delay");
        options = delay == null ? options : options.delay(duration(delay));
        String payload = payload(call);
        if (payload == null && call.request().body().length > 0) {
            // curl declares every body a form by default, so without this error the payload would be lost silently
            throw new Refusal(
                    400, "the form has no field 'payload': fill it in, or send the payload as application/json");
        }
        EnqueueResult result = queue.enqueue(
                new JobRequest(call.required("kind"), Objects.requireNonNullElse(payload, "null"), options));
        String job = "job " + result.jobId();
        boolean isNew = result instanceof EnqueueResult.Inserted;
        return ChangeResponse.of(
                        isNew ? job + " is enqueued" : job + " has this unique key already; nothing was enqueued",
                        Map.of(
                                "job",
                                result.jobId(),
                                "result",
                                result.getClass().getSimpleName().toLowerCase(Locale.ROOT)))
                .goingTo(areNewJobsShownLater ? "/jobs" : "/jobs/" + result.jobId());
    }

    static Duration duration(String text) {
        try {
            return Duration.parse(text.strip());
        } catch (DateTimeParseException e) {
            throw new Refusal(400, "'" + text + "' is not a duration: write it like PT30S, PT5M or PT2H");
        }
    }
}
