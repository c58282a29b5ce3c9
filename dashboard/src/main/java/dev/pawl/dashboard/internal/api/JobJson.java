package dev.pawl.dashboard.internal.api;

import dev.pawl.api.Job;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.json.JsonText;
import dev.pawl.dashboard.internal.snapshot.Payloads;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON of jobs, with the same names as in the JSON that the command line prints. */
final class JobJson {
    private JobJson() {}

    /** Returns the fields for lists: neither payload nor headers. */
    static Map<String, @Nullable Object> brief(Job job) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", job.id());
        fields.put("kind", job.kind());
        fields.put("queue", job.queue());
        fields.put("state", job.state());
        fields.put("priority", job.priority());
        fields.put("attempt", job.attempt());
        fields.put("maxAttempts", job.maxAttempts());
        fields.put("createdAt", job.createdAt());
        fields.put("availableAt", job.availableAt());
        fields.put("expiresAt", job.expiresAt().orElse(null));
        fields.put("startedAt", job.startedAt());
        fields.put("finishedAt", job.finishedAt());
        fields.put("leasedBy", job.leasedBy());
        fields.put("leaseExpiresAt", job.leaseExpiresAt());
        fields.put("leaseToken", job.leaseToken());
        fields.put("cancelRequested", job.cancelRequested());
        fields.put("progress", job.progress());
        fields.put("uniqueKey", job.uniqueKey());
        fields.put("key", job.key().orElse(null));
        fields.put("batch", job.batch().isPresent() ? job.batch().getAsLong() : null);
        fields.put("cost", job.cost());
        fields.put("tags", job.tags());
        fields.put("reason", job.reason());
        return fields;
    }

    /** Includes the payload as a JSON value if it is JSON, otherwise as {@code payloadText}. */
    static Map<String, @Nullable Object> of(Job job, Payloads payloads) {
        Map<String, @Nullable Object> fields = brief(job);
        fields.put("headers", job.headers());
        String payload = payloads.of(job);
        boolean isJson = JsonText.isJson(payload);
        fields.put("payload", isJson ? new Json.Raw(payload) : null);
        fields.put("payloadText", isJson ? null : payload);
        return fields;
    }
}
