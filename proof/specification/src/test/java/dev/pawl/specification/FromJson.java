package dev.pawl.specification;

import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.RetentionRule;
import dev.pawl.admin.SlotSeriesInfo;
import dev.pawl.admin.WaitReason;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.JobStep;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Pause;
import dev.pawl.limit.PausedKey;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the JSON output of the command line. */
final class FromJson {
    private FromJson() {}

    static <T> List<T> list(JsonNode array, Function<JsonNode, T> each) {
        List<T> all = new ArrayList<>();
        array.forEach(one -> all.add(each.apply(one)));
        return all;
    }

    private static JsonNode member(JsonNode object, String name) {
        JsonNode member = object.get(name);
        if (member == null) {
            throw new Difference("there is no member " + name + ": " + object);
        }
        return member;
    }

    static @Nullable String text(JsonNode object, String name) {
        JsonNode member = member(object, name);
        return member.isNull() ? null : member.asString();
    }

    private static String needed(JsonNode object, String name) {
        return Objects.requireNonNull(text(object, name), name);
    }

    static @Nullable Instant moment(JsonNode object, String name) {
        String text = text(object, name);
        return text == null ? null : Instant.parse(text);
    }

    private static @Nullable Duration duration(JsonNode object, String name) {
        String text = text(object, name);
        return text == null ? null : Duration.parse(text);
    }

    private static @Nullable Long number(JsonNode object, String name) {
        JsonNode member = member(object, name);
        return member.isNull() ? null : Long.valueOf(member.asLong());
    }

    static long count(JsonNode object, String name) {
        return member(object, name).asLong();
    }

    private static @Nullable Integer small(JsonNode object, String name) {
        JsonNode member = member(object, name);
        return member.isNull() ? null : Integer.valueOf(member.asInt());
    }

    static boolean is(JsonNode object, String name) {
        return member(object, name).asBoolean();
    }

    /** {@return a job} */
    static Job job(JsonNode json) {
        Map<String, String> headers = new HashMap<>();
        member(json, "headers")
                .properties()
                .forEach(each -> headers.put(each.getKey(), each.getValue().asString()));
        JsonNode payload = member(json, "payload");
        Instant available = moment(json, "availableAt");
        return Job.builder(count(json, "id"), needed(json, "kind"), needed(json, "queue"))
                .state(Pawl.word(JobState.class, member(json, "state")))
                .priority((int) count(json, "priority"))
                .attempt((int) count(json, "attempt"))
                .maxAttempts((int) count(json, "maxAttempts"))
                .createdAt(Instant.parse(needed(json, "createdAt")))
                .availableAt(available == null ? Instant.EPOCH : available)
                .startedAt(moment(json, "startedAt"))
                .finishedAt(moment(json, "finishedAt"))
                .leasedBy(number(json, "leasedBy"))
                .leaseExpiresAt(moment(json, "leaseExpiresAt"))
                .leaseToken(count(json, "leaseToken"))
                .cancelRequested(is(json, "cancelRequested"))
                .progress(small(json, "progress"))
                .uniqueKey(text(json, "uniqueKey"))
                .tags(list(member(json, "tags"), JsonNode::asString))
                .headers(headers)
                .key(text(json, "key"))
                .batch(number(json, "batch"))
                .cost((int) count(json, "cost"))
                .expiresAt(moment(json, "expiresAt"))
                .payload(payload.isNull() ? needed(json, "payloadText") : payload.toString())
                .reason(text(json, "reason"))
                .build();
    }

    static JobStep step(JsonNode json) {
        return new JobStep(
                Pawl.word(JobStep.Kind.class, member(json, "kind")),
                needed(json, "name"),
                Pawl.word(JobStep.State.class, member(json, "state")),
                text(json, "value"),
                Instant.parse(needed(json, "at")),
                moment(json, "until"));
    }

    static WaitReason waitReason(JsonNode json) {
        return new WaitReason(
                Pawl.word(WaitReason.Cause.class, member(json, "cause")),
                needed(json, "text"),
                moment(json, "until"),
                needed(json, "about"));
    }

    private static Subject subject(JsonNode json) {
        return new Subject(Subject.Of.parse(needed(json, "subject")), needed(json, "name"));
    }

    static LimitInfo limit(JsonNode json) {
        Integer starts = small(json, "starts");
        Duration per = duration(json, "per");
        Instant held = moment(json, "pausedUntil");
        return new LimitInfo(
                Limit.of(subject(json))
                        .atOnce(small(json, "atOnce"))
                        .rate(starts == null || per == null ? null : new Rate(starts, per))
                        .together(small(json, "together"))
                        .maxWaiting(small(json, "maxWaiting")),
                (int) count(json, "shared"),
                (int) count(json, "workers"),
                (int) count(json, "waiting"),
                moment(json, "nextStart"),
                held == null ? null : new Pause(held, false, (int) count(json, "unavailable"), needed(json, "reason")));
    }

    static PausedKey pausedKey(JsonNode json) {
        JsonNode pause = member(json, "pause");
        return new PausedKey(
                needed(json, "queue"),
                needed(json, "key"),
                new Pause(
                        Instant.parse(needed(pause, "until")),
                        member(pause, "expired").asBoolean(),
                        (int) count(pause, "times"),
                        needed(pause, "reason")));
    }

    static RetentionRule retention(JsonNode json) {
        return new RetentionRule(
                subject(json), duration(json, "completed"), duration(json, "cancelled"), duration(json, "discarded"));
    }

    static ScheduleInfo schedule(JsonNode json) {
        JsonNode payload = member(json, "payload");
        return new ScheduleInfo(
                needed(json, "name"),
                needed(json, "kind"),
                needed(json, "queue"),
                payload.isNull() ? needed(json, "payloadText") : payload.toString(),
                Recurrence.parse(needed(json, "recurrence")),
                needed(json, "recurrence"),
                new Missed((int) count(json, "missed")),
                Pawl.word(Overlap.class, member(json, "overlap")),
                moment(json, "nextAt"),
                moment(json, "lastTick"),
                number(json, "lastJobId"),
                moment(json, "pausedAt"),
                Pawl.word(ScheduleInfo.Origin.class, member(json, "origin")),
                is(json, "changed"),
                is(json, "overdue"));
    }

    static SlotSeriesInfo slots(JsonNode json) {
        return new SlotSeriesInfo(
                needed(json, "name"),
                text(json, "lastSlot"),
                count(json, "issued"),
                count(json, "used"),
                count(json, "reserved"),
                count(json, "expired"),
                count(json, "cleared"));
    }

    static BatchInfo batch(JsonNode json) {
        return new BatchInfo(
                count(json, "id"),
                number(json, "parent"),
                needed(json, "name"),
                count(json, "jobs"),
                count(json, "completed"),
                count(json, "failed"),
                count(json, "cancelled"),
                Instant.parse(needed(json, "createdAt")),
                moment(json, "sealedAt"),
                moment(json, "stoppedAt"),
                moment(json, "doneAt"),
                moment(json, "pausedAt"),
                (int) count(json, "canary"));
    }
}
